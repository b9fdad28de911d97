/* Ratios of collcost to what bounds it, taken in one run on one core: make bench.

   Both sides are run in turn, and timed by the CPU time that they take; each line has the medians
   of both, and of the ratios of the pairs. A ratio of 1 means as fast as the limit, where it is
   one: memcpy, a += b, C. Other lines compare with other work, and say what: rounds that are alike
   for all ranks, for instance, can be costed in less time than it takes to list their messages.
   What nothing bounds is counted in instructions. */
#include "results.h"
#include "sched/expander.h"

#include "bound/bounds.h"
#include "cli/messages.h"
#include "cost/derive.h"
#include "lang/check.h"
#include "model/library.h"
#include "net/turn.h"
#include "verify/executor.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#if defined __x86_64__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define BY_HAND                                                                                    \
    __attribute__((noinline, optimize("O3"),                                                       \
                   target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define BY_HAND __attribute__((noinline))
#endif

typedef struct {
    double ts, tw;
} HandMachine;

/* (p - 1) * (ts + m * tw) */
BY_HAND static void hand_linear(int64_t p, HandMachine machine, const double *m, double *out,
                                size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (double)(p - 1) * (machine.ts + m[i] * machine.tw);
}

static int64_t hand_clog2(int64_t p)
{
    return p > 1 ? 64 - __builtin_clzll((unsigned long long)p - 1) : 0;
}

/* clog2(p) * ts + (p - 1) * m * tw / p */
BY_HAND static void hand_logarithmic(int64_t p, HandMachine machine, const double *m, double *out,
                                     size_t count)
{
    double rounds = (double)hand_clog2(p);
    for (size_t i = 0; i < count; i++)
        out[i] = rounds * machine.ts + (double)(p - 1) * m[i] * machine.tw / (double)p;
}

typedef void (*HandFunction)(int64_t, HandMachine, const double *, double *, size_t);

typedef struct {
    Arena *arena;
    Program *program;
    HandFunction by_hand;
    HandMachine machine;
    size_t rows, sizes;
    double *m, *out, *expected;
} PointGrid;

static Program *compile_formula(Arena *arena, const char *formula)
{
    Diag diag = messages_to(stderr);
    Scope scope = {0};
    scope_add(arena, &scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(arena, &scope, (Variable){"m", TYPE_REAL, DIMENSION_BYTES, true});
    scope_add(arena, &scope, (Variable){"ts", TYPE_REAL, DIMENSION_TIME, false});
    scope_add(arena, &scope, (Variable){"tw", TYPE_REAL, DIMENSION_TIME_PER_BYTE, false});
    Expr *expr = parse_expression(arena, source_argument(arena, "formula", formula), &diag);
    if (expr)
        expr = check_expression(arena, expr, &scope, TYPE_REAL, DIMENSION_TIME, &diag);
    if (!expr)
        fail(formula);
    return program_compile(arena, expr, &scope);
}

static double time_program(PointGrid *grid)
{
    Diag diag = messages_to(stderr);
    double start = now();
    for (size_t row = 0; row < grid->rows; row++) {
        int64_t p = (int64_t)row + 2;
        const void *slots[] = {&p, grid->m, &grid->machine.ts, &grid->machine.tw};
        if (!program_run(grid->program, slots, grid->sizes, grid->out + row * grid->sizes, &diag))
            fail("a formula");
    }
    return now() - start;
}

static double time_hand(PointGrid *grid)
{
    double start = now();
    for (size_t row = 0; row < grid->rows; row++)
        grid->by_hand((int64_t)row + 2, grid->machine, grid->m, grid->expected + row * grid->sizes,
                      grid->sizes);
    return now() - start;
}

/* rows x sizes points: 16 thousand stay in cache, 16 million do not. */
static void bench_formula(Results *results, const char *name, const char *formula,
                          HandFunction by_hand, size_t rows, size_t sizes)
{
    Arena *arena = arena_create(NULL);
    PointGrid grid = {arena,
                      compile_formula(arena, formula),
                      by_hand,
                      {1e-6, 1 / 64e9},
                      rows,
                      sizes,
                      ARENA_ARRAY(arena, double, sizes),
                      ARENA_ARRAY(arena, double, rows *sizes),
                      ARENA_ARRAY(arena, double, rows *sizes)};
    static Pairs pairs;
    double points = (double)rows * (double)sizes;
    pairs.count = 0;
    for (size_t i = 0; i < sizes; i++)
        grid.m[i] = (double)i * 100;
    int repeats = points > 1e6 ? REPEATS : 50 * REPEATS;
    for (int i = 0; i < repeats; i++) {
        double ours = time_program(&grid);
        add_pair(&pairs, ours, time_hand(&grid));
    }
    if (memcmp(grid.out, grid.expected, rows * sizes * sizeof *grid.out) != 0)
        fail("the comparison with C");
    add_result(results, name, "the same in C", "points/s", points, &pairs, 0);
    arena_destroy(arena);
}

static const Algorithm *find_algorithm(Arena *arena, const char *name, Diag *diag)
{
    Library *library = library_open(arena);
    const Algorithm *algorithm =
        library_algorithm(library, source_argument(arena, "algorithm", name), diag);
    if (!algorithm)
        fail(name);
    return algorithm;
}

typedef struct {
    Arena *arena;
    Instance instance;
    Contract contract;
    BlockSpace space;
    RoundArray rounds; /* kept, so that only the executor is timed */
    int64_t elements;
} Case;

static Case open_case(const char *name, int64_t p, int64_t block_bytes)
{
    Diag diag = messages_to(stderr);
    Case here = {.arena = arena_create(NULL), .elements = block_bytes / 8};
    here.instance = (Instance){
        .algorithm = find_algorithm(here.arena, name, &diag), .p = p, .k = 1, .ports = 1};
    if (!contract_create(here.arena, here.instance.algorithm->collective, p, 0, 0, &here.contract,
                         &diag) ||
        !schedule_blocks(&here.instance, &here.space, &diag) ||
        !expander_collect(here.arena, &here.instance, &(RoundsWanted){0}, &(int64_t){0},
                          &here.rounds, &diag))
        fail(name);
    return here;
}

/* Seconds of the rounds on buffers that are there. */
static double time_executor(Case *here, size_t *bytes)
{
    Arena *arena = arena_create(NULL);
    Failure failure = {0};
    Executor *executor = executor_create(arena, &here->contract, &here->space, 1,
                                         1u << OPERATION_SUM, here->elements, NULL, 1);
    double start = now();
    for (size_t i = 0; i < here->rounds.count; i++)
        if (!executor_apply(executor, &here->rounds.items[i], &failure))
            fail(failure.text);
    double seconds = now() - start;
    *bytes = 0;
    for (size_t i = 0; i < here->rounds.count; i++)
        for (size_t t = 0; t < here->rounds.items[i].count; t++)
            *bytes += here->rounds.items[i].transfers[t].block_count * (size_t)here->elements * 8;
    arena_destroy(arena);
    return seconds;
}

/* a += b */
BY_HAND static void add_words(uint64_t *restrict into, const uint64_t *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        into[i] += from[i];
}

/* The same bytes between the same number of buffers of the same size. */
static double time_buffers(bool combines, int64_t ranks, int64_t elements)
{
    size_t bytes = (size_t)elements * 8;
    char *memory = aligned_alloc(64, (size_t)ranks * bytes);
    memset(memory, 1, (size_t)ranks * bytes);
    double start = now();
    for (int64_t r = 1; r < ranks; r++) {
        if (combines)
            add_words((uint64_t *)(void *)memory,
                      (const uint64_t *)(const void *)(memory + (size_t)r * bytes),
                      (size_t)elements);
        else
            memcpy(memory + (size_t)r * bytes, memory, bytes);
    }
    double seconds = now() - start;
    free(memory);
    return seconds;
}

static void bench_executor(Results *results, const char *name, const char *algorithm, bool combines,
                           int64_t p, int64_t block_bytes)
{
    Case here = open_case(algorithm, p, block_bytes);
    Pairs pairs = {.count = 0};
    size_t bytes = 0;
    for (int i = 0; i < 3 * REPEATS; i++) {
        double ours = time_executor(&here, &bytes);
        add_pair(&pairs, ours, time_buffers(combines, p, here.elements));
    }
    add_result(results, name, combines ? "a += b" : "memcpy", "B/s", (double)bytes, &pairs, 0);
    arena_destroy(here.arena);
}

/* What a hand-written generator of the binomial broadcast must at least do: name each message. */
__attribute__((noinline)) static int64_t hand_binomial(int64_t p, int64_t *from, int64_t *to)
{
    int64_t count = 0;
    for (int64_t step = (int64_t)1 << (hand_clog2(p) - 1); step > 0; step /= 2)
        for (int64_t r = 0; r < p; r++)
            if (r % (2 * step) == 0 && r + step < p) {
                from[count] = r;
                to[count++] = r + step;
            }
    return count;
}

/* What any generator of a schedule of p - 1 rounds, in which every rank sends, must at least do. */
__attribute__((noinline)) static int64_t hand_rounds(int64_t p, int64_t *from, int64_t *to)
{
    int64_t count = 0;
    for (int64_t i = 1; i < p; i++)
        for (int64_t r = 0; r < p; r++) {
            from[count] = r;
            to[count++] = (r + i) % p;
        }
    return count;
}

/* From the text of the model to its cost on p ranks, run on data as well where `verifies`. */
typedef struct {
    const char *name, *algorithm, *topology;
    int64_t p, messages;
    bool verifies;
    int64_t (*by_hand)(int64_t p, int64_t *from, int64_t *to);
} Expansion;

static double time_expansion(const Expansion *expansion)
{
    double start = now();
    Diag diag = messages_to(stderr);
    Arena *arena = arena_create(NULL);
    Library *library = library_open(arena);
    const Topology *topology =
        library_topology(library, source_argument(arena, "topology", expansion->topology), &diag);
    Network network;
    Profile profile;
    const Shape shape = shape_line(expansion->p);
    const Rules rules = {.ports = 1};
    Instance instance = {.algorithm = find_algorithm(arena, expansion->algorithm, &diag),
                         .p = expansion->p,
                         .k = 1,
                         .ports = 1,
                         .shape = &shape};
    if (!topology || !network_create(arena, topology, &shape, TIES_PLUS, &network, &diag) ||
        !profile_derive(arena, &instance, &network, &rules, &profile, &diag) ||
        (expansion->verifies && !verify_schedule(arena, &instance, &diag).right))
        fail(expansion->name);
    arena_destroy(arena);
    return now() - start;
}

static double time_by_hand(const Expansion *expansion)
{
    size_t bytes = (size_t)expansion->messages * sizeof(int64_t);
    int64_t *from = malloc(bytes), *to = malloc(bytes);
    if (!from || !to)
        fail("memory");
    memset(from, 1, bytes); /* so that pages are there */
    memset(to, 1, bytes);
    double start = now();
    if (expansion->by_hand(expansion->p, from, to) != expansion->messages)
        fail("the generator in C");
    double seconds = now() - start;
    free(from);
    free(to);
    return seconds;
}

static void bench_expansions(Results *results)
{
    enum { MILLION = 1 << 20, THOUSAND = 1024 };
    static const Expansion expansions[] = {
        {"ring allgather, 1024 ranks, to verified cost", "allgather/ring", "ring", THOUSAND,
         (int64_t)THOUSAND * (THOUSAND - 1), true, hand_rounds},
        {"binomial broadcast, 2^20 ranks, to cost", "broadcast/binomial", "full", MILLION,
         MILLION - 1, false, hand_binomial},
        {"pairwise all-to-all, 1024 ranks, to cost", "alltoall/pairwise", "full", THOUSAND,
         (int64_t)THOUSAND * (THOUSAND - 1), false, hand_rounds},
    };
    for (size_t e = 0; e < sizeof expansions / sizeof *expansions; e++) {
        Pairs pairs = {.count = 0};
        for (int i = 0; i < 5; i++) {
            double ours = time_expansion(&expansions[e]);
            add_pair(&pairs, ours, time_by_hand(&expansions[e]));
        }
        add_result(results, expansions[e].name, "listing its messages in C", "messages/s",
                   (double)expansions[e].messages, &pairs, 0);
    }
}

/* Eight groups of eight of two speeds, slow links between the first ranks of neighbouring groups.
 */
static const char groups[] =
    "topology: groups\nranks: 64\nlinks:\n"
    "  - for: [g in 0 .. 7, i in 0 .. 7, j in 0 .. 7]\n"
    "    from: 8 * g + i\n    to: 8 * g + j\n    if: i != j and g mod 2 == 0\n"
    "    bandwidth: 64 GB/s\n"
    "  - for: [g in 0 .. 7, i in 0 .. 7, j in 0 .. 7]\n"
    "    from: 8 * g + i\n    to: 8 * g + j\n    if: i != j and g mod 2 == 1\n"
    "    bandwidth: 25 GB/s\n"
    "  - for: g in 0 .. 7\n    from: 8 * g\n    to: 8 * ((g + 1) mod 8)\n    both: yes\n"
    "    bandwidth: 8 GB/s\nrouting: shortest\n";

typedef struct {
    const char *name, *topology, *sizes, *collective;
    BoundKind kind; /* of a cut or a flow nothing better must be left */
} BoundCase;

static double time_bounds(const Network *network, const Collective *collective, BoundKind kind,
                          Diag *diag)
{
    Contract contract;
    const Rules rules = {.all_ports = true, .parameters = {[PARAMETER_TW] = 1e-9}};
    BoundSet bounds;
    Arena *arena = arena_create(NULL);
    double start = now();
    if (!contract_create(arena, collective, network->p, 0, 0, &contract, diag))
        fail(collective->head.name);
    bounds_compute(arena, &contract, network, &rules,
                   kind == BOUND_FLOW     ? BOUND_SEARCH_FLOW
                   : kind == BOUND_VOLUME ? BOUND_SEARCH_NONE
                                          : BOUND_SEARCH_CUTS,
                   &bounds);
    double seconds = now() - start;
    if (kind != BOUND_VOLUME && !strstr(bounds.items[kind].reason, "best of all"))
        fail("the best bound");
    arena_destroy(arena);
    return seconds;
}

/* What any distance needs: a search of the network from every rank that differs from others. */
static double time_searches(const Network *network, int64_t ranks)
{
    Arena *arena = arena_create(NULL);
    int64_t *distances = ARENA_ROOM(arena, int64_t, (size_t)network->node_count);
    double start = now();
    for (int64_t r = 0; r < ranks; r++) {
        ArenaMark mark = arena_mark(arena);
        network_distances(network, arena, r, distances);
        arena_release(arena, mark);
    }
    double seconds = now() - start;
    arena_destroy(arena);
    return seconds;
}

static void bench_bound(Results *results, Library *library, Arena *arena, const BoundCase *bound,
                        Diag *diag)
{
    Shape shape;
    Network network;
    const Topology *topology =
        library_topology(library, source_argument(arena, "topology", bound->topology), diag);
    const Collective *collective =
        library_collective(library, source_argument(arena, "collective", bound->collective), diag);
    if (!topology || !collective ||
        !topology_parse_shape(topology, source_argument(arena, "sizes", bound->sizes), &shape,
                              diag) ||
        !network_create(arena, topology, &shape, TIES_PLUS, &network, diag))
        fail(bound->name);
    bool alike = network_is_symmetric(&network);
    Pairs pairs = {.count = 0};
    for (int i = 0; i < 5; i++) {
        double ours = time_bounds(&network, collective, bound->kind, diag);
        add_pair(&pairs, ours, time_searches(&network, alike ? 1 : network.p));
    }
    add_result(results, bound->name, alike ? "a search from one rank" : "a search from each rank",
               "s", 0, &pairs, 0);
}

static void bench_bounds(Results *results)
{
    static const BoundCase cases[] = {
        {"bounds of allgather, 64 ranks, unequal links", "groups", "64", "allgather", BOUND_CUT},
        {"bounds of allgather, torus:8x8", "torus", "8x8", "allgather", BOUND_CUT},
        {"bounds of allgather, torus:16x16", "torus", "16x16", "allgather", BOUND_CUT},
        {"bounds of allgather, torus:32x32", "torus", "32x32", "allgather", BOUND_CUT},
        {"bounds of allgather, mesh:32x32", "mesh", "32x32", "allgather", BOUND_CUT},
        {"paths of alltoall, torus:256x256", "torus", "256x256", "alltoall", BOUND_VOLUME},
        {"paths of alltoall, fat-tree:16x8x8", "fat-tree", "16x8x8", "alltoall", BOUND_VOLUME},
        {"flows of alltoall, 64 ranks, unequal links", "groups", "64", "alltoall", BOUND_FLOW},
        {"flows of alltoall, torus:8x8", "torus", "8x8", "alltoall", BOUND_FLOW},
        {"flows of alltoall, mesh:8x8", "mesh", "8x8", "alltoall", BOUND_FLOW},
    };
    Arena *arena = arena_create(NULL);
    Diag diag = messages_to(stderr);
    Library *library = library_open(arena);
    const Source *source = source_from_text(arena, "groups.yaml", groups, strlen(groups));
    if (!library_add_source(library, source, &diag))
        fail("groups");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cases[i].kind != BOUND_FLOW || bounds_have_flow())
            bench_bound(results, library, arena, &cases[i], &diag);
    arena_destroy(arena);
}

int main(int count, char **arguments)
{
    static const char linear[] = "(p - 1) * (ts + m * tw)";
    static const char logarithmic[] = "clog2(p) * ts + (p - 1) * m * tw / p";
    Results results = {0};
    if (count != 3) {
        fprintf(stderr, "usage: bench COLLCOST QUESTIONS\n");
        return 2;
    }
    /* Processes first: until it begins, one counts with the memory of its parent. */
    bench_questions(&results, arguments[1], arguments[2]);
    bench_formula(&results, "(p-1)*(ts+m*tw), 16 k points", linear, hand_linear, 2, 8192);
    bench_formula(&results, "(p-1)*(ts+m*tw), 16.8 M points", linear, hand_linear, 64, 262144);
    bench_formula(&results, "clog2(p)*ts+(p-1)*m*tw/p, 16 k points", logarithmic, hand_logarithmic,
                  2, 8192);
    bench_formula(&results, "clog2(p)*ts+(p-1)*m*tw/p, 16.8 M points", logarithmic,
                  hand_logarithmic, 64, 262144);
    bench_executor(&results, "broadcast/flat on data, 256 x 64 KiB", "broadcast/flat", false, 256,
                   65536);
    bench_executor(&results, "broadcast/flat on data, 64 x 1 MiB", "broadcast/flat", false, 64,
                   1 << 20);
    bench_executor(&results, "reduce/flat on data, 256 x 64 KiB", "reduce/flat", true, 256, 65536);
    bench_executor(&results, "reduce/flat on data, 64 x 1 MiB", "reduce/flat", true, 64, 1 << 20);
    bench_expansions(&results);
    bench_bounds(&results);
    write_results(&results);
    return 0;
}
