#include "net/weighed.h"

#include "base/heap.h"

#include <math.h>
#include <string.h>

/* Weights are whole numbers, so that equal ways are equal: billionths of a billionth of a second
   for a byte. What nobody knows is taken as 100 GB/s. */
static const double unit = 1e-18, unknown_tw = 1e-11;
enum { MOST_WEIGHT_BITS = 38 };

const LinkWeights *weights_create(Arena *arena, const Topology *topology, int64_t ranks,
                                  const ClassTable *classes, const double *level_tw)
{
    LinkWeights *weights = ARENA_NEW(arena, LinkWeights);
    const double most = (double)((int64_t)1 << MOST_WEIGHT_BITS);
    weights->ranks = ranks;
    weights->weights = ARENA_ARRAY(arena, int64_t, classes->count);
    weights->held = ARENA_ARRAY(arena, bool, classes->count);
    for (size_t c = 0; c < classes->count; c++) {
        const LinkClass *class = &classes->items[c];
        const int level = topology_level(topology, class->level);
        double tw = class->tw >= 0 ? class->tw : level_tw ? level_tw[level] : 0;
        if (class->tw < 0 && !(tw > 0))
            tw = unknown_tw;
        const double weight = tw / unit < most ? tw / unit : most;
        weights->weights[c] = topology->is_by_rate ? 1 + (int64_t)weight : 1;
        weights->held[c] = topology->held >> level & 1;
    }
    return weights;
}

/* Nodes that can be reached: the nearest first, of several the lowest. */
static bool is_nearer(void *context, int32_t a, int32_t b)
{
    const int64_t *distances = context;
    return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
}

/* May a message for `to` go over this link to `next`, which sends it on over a link of class
   `onward`? */
static bool may_enter(const LinkWeights *weights, size_t class, int64_t next, int64_t to,
                      size_t onward)
{
    return next == to || next >= weights->ranks || !(weights->held[class] || weights->held[onward]);
}

/* The best way on from `at`, whose distance is known. */
static int64_t choose_next(const LinkWeights *weights, const Graph *graph, int64_t at, int64_t to,
                           const int64_t *distances, const int32_t *column, const uint16_t *onward)
{
    int64_t best = -1, count = 0;
    for (int turn = 0; turn < 2; turn++) {
        int64_t wanted = turn ? to % count : -1;
        for (int64_t i = graph->starts[at]; i < graph->starts[at + 1]; i++) {
            const int64_t next = graph->neighbours[i];
            if ((next != to && column[next] < 0) ||
                !may_enter(weights, graph->classes[i], next, to, onward[next]) ||
                distances[next] + weights->weights[graph->classes[i]] != distances[at])
                continue;
            count += !turn;
            if (turn && wanted-- == 0)
                best = i;
        }
        if (!count)
            return -1;
    }
    return best;
}

void weights_fill_column(const LinkWeights *weights, const Graph *graph, const Graph *reverse,
                         int64_t to, int32_t *column)
{
    Arena *scratch = arena_create(graph->workspace);
    const size_t nodes = (size_t)graph->nodes;
    int64_t *distances = ARENA_ROOM(scratch, int64_t, nodes);
    uint16_t *onward = ARENA_ARRAY(scratch, uint16_t, nodes);
    Heap heap = {
        .is_before = is_nearer, .context = distances, .places = heap_places(scratch, nodes)};
    for (size_t n = 0; n < nodes; n++)
        distances[n] = -1, column[n] = -1;
    distances[to] = 0;
    heap_set(scratch, &heap, (int32_t)to);
    for (int64_t at; (at = heap_take(&heap)) >= 0;) {
        if (at != to) {
            const int64_t link = choose_next(weights, graph, at, to, distances, column, onward);
            column[at] = (int32_t)graph->neighbours[link];
            onward[at] = graph->classes[link];
        }
        for (int64_t i = reverse->starts[at]; i < reverse->starts[at + 1]; i++) {
            const int64_t before = reverse->neighbours[i];
            const size_t class = graph->classes[graph_find(graph, before, at)];
            const int64_t distance = distances[at] + weights->weights[class];
            if (before == to || (distances[before] >= 0 && distances[before] <= distance) ||
                !may_enter(weights, class, at, to, onward[at]))
                continue;
            distances[before] = distance;
            heap_set(scratch, &heap, (int32_t)before);
        }
    }
    arena_destroy(scratch);
}

/* From node 0 down; where not all are reached, which is all that a tree could lack, it is none. */
const Branches *branches_create(Arena *arena, const Graph *graph)
{
    const size_t nodes = (size_t)graph->nodes;
    if (graph->starts[nodes] != 2 * (graph->nodes - 1))
        return NULL;
    Branches *branches = ARENA_NEW(arena, Branches);
    *branches = (Branches){ARENA_ROOM(arena, int32_t, nodes), ARENA_ARRAY(arena, int32_t, nodes),
                           ARENA_ARRAY(arena, int32_t, nodes)};
    Arena *scratch = arena_scratch(arena);
    int64_t *tried = ARENA_COPY(scratch, int64_t, graph->starts, nodes), entered = 1;
    int32_t at = 0;
    memset(branches->parents, -1, nodes * sizeof *branches->parents);
    while (at >= 0) {
        if (tried[at] == graph->starts[at + 1]) {
            branches->last[at] = (int32_t)entered - 1;
            at = branches->parents[at];
            continue;
        }
        const int32_t next = (int32_t)graph->neighbours[tried[at]++];
        if (next == branches->parents[at])
            continue;
        if (next == 0 || branches->parents[next] >= 0)
            break;
        branches->parents[next] = at;
        branches->first[next] = (int32_t)entered++;
        at = next;
    }
    arena_destroy(scratch);
    return at < 0 && entered == graph->nodes ? branches : NULL;
}

int64_t branches_next(const Branches *branches, const Graph *graph, int64_t at, int64_t to)
{
    const int32_t wanted = branches->first[to];
    if (wanted < branches->first[at] || wanted > branches->last[at])
        return branches->parents[at];
    /* neighbours below were entered in rising order */
    int64_t low = graph->starts[at], high = graph->starts[at + 1];
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2, node = graph->neighbours[middle];
        const bool is_parent = node == branches->parents[at];
        const int64_t tried = is_parent && middle + 1 < high ? graph->neighbours[middle + 1] : node;
        if (is_parent && middle + 1 == high)
            high = middle;
        else if (branches->first[tried] <= wanted)
            low = middle + (is_parent ? 1 : 0);
        else
            high = middle;
    }
    return graph->neighbours[low] != branches->parents[at] ? graph->neighbours[low]
                                                           : graph->neighbours[low + 1];
}
