/* Schedules in which all ranks behave alike, costed from a few ranks and from all: the costs must
   be the same, but for the rounding of sums: equal port steps are added one by one or multiplied by
   their number. Algorithms of the library and random programs, some of whose steps
   turn with the ranks and some do not, on networks that turn and that do not, under any rules. The
   costs of all ranks are those of a trace, which routes each message and asks each link for its
   load, while others know routes and look for the slowest paths alone. So with stages along the
   dimensions of a network, whose blocks are followed dimension by dimension, and with those that
   other sequences have in common.

   usage: rotations [CASES [FIRST]] */
#include "world.h"

#include "../same_steps.h"

#include "base/random.h"
#include "cost/derive_memo.h"
#include "model/use.h"
#include "sched/expander.h"
#include "sched/grid_ownership.h"
#include "sched/rotation.h"
#include "sched/runs.h"
#include "verify/verify.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CASES = 2400 };

typedef struct {
    int64_t cases, turned, in_layers, by_dimension, costed, wrong;
    int64_t reversed, wrongly_reversed, shared, overlapped, wrongly_shared, in_runs, named,
        wrong_runs;
} Tally;

static const char *pick(World *world, const char *const *words, size_t count)
{
    return words[below(world, count)];
}
#define PICK(world, ...)                                                                           \
    pick((world), (const char *const[]){__VA_ARGS__},                                              \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* An expression for a rank; the first ones turn with r, some of the others by pairs of ranks. */
static const char *random_rank(World *world, int depth)
{
    Arena *arena = world->arena;
    const char *shift = PICK(world, "1", "i", "2^i", "2 * i + 1", "(p - 1)", "v", "3");
    switch (below(world, 2) ? below(world, 5) : below(world, depth > 0 ? 10 : 7)) {
    case 0:
    case 1:
        return arena_printf(arena, "(r + %s) mod p", shift);
    case 2:
        return arena_printf(arena, "(r - %s) mod p", shift);
    case 3:
        return arena_printf(arena, "(r + %s * (1 - 2 * (r mod 2))) mod p", shift);
    case 4:
        return arena_printf(arena, "(2 * (r div 2) + 1 - r mod 2 + 2 * (%s)) mod p", shift);
    case 5:
        return PICK(world, "when(power_of_two(p), r xor (2 * i + 1) mod p, p - 1 - r)",
                    "when(power_of_two(p), r xor 2^i mod p, p - 1 - r)", "r xor 1", "p - 1 - r",
                    "(-r) mod p", "(2 * r) mod p", "min(r, p - 2)");
    case 6:
        return PICK(world, "r", "when(p mod 2 == 0, (r + 2) mod p, (r + 1) mod p)",
                    "(r + r mod 2) mod p");
    case 7:
        return arena_printf(arena, "(%s + %s) mod p", random_rank(world, 0), shift);
    case 8:
        return arena_printf(arena, "when(%s, %s, %s)",
                            PICK(world, "bit(i, 0)", "r mod 2 == 0", "r < 2", "p > 3", "v == 1"),
                            random_rank(world, 0), random_rank(world, 0));
    default:
        return arena_printf(arena, "(%s - %s + r) mod p", random_rank(world, 0),
                            random_rank(world, 0));
    }
}

static const char *random_condition(World *world)
{
    switch (below(world, 8)) {
    case 0:
        return arena_printf(world->arena, "%s == %s", random_rank(world, 0), random_rank(world, 0));
    case 1:
        return arena_printf(world->arena, "%s < p - 1", random_rank(world, 0));
    default:
        return PICK(world, "r mod 2 == 0", "bit(i, 0)", "p > i", "r >= 0 and r < p", "r > 0",
                    "r < p - 1", "v > 0 or r mod 2 == 1", "not (v == 2)");
    }
}

/* The blocks of one step, for a collective whose blocks have so many indices. */
static const char *random_set(World *world, int indices)
{
    Arena *arena = world->arena;
    const char *a = random_rank(world, 1), *b = random_rank(world, 1), *end;
    if (indices && below(world, 6) == 0)
        return "all";
    end = PICK(world, "1", "i", "p - 1", "r mod 2", "min(i, p - 1)");
    if (indices == 2)
        return below(world, 2)
                   ? arena_printf(arena, "(%s, %s)", a, b)
                   : arena_printf(arena, "(%s, (r + j) mod p) for j in 0 .. %s", a, end);
    if (indices == 0)
        return PICK(world, "0", "0 .. k - 1", "i mod k", "r mod k");
    switch (below(world, 4)) {
    case 0:
        return arena_printf(arena, "(r + j) mod p for j in 0 .. %s if %s", end,
                            PICK(world, "bit(j, 0)", "j != r", "j > i or p > 3"));
    case 1:
        return PICK(world, "r .. min(r + 1, p - 1)", "0 .. p - 1", "0 .. r", "i mod p .. p - 1");
    default:
        return a;
    }
}

static const char *random_step(World *world, int indices, const char *verb)
{
    Arena *arena = world->arena;
    const char *condition =
        below(world, 4) ? "" : arena_printf(arena, "\n        if: %s", random_condition(world));
    return arena_printf(arena, "      - %s: %s\n        to: %s%s\n", verb,
                        random_set(world, indices), random_rank(world, 1), condition);
}

static const Algorithm *find_drawn(World *world, const char *text, const char *collective,
                                   const char *name)
{
    Diag silent = diag_silent();
    const Source *source = source_from_text(world->arena, "drawn.yaml", text, strlen(text));
    const char *full = arena_printf(world->arena, "%s/%s", collective, name);
    if (!library_add_source(world->library, source, &silent))
        return NULL;
    return library_algorithm(world->library, source_argument(world->arena, "drawn", full), &silent);
}

static const Algorithm *random_program(World *world, uint64_t number)
{
    static const char *const collectives[] = {"allgather", "reduce-scatter", "alltoall",
                                              "allreduce"};
    static const int indices[] = {1, 1, 2, 0};
    Arena *arena = world->arena;
    int c = (int)below(world, 4);
    const char *name = arena_printf(arena, "drawn-%llu", (unsigned long long)number);
    const char *text = arena_printf(
        arena,
        "algorithm: %s\ncollective: %s\n%slet:\n  v: %s\nschedule:\n  "
        "- repeat: i in %s\n    steps:\n",
        name, collectives[c], c == 3 ? "chunks: k\n" : "",
        PICK(world, "p mod 3", "r mod 2", "r div 2", "12 div (r - 5)", "p div (r mod 2)"),
        PICK(world, "0 .. 2", "1 .. p - 1", "clog2(p) down to 0"));
    for (uint64_t n = below(world, 3) + 1; n > 0; n--)
        text = arena_printf(arena, "%s%s", text,
                            random_step(world, indices[c],
                                        c == 1 || c == 3 ? PICK(world, "reduce", "send", "exchange")
                                                         : PICK(world, "send", "send", "move")));
    return find_drawn(world, text, collectives[c], name);
}

/* A message to a rank further up or down a row, of those for which there is one. */
static const char *random_row_step(World *world, int indices, const char *verb)
{
    Arena *arena = world->arena;
    const char *to, *exists, *more;
    switch (below(world, 7)) {
    case 0:
        to = "r + 1", exists = "r + 1 < p";
        break;
    case 1:
        to = "r - 1", exists = "r > 0";
        break;
    case 5:
        to = "r + 3", exists = "r + 3 < p";
        break;
    case 6:
        to = "r - 2", exists = "r >= 2";
        break;
    case 2:
        to = arena_printf(arena, "(r + %s) mod p", PICK(world, "i", "2^i", "1", "(p - i)"));
        exists = "p > 1";
        break;
    case 3:
        to = PICK(world, "r + i", "r + 2^i", "v + 2^i", "r + max(2 * i - 3, 1)");
        exists = arena_printf(arena, "%s < p", to);
        break;
    default:
        to = arena_printf(arena, "r xor %s", PICK(world, "i", "1", "2^i"));
        exists = arena_printf(arena, "%s < p", to);
    }
    more = PICK(world, "", "", " and r >= i - 1", " and r + i <= p", " and r <= i", " and r <= i",
                " and r >= i", " and r mod 2 == 0", " and v mod 2^(i + 1) == 0",
                " and (r - i) mod 3 == 1", " and v < i", " and r != i", " and (r == i or r > 2)",
                " and bit(r, i mod 4) == 0", " and not (r div 2 == 1)", " and 0 <= i - r",
                " and v mod (i + 1) == i");
    static const char *const sets[3][6] = {
        {"0", "i mod k", "0 .. k - 1", "0 .. i mod k", "r mod k", "0"},
        {"r", "max(r - 1, 0) .. p - 1", "0 .. r", "r .. min(r + i, p - 1)", "i mod p",
         "t for t in p - 1 down to r"},
        {"(r, t) for t in r + 1 .. p - 1", "(i mod p, t) for t in 0 .. r - 1", "(r, (r + i) mod p)",
         "(t, s) for t in 0 .. min(i, p - 1) for s in r .. p - 1", "(min(i, p - 1), r)",
         "(r, 0 .. r)"}};
    return arena_printf(arena, "          - %s: %s\n            to: %s\n            if: %s%s\n",
                        verb, sets[indices][below(world, 6)], to, exists, more);
}

/* Ranks in a row, most of which do as their neighbours do. */
static const Algorithm *random_row(World *world, uint64_t number)
{
    static const char *const collectives[] = {"allgather", "broadcast", "alltoall",
                                              "reduce-scatter", "scan"};
    static const char *const duals[] = {"reduce-scatter", "reduce", "alltoall", "allgather"};
    static const int indices[] = {1, 0, 2, 1, 0};
    Arena *arena = world->arena;
    const int c = (int)below(world, 5);
    Diag silent = diag_silent();
    const char *known =
        PICK(world, "alltoall/pairwise-xor", "alltoall/pairwise-xor", "alltoall/pairwise-xor",
             "allgather/broadcasts", "alltoall/both-ways", "allgather/both-ways",
             "broadcast/binomial", "scan/allgather-combine", "reduce-scatter/both-ways");
    if (below(world, 4) == 0)
        return library_algorithm(world->library, source_argument(arena, "known", known), &silent);
    const char *name = arena_printf(arena, "row-%llu", (unsigned long long)number);
    const char *text =
        arena_printf(arena,
                     "algorithm: %s\ncollective: %s\n%sschedule:\n  - repeat: i in %s\n    let:\n  "
                     "    v: %s\n    "
                     "steps:\n      - round:\n",
                     name, collectives[c], indices[c] == 0 ? "chunks: k\n" : "",
                     PICK(world, "1 .. p - 1", "1 .. p - 1", "0 .. 3", "clog2(p) - 1 down to 0"),
                     PICK(world, "r", "(r - 1) mod p", "(r + i) mod p", "r xor 1",
                          "when(power_of_two(p), r xor i, r)", "r mod 4", "max(r - 2, 0)"));
    for (uint64_t n = below(world, 3) + 1; n > 0; n--)
        text = arena_printf(arena, "%s%s", text,
                            random_row_step(world, indices[c],
                                            c > 2 ? PICK(world, "reduce", "exchange", "send")
                                                  : PICK(world, "move", "send", "send")));
    const Algorithm *drawn = find_drawn(world, text, collectives[c], name);
    if (!drawn || c == 4 || below(world, 3))
        return drawn;
    const char *dual = arena_printf(arena, "%s-dual", name);
    text = arena_printf(arena, "algorithm: %s\ncollective: %s\ndual: %s/%s\n", dual, duals[c],
                        collectives[c], name);
    return find_drawn(world, text, duals[c], dual);
}

/* A coordinate of a rank of the grid, most of which go with the rank's own. */
static const char *random_coordinate(World *world, int dimension)
{
    static const char own[] = "xyz", sizes[] = "XYZ";
    const char c = own[dimension], n = sizes[dimension];
    Arena *arena = world->arena;
    switch (below(world, 8)) {
    case 0:
        return arena_printf(arena, "%c - 1 - %c", n, c);
    case 1:
        return arena_printf(arena, "(%c - i) mod %c", c, n);
    case 2:
        return arena_printf(arena, "(%c + when(e == %d, 1, 0)) mod %c", c, dimension, n);
    case 3:
        return arena_printf(arena, "(%c + 1 - 2 * s) mod %c", c, n);
    case 4:
        return arena_printf(arena, "when(e == %d, (%c + s) mod %c, %c)", dimension, c, n, c);
    default:
        return arena_printf(arena, "%c", c);
    }
}

/* Blocks of ranks beside this one, or of all along a dimension or two. */
static const char *random_layer_set(World *world)
{
    static const char sizes[] = "XYZ";
    Arena *arena = world->arena;
    const char *at[3], *loops = "", *first, *last;
    for (int x = 0; x < 3; x++) {
        at[x] = random_coordinate(world, x);
        if (below(world, 3))
            continue;
        first = PICK(world, "0", "0", at[x], at[x], "when(e < 2, 0, s)");
        last = strcmp(first, "0") ? first : arena_printf(arena, "%c - 1", sizes[x]);
        if (below(world, 6) == 0)
            last = below(world, 2) ? random_coordinate(world, x)
                                   : arena_printf(arena, "%c - 1", sizes[x]);
        at[x] = arena_printf(arena, "a%d", x);
        loops = arena_printf(arena, "%s for a%d in %s .. %s", loops, x, first, last);
    }
    return arena_printf(arena, "rank(%s, %s, %s)%s", at[0], at[1], at[2], loops);
}

/* Messages between ranks of the network's grid: layers of it, most of which do alike. */
static const Algorithm *random_layers(World *world, uint64_t number)
{
    Arena *arena = world->arena;
    Diag silent = diag_silent();
    const char *known = PICK(world, "allgather/two-way-torus", "reduce-scatter/two-way-torus",
                             "allreduce/two-way-torus", "allgather/swing-torus");
    const char *collective = PICK(world, "allgather", "reduce-scatter");
    if (below(world, 4) == 0)
        return library_algorithm(world->library, source_argument(arena, "known", known), &silent);
    const char *name = arena_printf(arena, "layers-%llu", (unsigned long long)number);
    const char *text = arena_printf(
        arena,
        "algorithm: %s\ncollective: %s\ngrid: network\nschedule:\n  - repeat: e in 0 .. %s\n"
        "    steps:\n      - repeat: i in %s\n        steps:\n",
        name, collective, PICK(world, "dims - 1", "2", "min(p, 9)"),
        PICK(world, "1 .. 2", "1 .. X", "1 .. Z", "1 .. max(X, Y, Z)"));
    for (uint64_t n = below(world, 2) + 1; n > 0; n--)
        text = arena_printf(
            arena, "%s          - %s: %s\n            to: rank(%s, %s, %s)\n%s            if: %s\n",
            text,
            strcmp(collective, "allgather") ? PICK(world, "reduce", "exchange")
                                            : PICK(world, "send", "move"),
            random_layer_set(world), random_coordinate(world, 0), random_coordinate(world, 1),
            random_coordinate(world, 2), "            for: [s in 0 .. 1]\n",
            PICK(world, "p > 1", "2 * i <= X", "s == 0 or i == 1", "x == 0", "e < 2", "z < 1",
                 "y mod 2 == 0"));
    return find_drawn(world, text, collective, name);
}

/* A grid of lines. */
static Shape random_grid(World *world, const Topology *topology, bool is_power)
{
    Shape shape;
    if (is_power)
        return topology_shape(topology, (int64_t)1 << (below(world, 7) + 1));
    shape = (Shape){.count = 2 + (int)below(world, 2), .p = 1};
    for (int i = 0; i < shape.count; i++) {
        shape.sizes[i] = (int64_t)below(world, 4) + 1 + (i == 0);
        if (i == 1 && below(world, 3) == 0) /* on few ranks of grids all are followed */
            shape.sizes[i] += 16;
        shape.p *= shape.sizes[i];
    }
    return shape;
}

/* Ranks whose coordinates move by themselves, or all as far up, on a grid of lines. */
static bool draw_on_grid(World *world, Case *drawn)
{
    const bool is_xor = below(world, 2), is_cube = is_xor && below(world, 4) == 0;
    const char *name = is_cube ? "hypercube" : PICK(world, "torus", "mesh");
    const char *algorithm = is_xor ? "alltoall/pairwise-xor"
                                   : PICK(world, "alltoall/pairwise", "alltoall/two-way-ring",
                                          "allreduce/ring", "alltoall/bruck");
    const Topology *topology = library_topology(world->library, text_of(world, name), &world->diag);
    const Shape shape = random_grid(world, topology, is_xor);
    const Ties ties = below(world, 2) ? TIES_PLUS : (Ties)below(world, TIES_COUNT);
    drawn->algorithm = library_algorithm(
        world->library, source_argument(world->arena, "drawn", algorithm), &world->diag);
    return drawn->algorithm &&
           network_create(world->arena, topology, &shape, ties, &drawn->network, &world->diag);
}

static bool random_world_network(World *world, bool is_power, Network *network)
{
    const char *name = PICK(world, "full", "ring", "torus", "torus", "cluster", "rails", "smp",
                            "fat-tree", "dragonfly", "hypercube", "mesh", "star", "uniring");
    int64_t p = is_power ? (int64_t)2 << below(world, 6) : (int64_t)below(world, 40) + 1;
    const Topology *topology = library_topology(world->library, text_of(world, name), &world->diag);
    while (!topology_has_shape(topology, p))
        p++;
    const Shape shape = topology_shape(topology, p);
    Ties ties = below(world, 2) ? TIES_PLUS : (Ties)below(world, TIES_COUNT);
    return network_create(world->arena, topology, &shape, ties, network, &world->diag);
}

/* What a stage of one line runs as: all ranks, or with other numbers. */
static const char *random_numbers(World *world)
{
    return PICK(world, "", "", " renumber p - 1 - r", " renumber when(2*r < p, 2*r, 2*(p - r) - 1)",
                " renumber (r + 1) mod p");
}

/* The sequence, or a dual of it. */
static const Algorithm *sequence_or_dual(World *world, const char *collective, const char *dual,
                                         const char *stages)
{
    const char *text = arena_printf(world->arena, "algorithm: drawn\ncollective: %s\nsequence:\n%s",
                                    collective, stages);
    const Algorithm *drawn = find_drawn(world, text, collective, "drawn");
    if (!drawn || below(world, 2))
        return drawn;
    text = arena_printf(world->arena, "algorithm: drawn-dual\ncollective: %s\ndual: %s/drawn\n",
                        dual, collective);
    return find_drawn(world, text, dual, "drawn-dual");
}

/* A collective, its dual, and stages. */
typedef const char *const StagePlan[5];

static StagePlan *random_plan(World *world)
{
    static StagePlan plans[] = {
        {"allreduce", "allreduce", "reduce-scatter", "allreduce", "allgather"},
        {"allreduce", "allreduce", "reduce", "allreduce", "broadcast"},
        {"broadcast", "reduce", "scatter", "broadcast", "allgather"},
        {"broadcast", "reduce", "scatter", "allgather"},
        {"broadcast", "reduce", "broadcast", "broadcast"},
        {"reduce", "broadcast", "reduce-scatter", "reduce", "gather"},
        {"allgather", "reduce-scatter", "allgather", "allgather", "broadcast"},
        {"reduce-scatter", "allgather", "reduce-scatter", "reduce-scatter"},
        {"alltoall", "alltoall", "alltoall", "alltoall"},
        {"scatter", "gather", "scatter", "scatter", "broadcast"},
        {"gather", "scatter", "gather", "gather"}};
    return &plans[below(world, sizeof plans / sizeof *plans)];
}

/* Stages along the dimensions of the network, or on all ranks, most of which make sense for the
   collective, of the first `most` algorithms and rings: each between two texts. NULL: there are no
   algorithms for one. */
static const char *random_stages(World *world, const Network *network, const char *const *plan,
                                 bool is_one_line, size_t most, const char *begin, const char *end)
{
    const char *stages = "";
    Diag silent = diag_silent();
    int count = (int)below(world, 3) + 1;
    for (int i = 0; i < count; i++) {
        AlgorithmArray all = {0};
        int stage = below(world, 4) ? i + 2 : (int)below(world, 3) + 2;
        const char *name = stage < 5 && plan[stage] ? plan[stage] : plan[2];
        const Collective *collective =
            library_collective(world->library, text_of(world, name), &silent);
        if (!library_algorithms(world->library, collective, &all, &silent))
            return NULL;
        if (all.count > most)
            all.count = most;
        stages = arena_printf(
            world->arena, "%s%s%s/%s%s%s%s%s", stages, i || *end ? begin : "", name,
            below(world, 4) ? all.items[below(world, all.count)]->head.name : "ring",
            is_one_line ? "" : " along ",
            is_one_line ? "" : network->shape.names[below(world, (uint64_t)network->shape.count)],
            is_one_line || below(world, 4) == 0 ? random_numbers(world) : "", end);
    }
    return stages;
}

static bool same_sum(double a, double b)
{
    return fabs(a - b) <= 1e-14 * fabs(a);
}

static bool same_costs(World *world, const Profile *few, const Profile *all, Case *drawn)
{
    for (int i = 0; i < 4; i++) {
        CostParts a = profile_cost(few, drawn->link_costs, drawn->bytes);
        CostParts b = profile_cost(all, drawn->link_costs, drawn->bytes);
        if (!same_sum(a.startup, b.startup) || !same_sum(a.hop, b.hop) ||
            !same_sum(a.transfer, b.transfer) || !same_sum(a.compute, b.compute))
            return false;
        random_machine(world, drawn);
    }
    return few->startups == all->startups && few->transfers == all->transfers &&
           few->moved == all->moved && few->combined == all->combined &&
           few->peak_blocks == all->peak_blocks && few->peak_total == all->peak_total &&
           few->has_spare_ports == all->has_spare_ports;
}

/* A trace looks at all ranks. */
static void ignore_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    (void)context, (void)costed, (void)round;
}

