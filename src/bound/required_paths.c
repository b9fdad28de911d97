#include "bound/required_paths.h"

#include "net/graph.h"

enum { MOST_DISTANCES = 1 << 24 };

typedef struct {
    Arena *arena;
    const Demand *demand;
    const Network *network;
    Graph graph;
    const int64_t *lengths; /* of each link; NULL: 1 */
    int64_t *distances, *queue;
    bool *waits;     /* in the queue */
    int64_t *starts; /* of each block: the ranks that hold it after, in `receivers` */
    int64_t *receivers;
    int64_t *reaching; /* in a combination, of each rank: its farthest contributor */
    int64_t *farthest, *nearest;
    RequiredPaths found;
} Measure;

static void list_receivers(Measure *measure)
{
    const Contract *contract = measure->demand->contract;
    size_t blocks = (size_t)contract->block_count;
    measure->starts = ARENA_ARRAY(measure->arena, int64_t, blocks + 1);
    measure->receivers =
        ARENA_ROOM(measure->arena, int64_t, (size_t)contract->after.starts[contract->p]);
    for (size_t b = 0; b < blocks; b++)
        measure->starts[b + 1] = measure->starts[b] + measure->demand->receivers[b];
    int64_t *next = ARENA_COPY(measure->arena, int64_t, measure->starts, blocks + 1);
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = contract->after.starts[r]; i < contract->after.starts[r + 1]; i++)
            measure->receivers[next[contract->after.blocks[i]]++] = r;
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
}

static void note_path(Measure *measure, int64_t from, int64_t to)
{
    if (measure->distances[to] > measure->found.longest) {
        measure->found.longest = measure->distances[to];
        measure->found.from = from, measure->found.to = to;
    }
}

/* The paths of the blocks that only rank `source` holds. */
static void measure_blocks(Measure *measure, int64_t source)
{
    const Demand *demand = measure->demand;
    const Holding *before = &demand->contract->before;
    for (int64_t i = before->starts[source]; i < before->starts[source + 1]; i++) {
        int64_t block = before->blocks[i];
        if (demand->holders[block] != 1)
            continue;
        for (int64_t j = measure->starts[block]; j < measure->starts[block + 1]; j++) {
            int64_t to = measure->receivers[j];
            note_path(measure, source, to);
            if (measure->distances[to] > measure->farthest[block])
                measure->farthest[block] = measure->distances[to];
        }
    }
}

/* The paths of what rank `source` contributes. */
static void measure_contributions(Measure *measure, int64_t source)
{
    const Contract *contract = measure->demand->contract;
    for (int64_t t = 0; t < contract->p; t++) {
        if (contract->after.starts[t] == contract->after.starts[t + 1] ||
            !demand_combines(measure->demand, source, t))
            continue;
        note_path(measure, source, t);
        if (measure->distances[t] > measure->reaching[t])
            measure->reaching[t] = measure->distances[t];
    }
}

static void measure_from(Measure *measure, int64_t source)
{
    find_distances(measure, source);
    for (int64_t r = 0; r < measure->network->p; r++) {
        int64_t path = measure->distances[r];
        if (r != source && path >= 0 && (measure->nearest[r] < 0 || path < measure->nearest[r]))
            measure->nearest[r] = path;
    }
    if (measure->demand->contract->combines)
        measure_contributions(measure, source);
    else
        measure_blocks(measure, source);
}

static void combine_farthest(Measure *measure)
{
    const Contract *contract = measure->demand->contract;
    for (int64_t t = 0; t < contract->p; t++)
        for (int64_t i = contract->after.starts[t]; i < contract->after.starts[t + 1]; i++) {
            int64_t *farthest = &measure->farthest[contract->after.blocks[i]];
            *farthest = measure->reaching[t] > *farthest ? measure->reaching[t] : *farthest;
        }
}

RequiredPaths required_paths_measure(Arena *arena, const Demand *demand, const Network *network,
                                     const int64_t *lengths)
{
    size_t nodes = (size_t)network->node_count, p = (size_t)network->p;
    Measure measure = {
        .arena = arena,
        .demand = demand,
        .network = network,
        .graph = {network->node_count, network->starts, network->neighbours, NULL},
        .lengths = lengths,
    };
    if (network->p > MOST_DISTANCES / network->node_count)
        return measure.found;
    measure.distances = ARENA_ROOM(arena, int64_t, nodes);
    measure.queue = ARENA_ROOM(arena, int64_t, nodes);
    measure.waits = ARENA_ARRAY(arena, bool, nodes);
    measure.reaching = ARENA_ARRAY(arena, int64_t, p);
    measure.farthest = ARENA_ARRAY(arena, int64_t, (size_t)demand->contract->block_count);
    measure.nearest = ARENA_ROOM(arena, int64_t, p);
    for (size_t r = 0; r < p; r++)
        measure.nearest[r] = -1;
    list_receivers(&measure);
    for (size_t r = 0; r < p; r++)
        measure_from(&measure, (int64_t)r);
    if (demand->contract->combines)
        combine_farthest(&measure);
    measure.found.known = true;
    measure.found.farthest = measure.farthest;
    measure.found.nearest = measure.nearest;
    return measure.found;
}
