/* The best number of chunks, of algorithms of the library and of trees packed into the network. On
   random networks, machines and rules no k of a scan beats the one that is taken for the best; and
   what bags of port steps say of a number of chunks (cost/bag.h) is what its own schedule costs,
   but for rounding: rates that grow with k are kinds of their own for each k, and those of large k
   are told by two of these.

   chunks [CASES [FIRST [RANKS]]]: on so many ranks at least */
#include "world.h"

#include "base/buffer.h"
#include "cost/curve.h"
#include "cost/profiles.h"
#include "synth/packing.h"
#include "synth/ways.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_CASES = 60, SCANNED = 24, SCANNED_LINES = 6, MOST_TRANSFERS = 1 << 16 };

/* Two sums of closed forms may be rounded apart, what two kinds tell of others, and lines from the
   times between them. */
static const double close = 1e-12, told_alike = 1e-14, on_line = 1e-9;

typedef struct {
    int64_t cases, told, trees, scanned, lines, wrong, beaten;
} Tally;

/* An allreduce: trees both ways, or those of a reduce-scatter and of an allgather. False: there are
   no trees. */
static bool pack_trees(World *world, const Network *network, Buffer *text)
{
    static const char *const halves[] = {"allgather", "reduce-scatter"};
    const Rules rules = {.ports = 1, .all_ports = true, .parameters = {[PARAMETER_TW] = 1e-9}};
    Diag silent = diag_silent();
    TreePacking packing;
    Hops hops;
    if (below(world, 2)) {
        const Errands errands = ways_list_roots(world->arena, network->p, 0);
        if (!hops_try(world->arena, network, &rules, false, &hops) ||
            !ways_find(&hops, &errands, true, &packing))
            return false;
        packing_write(text, &packing, TREES_OF_ROOTS, "allreduce", "packed", "drawn");
        return true;
    }
    for (int i = 0; i < 2; i++) {
        if (!packing_find(world->arena, network, &rules, (PackingTask){-1, i == 1}, &packing,
                          &silent))
            return false;
        packing_write(text, &packing, TREES_OF_ROOTS, halves[i], "packed", "drawn");
    }
    buffer_printf(text, "---\nalgorithm: packed\ncollective: allreduce\nsequence:\n"
                        "  - reduce-scatter/packed\n  - allgather/packed\n");
    return true;
}

/* In place of the algorithm, where there are any; of two networks one has levels, whose switches
   copy and combine where messages cross all their links at once. */
static bool draw_trees(World *world, Case *drawn)
{
    Buffer text = {.arena = world->arena};
    const bool merges = below(world, 2);
    if (merges && !make_network(world, below(world, 2) ? "cluster" : "fat-tree",
                                4 + 2 * (int64_t)below(world, 14), &drawn->network))
        return false;
    if (drawn->network.p < 2 || !pack_trees(world, &drawn->network, &text))
        return false;
    if (!library_add_source(world->library,
                            source_from_text(world->arena, "trees", text.items, text.count),
                            &world->diag))
        return false;
    drawn->algorithm =
        library_algorithm(world->library, text_of(world, "allreduce/packed"), &world->diag);
    drawn->instance.algorithm = drawn->algorithm;
    drawn->instance.p = drawn->network.p;
    drawn->instance.branches = drawn->instance.root = drawn->instance.target = 0;
    do {
        set_rules(drawn);
        random_rules(world, drawn);
    } while (merges && drawn->rules.asynchronous);
    for (int i = 0; i < drawn->rules.level_count && merges; i++)
        for (int x = 0; x < MERGING_COUNT; x++)
            drawn->levels[i].merges[x] = drawn->rules.switching == SWITCHING_CUT_THROUGH;
    return true;
}

/* One with a free number of chunks, on a network that may be large. */
static bool draw(World *world, int64_t ranks, Case *drawn, Tally *tally)
{
    do
        drawn->algorithm = random_algorithm(world);
    while (!drawn->algorithm->free_chunks || drawn->algorithm->expect_wrong);
    if (!draw_instance(world, true, drawn))
        return false;
    if (ranks || below(world, 3) == 0) {
        const int64_t p = ranks + (int64_t)below(world, 64) + 1;
        if (!make_network(world, random_topology(world, true), p, &drawn->network) ||
            !schedule_allows(drawn->algorithm, &drawn->network.shape, drawn->instance.ports, NULL,
                             &world->diag))
            return false;
        drawn->instance.p = drawn->network.p;
        drawn->instance.root %= drawn->network.p;
        drawn->instance.target %= drawn->network.p;
        drawn->instance.branches = branches_of(&drawn->instance);
    }
    if (below(world, 4) == 0 && draw_trees(world, drawn))
        tally->trees++;
    else if (below(world, 2))
        random_rules(world, drawn);
    if (drawn->rules.asynchronous || drawn->rules.contention == CONTENTION_SHARED)
        set_rules(drawn);
    drawn->bytes = floor(pow(10, (double)below(world, 9)));
    return true;
}

static int64_t scanned_k(World *world, int i)
{
    return i < SCANNED / 2 ? i + 1 : 1 + (int64_t)below(world, MOST_DERIVED_CHUNKS);
}