/* What is visited, port step by port step, as one number each, in any order. */
typedef struct {
    Arena *arena;
    IntArray marks;
} Visits;

static int64_t *mark_of(Visits *visits, const CostedPortStep *step)
{
    const size_t place = (size_t)step->number;
    while (visits->marks.count <= place)
        *ARRAY_PUSH(visits->arena, &visits->marks) = 0;
    return &visits->marks.items[place];
}

static void mark_transfer(void *context, const CostedTransfer *costed, const Round *round)
{
    Visits *visits = context;
    const ScheduledTransfer *transfer = costed->transfer;
    const int64_t parts[] = {transfer->from,      transfer->to,
                             costed->size,        costed->hops,
                             costed->load_blocks, costed->load_messages,
                             costed->step->hops,  (int64_t)costed->path_count};
    (void)round;
    if (transfer_is_local(transfer))
        return;
    uint64_t mark = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mark = random_hash(mark ^ (uint64_t)parts[i]);
    int64_t *all = mark_of(visits, costed->step);
    *all = (int64_t)((uint64_t)*all + mark);
}

/* Port steps are visited alike where blocks need not be named. */
static bool same_visits(World *world, const Case *drawn)
{
    Visits each = {.arena = world->arena}, some = {.arena = world->arena};
    const TraceVisitor visits_each = {.transfer = mark_transfer, .context = &each};
    const TraceVisitor visits_some = {
        .transfer = mark_transfer, .context = &some, .sizes_only = true};
    Profile profile;
    Diag silent = diag_silent();
    if (!profile_trace(world->arena, &drawn->instance, &drawn->network, &drawn->rules, &visits_each,
                       &profile, &silent))
        return true;
    return profile_trace(world->arena, &drawn->instance, &drawn->network, &drawn->rules,
                         &visits_some, &profile, &silent) &&
           each.marks.count == some.marks.count &&
           (each.marks.count == 0 || memcmp(each.marks.items, some.marks.items,
                                            each.marks.count * sizeof *each.marks.items) == 0);
}

