#include "bound/demand.h"

#include "net/turn.h"

typedef struct {
    Arena *arena;
    const Demand *demand;
    const Network *network;
    Graph graph;
    const int64_t *lengths;     /* of each link; NULL: 1 */
    bool is_symmetric;          /* all ranks of the network are alike: distances are from rank 0 */
    int64_t room;               /* pairs that may still be looked at */
    int64_t *distances, *queue; /* of nodes */
    bool *waits;                /* in the queue */
    int64_t *starts;            /* of each block: the ranks that hold it after, in `receivers` */
    int64_t *receivers;         /* where all share their blocks: these ranks, for any block */
    int64_t most_receivers;     /* of a block that need be looked at */
    int64_t *reaching;          /* in a combination, of each rank: its farthest contributor */
    int64_t *farthest;
    RequiredPaths found;
} Measure;

static void list_receivers(Measure *measure)
{
    const Holding *after = &measure->demand->contract->after;
    size_t blocks = (size_t)measure->demand->kinds, listed = 0;
    int64_t count = after->is_shared ? after->holders : after->total;
    count = after->is_shared && count > measure->most_receivers ? measure->most_receivers : count;
    measure->receivers = ARENA_ROOM(measure->arena, int64_t, (size_t)count);
    for (int64_t r = after->from; after->is_shared && (int64_t)listed < count;)
        if (holding_count(after, r) > 0)
            measure->receivers[listed++] = r++;
        else
            r = holding_next(after, r);
    if (after->is_shared)
        return;
    measure->starts = ARENA_ARRAY(measure->arena, int64_t, blocks + 1);
    for (size_t b = 0; b < blocks; b++)
        measure->starts[b + 1] = measure->starts[b] + measure->demand->receivers[b];
    int64_t *next = ARENA_COPY(measure->arena, int64_t, measure->starts, blocks + 1);
    for (int64_t r = 0; r < after->p; r++)
        for (int64_t i = 0, held = holding_count(after, r); i < held; i++)
            measure->receivers[next[holding_block(after, r, i)]++] = r;
}

static void find_distances(Measure *measure, int64_t source)
{
    ArenaMark mark = arena_mark(measure->arena);
    if (measure->lengths)
        graph_weighed_distances(&measure->graph, measure->lengths, source, measure->distances,
                                measure->queue, measure->waits);
    else
        network_distances(measure->network, measure->arena, source, measure->distances);
    arena_release(measure->arena, mark);
    for (int64_t r = 0; r < measure->network->p; r++) {
        int64_t path = measure->distances[r];
        if (r != source && path >= 0 &&
            (measure->found.nearest < 0 || path < measure->found.nearest))
            measure->found.nearest = path;
    }
}

/* Its length; -1: there is none. Where all ranks are alike: as far as from rank 0 to the rank with
   the differences of their coordinates, round each dimension. */
static int64_t note_path(Measure *measure, int64_t from, int64_t to)
{
    const Shape *shape = &measure->network->shape;
    int64_t place = measure->is_symmetric && from != 0 ? 0 : to;
    for (int i = 0; i < shape->count && measure->is_symmetric && from != 0; i++) {
        int64_t step = shape_coordinate(shape, to, i) - shape_coordinate(shape, from, i);
        place += (step < 0 ? step + shape->sizes[i] : step) * shape_stride(shape, i);
    }
    const int64_t length = measure->network->starts ? measure->distances[place] : from != to;
    if (length < 0 && !measure->found.is_disconnected) {
        measure->found.is_disconnected = true;
        measure->found.disconnected_from = from, measure->found.disconnected_to = to;
    }
    if (length > measure->found.longest) {
        measure->found.longest = length;
        measure->found.from = from, measure->found.to = to;
    }
    return length;
}

/* The paths of the blocks that only rank `source` holds. */
static void measure_blocks(Measure *measure, int64_t source)
{
    const Demand *demand = measure->demand;
    const Holding *before = &demand->contract->before;
    for (int64_t i = 0, count = holding_count(before, source); i < count; i++) {
        int64_t block = holding_block(before, source, i), farthest = 0;
        const int64_t *receivers =
            measure->receivers + (measure->starts ? measure->starts[block] : 0);
        if (demand->holders[block] != 1)
            continue;
        for (int64_t j = 0; j < demand->receivers[block] && j < measure->most_receivers; j++) {
            int64_t length = note_path(measure, source, receivers[j]);
            farthest = length > farthest ? length : farthest;
        }
        measure->farthest[block] = farthest;
        measure->room -= demand->receivers[block];
    }
}

/* The paths of what rank `source` contributes. */
static void measure_contributions(Measure *measure, int64_t source)
{
    const Holding *after = &measure->demand->contract->after;
    int64_t listed = after->is_shared ? after->holders : after->p;
    for (int64_t i = 0; i < listed; i++) {
        int64_t t = after->is_shared ? measure->receivers[i] : i;
        if (holding_count(after, t) == 0 || !demand_combines(measure->demand, source, t))
            continue;
        int64_t length = note_path(measure, source, t);
        measure->reaching[t] = length > measure->reaching[t] ? length : measure->reaching[t];
    }
    measure->room -= listed;
}

