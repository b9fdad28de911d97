#include "net/measure.h"

#include "base/whole.h"
#include "net/line.h"

/* Links looked at in the search for shortest paths; some seconds. */
static const int64_t most_work = (int64_t)1 << 31;

/* Of all ordered pairs of ranks in a line. */
typedef struct {
    bool connected;
    int64_t longest, sum;
} Distances;

static int64_t work_of(const Graph *graph, int64_t ranks)
{
    return ranks * (graph->nodes + graph->starts[graph->nodes]);
}

/* Do this rank and the one before it hang on the same node, and on no other? Then they are equally
   far from all others. */
static bool hangs_as_before(const Graph *graph, int64_t rank)
{
    if (rank == 0)
        return false;
    const int64_t *starts = graph->starts + rank - 1;
    if (starts[1] - starts[0] != 1 || starts[2] - starts[1] != 1)
        return false;
    const int64_t above = graph->neighbours[starts[0]];
    return graph->neighbours[starts[1]] == above && graph_find(graph, above, rank - 1) >= 0 &&
           graph_find(graph, above, rank) >= 0;
}

static Distances sum_distances(const Graph *graph, int64_t ranks)
{
    Arena *arena = arena_create(graph->workspace);
    int64_t *distances = ARENA_ROOM(arena, int64_t, (size_t)graph->nodes);
    int64_t *queue = ARENA_ROOM(arena, int64_t, (size_t)graph->nodes);
    Distances found = {.connected = true};
    int64_t sum = 0;
    for (int64_t s = 0; s < ranks; s++, found.sum += sum) {
        if (hangs_as_before(graph, s))
            continue;
        graph_distances(graph, s, distances, queue);
        sum = 0;
        for (int64_t r = 0; r < ranks; r++) {
            found.connected &= distances[r] >= 0;
            sum += distances[r];
            found.longest = distances[r] > found.longest ? distances[r] : found.longest;
        }
    }
    arena_destroy(arena);
    return found;
}

/* Distances in a grid are sums over its lines: each pair of coordinates in one of them stands for
   (p / n)^2 pairs of ranks. */
static void measure_distances(const Network *network, Measures *measures)
{
    const Router *router = network->router;
    int64_t p = network->p, pairs = p * (p - 1), work = 0;
    __int128 sum = 0;
    for (int i = 0; i < router->count; i++)
        work += work_of(&router->lines[i].graph, router->lines[i].names.p);
    if (work > most_work)
        return;
    measures->connected = true;
    for (int i = 0; i < router->count; i++) {
        int64_t ranks = router->lines[i].names.p;
        Distances line = sum_distances(&router->lines[i].graph, ranks);
        measures->connected &= line.connected;
        measures->diameter += line.longest;
        sum += (__int128)line.sum * (p / ranks) * (p / ranks);
    }
    measures->has_distances = sum <= INT64_MAX;
    int64_t divisor = whole_common_divisor((int64_t)sum, pairs);
    measures->numerator = divisor ? (int64_t)sum / divisor : 0;
    measures->denominator = divisor ? pairs / divisor : 1;
}

Measures network_measure(const Network *network)
{
    if (!network->router) {
        const int64_t p = network->p;
        Measures direct = {.least_degree = p - 1,
                           .most_degree = p - 1,
                           .has_distances = true,
                           .connected = true,
                           .diameter = p > 1,
                           .numerator = p > 1,
                           .denominator = 1};
        if (__builtin_mul_overflow(p, p - 1, &direct.links))
            direct.links = -1;
        return direct;
    }
    Measures measures = {.switches = network->node_count - network->p,
                         .links = network->starts[network->node_count],
                         .least_degree = INT64_MAX};
    for (int64_t r = 0; r < network->p; r++) {
        int64_t degree = network_degree(network, r);
        measures.least_degree = degree < measures.least_degree ? degree : measures.least_degree;
        measures.most_degree = degree > measures.most_degree ? degree : measures.most_degree;
    }
    measure_distances(network, &measures);
    return measures;
}

/* The farthest pair among the ends of a line that are allowed; -1: all are. */
static void find_on_line(const Graph *graph, int64_t ranks, int64_t *from, int64_t *to)
{
    Arena *arena = arena_create(graph->workspace);
    int64_t *distances = ARENA_ROOM(arena, int64_t, (size_t)graph->nodes);
    int64_t *queue = ARENA_ROOM(arena, int64_t, (size_t)graph->nodes);
    int64_t first = *from < 0 ? 0 : *from, last = *from < 0 ? ranks - 1 : *from;
    int64_t first_to = *to < 0 ? 0 : *to, last_to = *to < 0 ? ranks - 1 : *to;
    *from = first;
    *to = first_to;
    for (int64_t s = first, longest = 0; s <= last; s++) {
        graph_distances(graph, s, distances, queue);
        for (int64_t r = first_to; r <= last_to; r++)
            if (distances[r] > longest) {
                longest = distances[r];
                *from = s;
                *to = r;
            }
    }
    arena_destroy(arena);
}

bool network_farthest(const Network *network, int64_t *from, int64_t *to)
{
    const Router *router = network->router;
    int64_t work = 0;
    if (!router) { /* all others are equally far */
        int64_t other = network->p > 1;
        *from = *from >= 0 ? *from : *to == 0 ? other : 0;
        *to = *to >= 0 ? *to : *from == 0 ? other : 0;
        return true;
    }
    if (network->grouping) {
        const Graph graph = network_graph(network);
        work = work_of(&graph, *from < 0 ? network->p : 1);
        if (work <= most_work)
            find_on_line(&graph, network->p, from, to);
        return work <= most_work;
    }
    for (int i = 0; i < router->count; i++)
        work += work_of(&router->lines[i].graph, *from < 0 ? router->lines[i].names.p : 1);
    if (work > most_work)
        return false;
    /* Distances in a grid are sums over its lines, so each coordinate is as far as it can be. */
    int64_t start = 0, end = 0;
    for (int i = 0; i < router->count; i++) {
        const Line *line = &router->lines[i];
        int64_t ranks = line->names.p, stride = line->grid.stride;
        int64_t line_from = *from < 0 ? -1 : *from / stride % ranks;
        int64_t line_to = *to < 0 ? -1 : *to / stride % ranks;
        find_on_line(&line->graph, ranks, &line_from, &line_to);
        start += line_from * stride;
        end += line_to * stride;
    }
    *from = start;
    *to = end;
    return true;
}