/* All ranks reduce-scatter and allgather below switches that copy and combine. */
static bool draw_halves(World *world, Case *drawn)
{
    static const char *const halves[] = {"ucc-linear", "broadcasts", "both-ways", "two-way-ring"};
    const char *text =
        arena_printf(world->arena,
                     "algorithm: drawn\ncollective: allreduce\nsequence:\n"
                     "  - reduce-scatter/%s\n  - allgather/%s\n",
                     PICK(world, "two-way-ring", "both-ways", "ring"), halves[below(world, 4)]);
    drawn->algorithm = find_drawn(world, text, "allreduce", "drawn");
    return drawn->algorithm && make_network(world, PICK(world, "cluster", "fat-tree"),
                                            2 * (int64_t)below(world, 20) + 4, &drawn->network);
}

static void merge_all(Case *drawn)
{
    drawn->rules.switching = SWITCHING_CUT_THROUGH;
    drawn->rules.combining = COMBINING_AFTER;
    for (int i = 0; i < drawn->rules.level_count; i++)
        for (int x = 0; x < MERGING_COUNT; x++)
            drawn->levels[i].merges[x] = true;
}

static bool draw(World *world, uint64_t number, Case *drawn)
{
    const bool is_on_grid = number % 8 == 0, is_halved = number % 16 == 9;
    const bool is_staged = number % 8 == 1 && !is_halved;
    const bool is_power = number % 4 == 2 && below(world, 2);
    if (is_staged && random_world_network(world, is_power, &drawn->network)) {
        const char *const *plan = *random_plan(world);
        const char *stages = random_stages(world, &drawn->network, plan, below(world, 3) == 0,
                                           SIZE_MAX, "  - \"", "\"\n");
        drawn->algorithm = stages ? sequence_or_dual(world, plan[0], plan[1], stages) : NULL;
    }
    if (is_staged && !drawn->algorithm)
        return false;
    if (is_halved && !draw_halves(world, drawn))
        return false;
    if (!is_on_grid && !is_staged && !is_halved)
        drawn->algorithm = number % 4 == 2   ? random_row(world, number)
                           : number % 8 == 3 ? random_layers(world, number)
                           : below(world, 3) ? random_program(world, number)
                                             : random_algorithm(world);
    if (is_on_grid
            ? !draw_on_grid(world, drawn)
            : !is_staged && !is_halved &&
                  (!drawn->algorithm || !random_world_network(world, is_power, &drawn->network)))
        return false;
    Diag silent = diag_silent();
    drawn->instance = (Instance){.algorithm = drawn->algorithm,
                                 .p = drawn->network.p,
                                 .root = (int64_t)below(world, (uint64_t)drawn->network.p),
                                 .k = (int64_t)below(world, 4) + 1,
                                 .ports = (int64_t)below(world, 3) + 1,
                                 .shape = &drawn->network.shape};
    random_machine(world, drawn);
    set_rules(drawn);
    if (number % 4 != 2 || below(world, 4) == 0)
        random_rules(world, drawn);
    if (is_halved)
        merge_all(drawn);
    drawn->rules.asynchronous = false;
    if (drawn->rules.combining == COMBINING_OVERLAP)
        drawn->rules.combining = COMBINING_AFTER;
    return schedule_allows(drawn->algorithm, &drawn->network.shape, drawn->instance.ports, NULL,
                           &silent);
}