static void measure_from(Measure *measure, int64_t source)
{
    if (measure->demand->is_exchange) {
        /* The path of the one block for each other rank. */
        for (int64_t t = 0; t < measure->network->p; t++) {
            int64_t length = note_path(measure, source, t);
            measure->found.unreached += length < 0;
            measure->farthest[0] += length > 0 ? length : 0;
        }
    } else if (measure->demand->contract->combines)
        measure_contributions(measure, source);
    else
        measure_blocks(measure, source);
}

/* From all ranks; where all results are for the same blocks, until no path can be longer. */
static bool measure_all(Measure *measure)
{
    const Contract *contract = measure->demand->contract;
    int64_t p = measure->network->p, most = INT64_MAX;
    if (measure->is_symmetric && contract->combines && contract->after.is_shared) {
        most = !measure->network->starts && p > 1;
        for (int64_t r = 0; r < p && measure->network->starts; r++)
            most = measure->distances[r] > most ? measure->distances[r] : most;
    }
    for (int64_t s = 0; s < p && measure->found.longest < most; s++) {
        if (!measure->is_symmetric)
            find_distances(measure, s);
        measure_from(measure, s);
        if (measure->room < 0)
            return false;
    }
    const Holding *after = &contract->after;
    int64_t all = 0;
    for (int64_t t = 0; t < after->p && contract->combines; t++)
        all = measure->reaching[t] > all ? measure->reaching[t] : all;
    for (int64_t t = after->from; t < after->to && contract->combines; t++)
        for (int64_t i = 0, count = holding_count(after, t); i < count; i++) {
            int64_t *farthest = &measure->farthest[holding_block(after, t, i)];
            int64_t reaching = after->is_shared ? all : measure->reaching[t];
            *farthest = reaching > *farthest ? reaching : *farthest;
        }
    return true;
}

static bool measure_paths(Measure *measure)
{
    const Demand *demand = measure->demand;
    const size_t p = (size_t)measure->network->p, nodes = (size_t)measure->network->node_count;
    const bool is_complete = !measure->network->starts;
    measure->distances = ARENA_ROOM(measure->arena, int64_t, is_complete ? 0 : nodes);
    measure->queue = ARENA_ROOM(measure->arena, int64_t, measure->lengths ? nodes : 0);
    measure->waits = ARENA_ARRAY(measure->arena, bool, measure->lengths ? nodes : 0);
    measure->reaching = ARENA_ARRAY(measure->arena, int64_t, demand->contract->combines ? p : 0);
    /* Where all are neighbours, one of two receivers is another rank, and none is farther away. */
    measure->most_receivers = is_complete && !demand->contract->combines ? 2 : INT64_MAX;
    if (!demand->is_exchange)
        list_receivers(measure);
    if (is_complete)
        measure->found.nearest = p > 1 ? 1 : -1;
    else if (measure->is_symmetric)
        find_distances(measure, 0);
    const bool alike = demand->is_exchange || demand_are_alike(demand, demand_form(demand));
    if (!measure->is_symmetric || !alike)
        return measure_all(measure);
    /* Where data of each rank must go equally far, rank 0 stands for all. */
    measure_from(measure, 0);
    const int64_t ranks = (int64_t)p;
    for (int64_t b = 0; b < demand->kinds && !demand->is_exchange; b++)
        measure->farthest[b] = demand->needed[b] > 0 ? measure->found.longest : 0;
    return !demand->is_exchange ||
           (!__builtin_mul_overflow(measure->farthest[0], ranks, &measure->farthest[0]) &&
            !__builtin_mul_overflow(measure->found.unreached, ranks, &measure->found.unreached));
}

RequiredPaths required_paths_measure(Arena *arena, const Demand *demand, const Network *network,
                                     const int64_t *lengths)
{
    const bool is_large = network->p > LIMIT_ITEMS / network->node_count;
    Measure measure = {
        .arena = arena_scratch(arena),
        .demand = demand,
        .network = network,
        .graph = {network->node_count, network->starts, network->neighbours, NULL,
                  arena_workspace(arena)},
        .lengths = lengths,
        .is_symmetric = network_is_symmetric(network),
        .room = is_large ? LIMIT_ITEMS : INT64_MAX,
        .found.nearest = -1,
    };
    measure.farthest = ARENA_ARRAY(arena, int64_t, (size_t)demand->kinds);
    const bool known = !(is_large && !measure.is_symmetric) && measure_paths(&measure);
    arena_destroy(measure.arena);
    if (!known)
        return (RequiredPaths){0};
    measure.found.known = true;
    measure.found.farthest = measure.farthest;
    measure.found.nearest = measure.found.nearest < 0 ? 0 : measure.found.nearest;
    return measure.found;
}
