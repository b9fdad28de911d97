/* Two threads ask the engine at the same time, each in a workspace of its own, and must get the
   answers that one thread gets alone; a third one is cancelled again and again meanwhile. Built for
   tests/threads.t with -fsanitize=thread, which ends the program where they share what is written.
 */
#include "study/case.h"
#include "study/switch_points.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_ANSWERS = 200 };

typedef struct {
    Workspace workspace;
    double answers[MOST_ANSWERS];
    int count;
    atomic_int rounds; /* asked so far */
    atomic_bool is_over;
    int cancelled;
} Asker;

static const struct {
    const char *collective, *topology;
    int64_t p;
} asked[] = {{"broadcast", "full", 8},
             {"allreduce", "ring", 8},
             {"alltoall", "mesh", 6},
             {"reduce", "hypercube", 8}};

static void answer(Asker *asker, double value)
{
    if (asker->count < MOST_ANSWERS)
        asker->answers[asker->count++] = value;
}

/* All costs at one size, the bound, the switch points, and whether the winner is right. */
static void ask_case(Asker *asker, Case *opened)
{
    const double bytes = 1e6;
    size_t count = opened->candidates.algorithms.count;
    CaseCost *costs = ARENA_ARRAY(opened->study.arena, CaseCost, count);
    SwitchPoints points;
    if (!case_costs(opened, bytes, costs) || !switch_points_find(opened, 1, 1e9, -1, &points))
        return;
    for (size_t i = 0; i < count; i++)
        answer(asker, costs[i].cost.total);
    for (size_t i = 0; i < points.pieces.count; i++)
        answer(asker, points.pieces.items[i].from);
    answer(asker, lower_bound_seconds(case_bound(opened), bytes));
    answer(asker, case_check(opened, costs[0].candidate, costs[0].cost.k, bytes));
}

static void ask_all(void *context)
{
    Asker *asker = context;
    Diag silent = diag_silent();
    Arena *arena = arena_create(&asker->workspace);
    const Study study = {
        .arena = arena,
        .diag = &silent,
        .library = library_open(arena),
        .rules = {.parameters = {1e-6, 1e-8, 1e-9, 1e-10}, .ports = 1},
        .target = -1,
    };
    asker->count = 0;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        Text topology_name = source_argument(arena, "test", asked[i].topology);
        Text collective_name = source_argument(arena, "test", asked[i].collective);
        const Topology *topology = library_topology(study.library, topology_name, &silent);
        const Collective *collective = library_collective(study.library, collective_name, &silent);
        const Shape shape = topology_shape(topology, asked[i].p);
        Case *opened = case_open(&study, collective, NULL, topology, &shape);
        if (opened)
            ask_case(asker, opened);
    }
    arena_destroy(arena);
}

static void *ask_once(void *context)
{
    Asker *asker = context;
    if (workspace_run(&asker->workspace, ask_all, asker) != ENDING_DONE)
        asker->count = -1;
    return NULL;
}

static void *ask_until_over(void *context)
{
    Asker *asker = context;
    while (!atomic_load(&asker->is_over)) {
        atomic_fetch_add(&asker->rounds, 1);
        asker->cancelled += workspace_run(&asker->workspace, ask_all, asker) == ENDING_CANCELLED;
    }
    return NULL;
}

int main(void)
{
    static Asker alone, first, second, victim;
    pthread_t threads[3];
    ask_once(&alone);
    pthread_create(&threads[2], NULL, ask_until_over, &victim);
    pthread_create(&threads[0], NULL, ask_once, &first);
    pthread_create(&threads[1], NULL, ask_once, &second);
    for (int seen = 0; seen < 5;) {
        const struct timespec pause = {.tv_nsec = 1000000};
        int rounds = atomic_load(&victim.rounds);
        nanosleep(&pause, NULL);
        if (rounds == seen)
            continue;
        seen = rounds;
        workspace_cancel(&victim.workspace);
    }
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    atomic_store(&victim.is_over, true);
    workspace_cancel(&victim.workspace);
    pthread_join(threads[2], NULL);
    printf("%sok 1 - one thread has %d answers\n", alone.count > 20 ? "" : "not ", alone.count);
    const Asker *const others[] = {&first, &second};
    for (int i = 0; i < 2; i++) {
        bool same = others[i]->count == alone.count &&
                    memcmp(others[i]->answers, alone.answers, sizeof alone.answers) == 0;
        printf("%sok %d - thread %d has the same ones\n", same ? "" : "not ", i + 2, i + 1);
    }
    printf("%sok 4 - a third one was cancelled %d times\n", victim.cancelled > 0 ? "" : "not ",
           victim.cancelled);
    return 0;
}