typedef struct {
    const RoundArray *rounds; /* NULL: the program is wrong somewhere */
    size_t left;
    bool good;
} Reversal;

/* The last of the rounds that are left. */
static bool compare_round(void *context, const Round *round, Arena *arena)
{
    Reversal *reversal = context;
    (void)arena;
    if (!reversal->rounds)
        return true;
    if (reversal->left == 0)
        return reversal->good = false;
    const Round *other = &reversal->rounds->items[--reversal->left];
    size_t blocks = 0;
    reversal->good = round->count == other->count && !round->destination == !other->destination;
    for (size_t t = 0; t < round->count && reversal->good; t++) {
        const ScheduledTransfer *a = &round->transfers[t], *b = &other->transfers[t];
        reversal->good = a->from == b->from && a->to == b->to && a->verb == b->verb &&
                         a->block_count == b->block_count && a->first_block == b->first_block;
        blocks += a->block_count;
    }
    reversal->good = reversal->good &&
                     memcmp(round->blocks, other->blocks, blocks * sizeof *round->blocks) == 0 &&
                     (!round->destination || memcmp(round->destination, other->destination,
                                                    blocks * sizeof *round->destination) == 0);
    return reversal->good;
}

/* A program whose rounds do not depend on one another, run from its end. */
static void reverse_case(World *world, const Case *drawn, uint64_t number, Tally *tally)
{
    RoundArray rounds = {0};
    Diag silent = diag_silent();
    int64_t work = 0;
    if (!expander_may_go_back(drawn->algorithm))
        return;
    bool should = expander_collect(world->arena, &drawn->instance, &(RoundsWanted){0},
                                   &(int64_t){0}, &rounds, &silent);
    Reversal reversal = {should ? &rounds : NULL, rounds.count, true};
    const RoundsWanted whole = {.visit = compare_round, .context = &reversal};
    bool does = expander_expand_backwards(&drawn->instance, &whole, &work, &silent);
    tally->reversed += should;
    if (reversal.good && does == should && (!does || reversal.left == 0))
        return;
    tally->wrongly_reversed++;
    printf("# case %llu differs backwards:\n", (unsigned long long)number);
    describe(drawn);
}

