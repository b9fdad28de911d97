/* On random networks and machines the switch points, and what is said of their pieces, are the same
   where candidates are followed only once their bounds leave open whether they matter
   (study/followed.h) as where all are followed.

   deferred [CASES [FIRST]] */
#include "world.h"

#include "base/workspace.h"
#include "study/study.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_CASES = 100 };

/* Switch points are found to full precision from other intervals. */
static const double close = 1e-9;

typedef struct {
    Study study;
    const char *collective, *topology;
} Question;

typedef struct {
    Workspace workspace; /* of the arena in which it lives */
    Arena *arena;
    collcost_status status;
    const collcost_piece *pieces;
    size_t count;
} Answer;

static const char *draw_topology(World *world)
{
    static const char *const grids[] = {"torus", "mesh", "cluster", "fat-tree", "dragonfly"};
    static const char *const lines[] = {"ring", "linear", "star", "tree", "uniring"};
    uint64_t kind = below(world, 8), which = below(world, 5);
    long long x = (long long)below(world, 6) + 1, y = (long long)below(world, 4) + 2,
              z = (long long)below(world, 3) + 1;
    if (kind == 0)
        return arena_printf(world->arena, "%s:%lld", lines[which], x * y * z);
    if (kind == 1)
        return arena_printf(world->arena, "hypercube:%d", 1 << (which + 1));
    return kind < 5 && which < 3
               ? arena_printf(world->arena, "%s:%lldx%lld", grids[which], x, y * z)
               : arena_printf(world->arena, "%s:%lldx%lldx%lld", grids[which == 2 ? 0 : which], x,
                              y, z);
}

/* A machine of the library, now and then with other costs. */
static bool draw(World *world, Question *question)
{
    static const char *const machines[] = {"sg2260", "sg2260", "edr-fat-tree", "slingshot",
                                           "alaska-smp"};
    static const char *const collectives[] = {"allgather",      "allreduce", "alltoall",
                                              "broadcast",      "reduce",    "scatter",
                                              "reduce-scatter", "gather",    "scan"};
    const Machine *machine =
        library_machine(world->library, text_of(world, machines[below(world, 5)]), &world->diag);
    if (!machine)
        return false;
    question->collective = collectives[below(world, 9)];
    question->topology = draw_topology(world);
    Study *study = &question->study;
    *study = (Study){.library = world->library,
                     .machine = *machine,
                     .element = 1,
                     .target = -1,
                     .compose = (Compose)below(world, COMPOSE_ALL)};
    if (below(world, 2)) {
        study->machine.parameters[PARAMETER_TS] = 1e-6 + random_price(world, -7, -4);
        study->machine.parameters[PARAMETER_TH] = random_price(world, -9, -6);
        study->machine.parameters[PARAMETER_TW] = random_price(world, -12, -8);
        study->machine.parameters[PARAMETER_TC] = random_price(world, -13, -8);
    }
    rules_follow_machine(&study->rules, &study->machine);
    study->rules.ports = (int64_t)below(world, 3) + 1;
    study->rules.fixed_ports = below(world, 2);
    study->rules.switching = below(world, 4) ? SWITCHING_CUT_THROUGH : SWITCHING_STORE_AND_FORWARD;
    return true;
}

static void ask(const Question *question, bool defers, Answer *answer)
{
    Study study = question->study;
    Diag silent = diag_silent();
    collcost_case *opened;
    *answer = (Answer){0};
    study.arena = answer->arena = arena_create(&answer->workspace);
    study.defers = defers;
    study.stages = defers ? STAGES_BY_BOUNDS : STAGES_ALL;
    study.diag = &silent;
    answer->status = collcost_case_open(&study, question->collective, question->topology, &opened);
    if (answer->status == COLLCOST_FINE)
        answer->status = collcost_case_switch_points(opened, 1, 0x1p40, -1, COLLCOST_DETAILS,
                                                     &answer->pieces, &answer->count);
}

static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= close * fmax(fabs(a), fabs(b));
}

static bool is_same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_piece(const collcost_piece *a, const collcost_piece *b)
{
    bool same = is_same_name(a->algorithm, b->algorithm) && is_same_name(a->second, b->second) &&
                is_same_name(a->stages, b->stages) && is_near(a->from_bytes, b->from_bytes) &&
                is_near(a->to_bytes, b->to_bytes) && a->from_k == b->from_k && a->to_k == b->to_k &&
                is_near(a->total_at_from_s, b->total_at_from_s) &&
                is_near(a->total_at_to_s, b->total_at_to_s) &&
                is_near(1 + a->second_slower_by, 1 + b->second_slower_by) &&
                a->tied_count == b->tied_count;
    for (size_t i = 0; same && i < a->tied_count; i++)
        same = is_same_name(a->tied[i], b->tied[i]);
    return same;
}

static bool is_same(const Answer *a, const Answer *b)
{
    bool same = a->status == b->status && a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = is_same_piece(&a->pieces[i], &b->pieces[i]);
    return same;
}

static void show(const char *how, const Answer *answer)
{
    printf("#   %s: status %d\n", how, (int)answer->status);
    for (size_t i = 0; i < answer->count; i++) {
        const collcost_piece *piece = &answer->pieces[i];
        printf("#   %.17g to %.17g %s k %g..%g, second %s by %.17g, %zu tied\n", piece->from_bytes,
               piece->to_bytes, piece->algorithm, piece->from_k, piece->to_k,
               piece->second ? piece->second : "-", piece->second_slower_by, piece->tied_count);
    }
}

static bool run_case(uint64_t n, int64_t *pieces)
{
    World world = world_open(9000000 + n);
    Question question;
    bool good = draw(&world, &question);
    if (good) {
        Answer all, deferred;
        ask(&question, false, &all);
        ask(&question, true, &deferred);
        good = is_same(&all, &deferred);
        *pieces += (int64_t)all.count;
        if (!good) {
            printf("# case %llu: %s on %s\n", (unsigned long long)n, question.collective,
                   question.topology);
            show("all", &all);
            show("deferred", &deferred);
        }
        arena_destroy(all.arena);
        arena_destroy(deferred.arena);
    }
    world_close(&world);
    return good;
}

int main(int count, char **arguments)
{
    Results results = {0};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    int64_t wrong = 0, pieces = 0;
    gsl_set_error_handler_off();
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint64_t n = range.first; n < range.first + range.cases && wrong < 5; n++)
        wrong += !run_case(n, &pieces);
    printf("# %lld pieces\n", (long long)pieces);
    result(&results, wrong == 0, "candidates that are put off change no switch point");
    result(&results, pieces > (int64_t)range.cases / 2, "most cases have pieces");
    return results_end(&results);
}