/* The time of a schedule of its own; NAN: it has none, or a long one. */
static double derive_time(World *world, const Case *drawn, int64_t k, int64_t transfers)
{
    Profile profile;
    Diag silent = diag_silent();
    Instance instance = drawn->instance;
    instance.k = k;
    instance.sizes.weights = drawn->rules.weights;
    if (k * transfers > MOST_TRANSFERS * (k > 1 ? 4 : 1) ||
        !profile_derive(world->arena, &instance, &drawn->network, &drawn->rules, &profile, &silent))
        return NAN;
    return cost_total(profile_cost(&profile, drawn->rules.parameters, drawn->bytes));
}

static void complain(const Case *drawn, const char *what, int64_t k, double own, double other)
{
    printf("# %s: with %lld chunks %.17g, not %.17g\n", what, (long long)k, own, other);
    describe(drawn);
}

/* At a size beside that of the case, where hardly any protocol ends. */
static bool check_lines(World *world, const Case *drawn, Curve *curve, ChunkProfiles *profiles,
                        Tally *tally)
{
    Diag silent = diag_silent();
    SizeArray bends = {0};
    const double bytes = drawn->bytes * 1.37;
    if (curve_is_closed(curve) ||
        !curve_bends(
            curve, &(BendList){drawn->bytes / 4, drawn->bytes * 4, world->arena, &bends, &silent}))
        return true;
    for (int i = 0; i < SCANNED_LINES; i++) {
        const int64_t k = scanned_k(world, i + SCANNED / 2 - SCANNED_LINES / 2);
        const Profile *known = profiles_timed(profiles, k, &silent);
        double line;
        if (!known || !curve_total(curve, k, drawn->instance.branches, bytes, &line, &silent))
            continue;
        const double own = cost_total(profile_cost(known, drawn->rules.parameters, bytes)) +
                           drawn->rules.delays[DELAY_CALL].seconds;
        tally->lines++;
        if (fabs(line - own) > on_line * own) {
            complain(drawn, "a line says", k, line, own);
            tally->wrong++;
            return false;
        }
    }
    return true;
}

static bool run_case(World *world, const Case *drawn, Tally *tally)
{
    Diag silent = diag_silent();
    const Instance *instance = &drawn->instance;
    ClaimPoint point = claim_point(&drawn->network.shape, instance->root, 1, instance->ports);
    FreeChoice chosen = {0};
    Profile one;
    CurveCost best;
    point.target = instance->target;
    point.branches = instance->branches;
    chosen.branches[drawn->algorithm->branching] = instance->branches;
    Curve *curve =
        curve_create(world->arena,
                     &(CurveSubject){drawn->algorithm,
                                     &drawn->network,
                                     &drawn->rules,
                                     {.root = instance->root, .target = instance->target}},
                     &chosen, &silent);
    ChunkProfiles *profiles = profiles_create(
        world->arena, &(CurveSubject){drawn->algorithm, &drawn->network, &drawn->rules, point},
        true, false);
    Instance single = *instance;
    single.k = 1;
    if (!curve ||
        !profile_derive(world->arena, &single, &drawn->network, &drawn->rules, &one, &silent) ||
        !curve_cost(curve, drawn->bytes, &best, &silent))
        return true;
    const double call = drawn->rules.delays[DELAY_CALL].seconds;
    const bool told = profiles_are_all_known(profiles, MOST_DERIVED_CHUNKS);
    tally->cases++, tally->told += told;
    for (int i = 0; i < SCANNED; i++) {
        const int64_t k = scanned_k(world, i);
        const double own = derive_time(world, drawn, k, one.transfers);
        if (isnan(own))
            continue;
        tally->scanned++;
        const Profile *known = told ? profiles_timed(profiles, k, &silent) : NULL;
        const double said =
            known ? cost_total(profile_cost(known, drawn->rules.parameters, drawn->bytes)) : own;
        if (fabs(said - own) > told_alike * own) {
            complain(drawn, "a bag says", k, said, own);
            tally->wrong++;
            return false;
        }
        if ((double)k <= fmax(1, drawn->bytes) && told && (own + call) * (1 + close) < best.total) {
            complain(drawn, "the best takes longer", k, own + call, best.total);
            printf("# it is k = %g\n", best.k);
            tally->beaten++;
            return false;
        }
    }
    return !told || check_lines(world, drawn, curve, profiles, tally);
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {0};
    const int64_t ranks = count > 3 ? atoll(arguments[3]) : 0;
    CaseRange range = read_range(count > 3 ? 3 : count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint64_t n = range.first; n < range.first + range.cases && tally.wrong < 5; n++) {
        World world = world_open(11000000 + n);
        Case drawn = {0};
        Diag before = world.diag;
        world.diag = diag_silent();
        if (draw(&world, ranks, &drawn, &tally) && !run_case(&world, &drawn, &tally))
            printf("# case %llu\n", (unsigned long long)n);
        world.diag = before;
        world_close(&world);
    }
    printf(
        "# %lld cases, %lld of which bags tell, %lld drawn as trees, %lld numbers of chunks, %lld "
        "times on lines\n",
        (long long)tally.cases, (long long)tally.told, (long long)tally.trees,
        (long long)tally.scanned, (long long)tally.lines);
    result(&results, tally.wrong == 0,
           "bags and lines tell what schedules cost, for any number of chunks");
    result(&results, tally.beaten == 0, "no number of chunks beats the one that is taken");
    result(&results, tally.told > (int64_t)range.cases / 2, "bags tell most cases");
    return results_end(&results);
}