/* Which port steps are merged depends on the addresses of shares. */
static bool has_shares(const Profile *profile)
{
    for (size_t i = 0; i < profile->path_count; i++)
        if (profile->paths[i].shares)
            return true;
    return false;
}

static bool same_profile(const Profile *a, const Profile *b)
{
    return are_same_steps(a, b) && a->path_count == b->path_count && a->startups == b->startups &&
           a->transfers == b->transfers && a->moved == b->moved && a->combined == b->combined &&
           a->peak_blocks == b->peak_blocks && a->peak_total == b->peak_total &&
           a->has_spare_ports == b->has_spare_ports;
}

/* Sequences of stages that may be the same: each costs what it does by itself, where those before
   have told what stages do; with stages that overlap, too, which are followed without what ranks
   hold. */
static void share_stages(World *world, const Case *drawn, uint64_t number, Tally *tally)
{
    enum { SEQUENCES = 16 };
    const char *const *plan = *random_plan(world);
    const bool is_one_line = below(world, 3) == 0;
    const size_t most = below(world, 2) ? 3 : SIZE_MAX;
    const int64_t ports = (int64_t)below(world, 3) + 1;
    Diag silent = diag_silent();
    const Resolver resolver = library_resolver(world->library, world->arena, &silent);
    PortStepMemo *memo = memo_create(world->arena);
    memo_keep_stages(memo);
    for (int i = 0; i < SEQUENCES; i++) {
        Profile alone, shared;
        Instance instance = drawn->instance;
        if (below(world, 4) == 0)
            instance.root = (int64_t)below(world, (uint64_t)instance.p);
        const bool overlaps = below(world, 4) == 0;
        instance.k = overlaps ? (int64_t)below(world, 5) + 2 : instance.k;
        instance.ports = ports;
        const char *stages =
            random_stages(world, &drawn->network, plan, is_one_line, most, ", ", "");
        const char *text = arena_printf(world->arena, "%s:%s %s", plan[0],
                                        overlaps ? " pipelined" : "", stages ? stages : "");
        instance.algorithm = sequence_typed(&resolver, text_of(world, text));
        if (!instance.algorithm || !schedule_allows(instance.algorithm, &drawn->network.shape,
                                                    instance.ports, NULL, &silent))
            continue;
        bool should = profile_derive(world->arena, &instance, &drawn->network, &drawn->rules,
                                     &alone, &silent);
        bool does = profile_derive_with(world->arena, memo, &instance, &drawn->network,
                                        &drawn->rules, !overlaps, &shared, &silent);
        tally->shared += should;
        tally->overlapped += should && overlaps;
        if (does && overlaps && shared.peak_blocks == -1)
            shared.peak_blocks = alone.peak_blocks, shared.peak_total = alone.peak_total;
        Case other = *drawn;
        if (does == should &&
            (!does || (has_shares(&alone) ? same_costs(world, &shared, &alone, &other)
                                          : same_profile(&alone, &shared))))
            continue;
        tally->wrongly_shared++;
        printf("# case %llu differs with stages of others: %s\n", (unsigned long long)number, text);
        describe(drawn);
    }
}

