/* Two threads ask the engine at the same time, each in a workspace of its own, and must get the
   answers that one thread gets alone; a third one is cancelled again and again meanwhile. Built for
   tests/threads.t with -fsanitize=thread, which ends the program where they share what is written.
 */
#include "bound/bounds.h"
#include "choose/envelope.h"
#include "model/library.h"
#include "verify/verify.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ANSWERS = 200 };

typedef struct {
    Workspace workspace;
    Arena *arena;
    Library *library;
    Diag diag;
    double answers[MOST_ANSWERS];
    int count;
    atomic_int rounds; /* asked so far */
    atomic_bool is_over;
    int cancelled;
} Asker;

static const char *const networks[] = {"full", "ring", "mesh", "hypercube"};
static const char *const collectives[] = {"broadcast", "allreduce", "alltoall"};

static Text word(Asker *asker, const char *text)
{
    return source_argument(asker->arena, "test", text);
}

static void answer(Asker *asker, double value)
{
    if (asker->count < MOST_ANSWERS)
        asker->answers[asker->count++] = value;
}

/* The fastest algorithm at all sizes, and whether it is right. */
static void ask_winners(Asker *asker, Curve *const *curves, size_t count, const Network *network)
{
    PieceArray pieces = {0};
    if (!envelope_find(asker->arena, curves, count, 1, 1e9, &pieces, &asker->diag))
        return;
    for (size_t i = 0; i < pieces.count; i++) {
        const Algorithm *best = curve_algorithm(curves[pieces.items[i].curve]);
        Instance instance = {best, network->p, 0, 1, 1, &network->shape, 0, 0};
        answer(asker, pieces.items[i].from);
        answer(asker, verify_schedule(asker->arena, &instance, &asker->diag).right);
    }
}

static void ask_bounds(Asker *asker, const Collective *collective, const Network *network,
                       const Rules *rules)
{
    Contract contract;
    BoundSet bounds;
    if (!contract_create(asker->arena, collective, network->p, 0, &contract, &asker->diag))
        return;
    bounds_compute(asker->arena, &contract, network, rules, BOUND_SEARCH_CUTS, &bounds);
    for (int i = 0; i < BOUND_KIND_COUNT; i++)
        answer(asker, bound_seconds(&bounds.items[i], rules->parameters, 1e6));
}

static void ask(Asker *asker, const char *collective_name, const char *topology_name, int64_t p)
{
    const Rules rules = {.parameters = {1e-6, 1e-8, 1e-9, 1e-10}, .ports = 1};
    const Topology *topology =
        library_topology(asker->library, word(asker, topology_name), &asker->diag);
    const Collective *collective =
        library_collective(asker->library, word(asker, collective_name), &asker->diag);
    AlgorithmArray algorithms = {0};
    Network network;
    if (!topology || !collective ||
        !library_algorithms(asker->library, collective, &algorithms, &asker->diag))
        return;
    const Shape shape = topology_shape(topology, p);
    if (!network_create(asker->arena, topology, &shape, TIES_PLUS, &network, &asker->diag))
        return;
    Curve **curves = ARENA_ARRAY(asker->arena, Curve *, algorithms.count);
    size_t count = 0;
    for (size_t i = 0; i < algorithms.count && count < 4; i++) {
        Diag silent = diag_silent();
        CurveCost cost;
        if (!schedule_allows(algorithms.items[i], &shape, 1, NULL, &silent))
            continue;
        curves[count] =
            curve_create(asker->arena, algorithms.items[i], &network, 0, 0, &rules, 0, &silent);
        if (!curves[count] || !curve_cost(curves[count], 1e6, &cost, &silent))
            continue;
        answer(asker, cost.total);
        count++;
    }
    ask_winners(asker, curves, count, &network);
    ask_bounds(asker, collective, &network, &rules);
}

static void ask_all(void *context)
{
    Asker *asker = context;
    asker->arena = arena_create(&asker->workspace);
    asker->library = library_open(asker->arena);
    asker->count = 0;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        ask(asker, collectives[i % 3], networks[i], 8);
    arena_destroy(asker->arena);
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

/* TAP. Tables of algorithms differ in no thread. */
int main(void)
{
    static Asker alone, first, second, victim;
    pthread_t threads[3];
    ask_once(&alone);
    pthread_create(&threads[2], NULL, ask_until_over, &victim);
    pthread_create(&threads[0], NULL, ask_once, &first);
    pthread_create(&threads[1], NULL, ask_once, &second);
    for (int seen = 0; seen < 5;) {
        int rounds = atomic_load(&victim.rounds);
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