typedef struct {
    Arena *arena;
    RoundArray rounds;
} RunRounds;

/* A round of runs, message by message. */
static bool list_runs(void *context, const MessageRun *runs, size_t count, Arena *arena)
{
    RunRounds *listed = context;
    size_t messages = 0, t = 0;
    (void)arena;
    for (size_t i = 0; i < count; i++)
        messages += (size_t)runs[i].from.count;
    ScheduledTransfer *transfers = ARENA_ARRAY(listed->arena, ScheduledTransfer, messages);
    int64_t *blocks = ARENA_ARRAY(listed->arena, int64_t, messages);
    int64_t *goals = ARENA_ARRAY(listed->arena, int64_t, messages);
    for (size_t i = 0; i < count; i++)
        for (int64_t n = 0; n < runs[i].from.count; n++, t++) {
            blocks[t] = runs[i].block + n * runs[i].block_step;
            goals[t] = runs[i].goal + n * runs[i].goal_step;
            transfers[t] =
                (ScheduledTransfer){.from = (int32_t)run_sender(&runs[i], n),
                                    .to = (int32_t)run_receiver(&runs[i], n),
                                    .verb = runs[i].verb,
                                    .first_block = t,
                                    .block_count = (uint32_t)(runs[i].blocks + n * runs[i].slope)};
        }
    *ARRAY_PUSH(listed->arena, &listed->rounds) =
        (Round){.count = messages, .transfers = transfers, .blocks = blocks, .destination = goals};
    return true;
}

/* The same messages, in the same order: those between different ranks, or, with named blocks, all.
 */
static bool same_messages(const Round *listed, const Round *round, bool named)
{
    size_t count = 0;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *theirs = &round->transfers[t];
        if (!named && transfer_is_local(theirs))
            continue;
        if (count == listed->count)
            return false;
        const ScheduledTransfer *own = &listed->transfers[count++];
        if (own->from != theirs->from || own->to != theirs->to || own->verb != theirs->verb ||
            own->block_count != theirs->block_count)
            return false;
        if (named && (listed->blocks[own->first_block] != round->blocks[theirs->first_block] ||
                      listed->destination[own->first_block] !=
                          round_destination(round, theirs->first_block)))
            return false;
    }
    return count == listed->count;
}

/* Are the rounds that are runs those of an expansion? */
static bool same_rounds(World *world, const Case *drawn, bool named, bool *in_runs)
{
    RunRounds listed = {.arena = world->arena};
    RoundArray rounds = {0};
    Diag silent = diag_silent();
    size_t filled = 0;
    Span too_large = NOWHERE;
    *in_runs = runs_expand(&drawn->instance, named, list_runs, &listed, &too_large);
    if (!*in_runs)
        return true;
    if (!expander_collect(world->arena, &drawn->instance, &(RoundsWanted){0}, &(int64_t){0},
                          &rounds, &silent))
        return false;
    for (size_t i = 0; i < rounds.count; i++) {
        bool any = named;
        for (size_t t = 0; t < rounds.items[i].count; t++)
            any |= !transfer_is_local(&rounds.items[i].transfers[t]);
        if (any && (filled == listed.rounds.count ||
                    !same_messages(&listed.rounds.items[filled], &rounds.items[i], named)))
            return false;
        filled += any;
    }
    return filled == listed.rounds.count;
}

/* Where a schedule is right, what ranks combine may follow from counts (cost/fewest_combines.h). */
static bool may_be_counted(World *world, const Instance *instance)
{
    Diag silent = diag_silent();
    return !instance->algorithm->combines || verify_schedule(world->arena, instance, &silent).right;
}

/* Rounds that are runs are those of an expansion, and cost the same. */
static void check_runs(World *world, const Case *drawn, const Profile *all, uint64_t number,
                       Tally *tally)
{
    Diag silent = diag_silent();
    Profile few;
    Case other = *drawn;
    bool in_runs, has_names;
    bool good = same_rounds(world, drawn, false, &in_runs);
    good = same_rounds(world, drawn, true, &has_names) && good;
    tally->in_runs += in_runs;
    tally->named += has_names;
    PortStepMemo *memo = memo_create(world->arena);
    good = good && profile_derive_with(world->arena, memo, &drawn->instance, &drawn->network,
                                       &drawn->rules, false, &few, &silent);
    few.peak_blocks = all->peak_blocks, few.peak_total = all->peak_total;
    if (good && (same_costs(world, &few, all, &other) || !may_be_counted(world, &drawn->instance)))
        return;
    tally->wrong_runs++;
    printf("# case %llu differs in runs:\n", (unsigned long long)number);
    describe(drawn);
}

static void run_case(World *world, uint64_t number, Tally *tally)
{
    Case drawn = {0};
    Profile few, all;
    Rotation rotation;
    GridOwnership grid;
    Diag silent = diag_silent();
    const TraceVisitor visitor = {.transfer = ignore_transfer};
    tally->cases++;
    if (!draw(world, number, &drawn))
        return;
    /* a trace has streams round by round, their costs have chains */
    if (drawn.instance.algorithm->streams || drawn.rules.posting == POSTING_STREAMED)
        return;
    reverse_case(world, &drawn, number, tally);
    if (number % 8 == 1)
        share_stages(world, &drawn, number, tally);
    const bool turns = rotation_find(&drawn.instance, &rotation);
    tally->turned += turns;
    tally->in_layers += turns && rotation.by > 2;
    tally->by_dimension +=
        grid_ownership_create(world->arena, &drawn.instance, NULL, &grid, &silent);
    bool does =
        profile_derive(world->arena, &drawn.instance, &drawn.network, &drawn.rules, &few, &silent);
    bool should = profile_trace(world->arena, &drawn.instance, &drawn.network, &drawn.rules,
                                &visitor, &all, &silent);
    tally->costed += should;
    const bool alike = same_visits(world, &drawn);
    if (should)
        check_runs(world, &drawn, &all, number, tally);
    if (alike && does == should && (!does || same_costs(world, &few, &all, &drawn)))
        return;
    tally->wrong++;
    printf("# case %llu differs:\n", (unsigned long long)number);
    describe(&drawn);
}

int main(int count, char **arguments)
{
    Results results = {0};
    Tally tally = {0};
    CaseRange range = read_range(count, arguments, DEFAULT_CASES);
    gsl_set_error_handler_off();
    for (uint64_t n = range.first; n < range.first + range.cases; n++) {
        World world = world_open(n + 1);
        run_case(&world, n, &tally);
        world_close(&world);
    }
    printf("# %lld cases, %lld reversed, %lld costed, %lld from a few ranks, %lld of them in "
           "layers, %lld by dimension, %lld with stages of others, %lld of these "
           "pipelined\n",
           (long long)tally.cases, (long long)tally.reversed, (long long)tally.costed,
           (long long)tally.turned, (long long)tally.in_layers, (long long)tally.by_dimension,
           (long long)tally.shared, (long long)tally.overlapped);
    result(&results, tally.wrong == 0, "a few ranks that stand for all cost what all do");
    printf("# %lld in runs of messages, %lld with named blocks\n", (long long)tally.in_runs,
           (long long)tally.named);
    result(&results, tally.wrong_runs == 0,
           "runs of messages are those of all ranks, and cost the same");
    result(&results, range.cases < 100 || tally.in_runs * 12 > tally.cases, "many rounds are runs");
    result(&results, range.cases < 100 || tally.named * 24 > tally.cases,
           "many of these have messages of one block each");
    result(&results, tally.wrongly_shared == 0, "stages of other sequences cost the same");
    result(&results, tally.wrongly_reversed == 0, "programs run backwards have the same rounds");
    result(&results, range.cases < 100 || tally.reversed * 8 > tally.cases,
           "many programs can be run backwards");
    result(&results,
           range.cases < 100 || (tally.turned * 20 > tally.cases && tally.costed * 4 > tally.cases),
           "many schedules turn, and many have a cost");
    result(&results, range.cases < 100 || tally.in_layers * 80 > tally.cases,
           "many schedules turn layer by layer");
    result(&results, range.cases < 100 || tally.shared * 8 > tally.cases,
           "many sequences share their stages with others");
    result(&results, range.cases < 100 || tally.overlapped * 32 > tally.cases,
           "many of them are pipelined");
    result(&results, range.cases < 100 || tally.by_dimension * 40 > tally.cases,
           "many have stages that are followed dimension by dimension");
    return results_end(&results);
}
