#include "bound/flow.h"
#include "base/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t distance, node;
} Reached;

struct TrafficRoom {
    int64_t *lengths, *next_in; /* of links */
    int64_t *distances, *queue; /* of nodes */
    bool *waits;
    Reached *order;    /* of nodes */
    int64_t *first_in; /* links of lightest paths into a node: a list, ended by -1 */
    double *amounts;   /* that come to a node or through it */
    double *loads;     /* of what has a weight */
};

/* False unless each block that must move has one holder and goes to one rank. */
static bool list_demands(const Demand *demand, int64_t *demands)
{
    const Contract *contract = demand->contract;
    const Holding *after = &contract->after;
    for (int64_t i = 0; i < contract->p * contract->p && demand->is_exchange; i++)
        demands[i] = i / contract->p != i % contract->p;
    if (demand->is_exchange)
        return true;
    for (int64_t t = 0; t < contract->p && !contract->combines; t++)
        for (int64_t i = 0, count = holding_count(after, t); i < count; i++) {
            int64_t block = holding_block(after, t, i), s = demand->holder[block];
            if (demand->needed[block] == 0 || s == t)
                continue;
            if (demand->holders[block] != 1 || demand->needed[block] != 1)
                return false;
            demands[s * contract->p + t]++;
        }
    return !contract->combines;
}

/* Every rank next to every other one. */
static Graph lay_out_all(Arena *arena, int64_t p)
{
    int64_t *starts = ARENA_ROOM(arena, int64_t, (size_t)p + 1), count = 0;
    int64_t *neighbours = ARENA_ROOM(arena, int64_t, (size_t)(p * (p - 1)));
    for (int64_t n = 0; n < p; n++) {
        starts[n] = count;
        for (int64_t other = 0; other < p; other++)
            if (other != n)
                neighbours[count++] = other;
    }
    starts[p] = count;
    return (Graph){p, starts, neighbours, NULL, arena_workspace(arena)};
}

/* Numbers what has a weight; the second direction of a half-duplex link has that of the first. */
static void number_places(const Bounder *bounder, Traffic *traffic)
{
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const Graph *graph = &traffic->graph;
    size_t links = (size_t)graph->starts[graph->nodes];
    int32_t *places = ARENA_ROOM(bounder->arena, int32_t, links);
    int64_t *capacities = ARENA_ROOM(bounder->arena, int64_t, links);
    bool half = bounder->rules->duplex == DUPLEX_HALF;
    for (int64_t n = 0; n < graph->nodes; n++)
        for (int64_t i = graph->starts[n]; i < graph->starts[n + 1]; i++) {
            const size_t arc = 2 * (size_t)traffic->p + (size_t)i;
            const int64_t shared = half ? capacity_graph_both(capacity_graph, arc) : 0;
            int64_t capacity = shared ? shared : capacity_graph->capacities[arc],
                    to = graph->neighbours[i];
            int64_t back = half && to < n ? graph_find(graph, to, n) : -1;
            places[i] = back >= 0                              ? places[back]
                        : capacity >= capacity_graph->infinite ? -1
                                                               : (int32_t)traffic->count;
            if (places[i] == (int32_t)traffic->count)
                capacities[traffic->count++] = capacity;
        }
    traffic->places = places, traffic->capacities = capacities;
}

static bool sends(const Traffic *traffic, int64_t source)
{
    for (int64_t t = 0; t < traffic->p; t++)
        if (traffic->demands[source * traffic->p + t] > 0)
            return true;
    return false;
}

bool traffic_open(const Bounder *bounder, Traffic *traffic)
{
    const Network *network = bounder->network;
    int64_t p = network->p;
    *traffic = (Traffic){.p = p};
    int64_t *demands = ARENA_ARRAY(bounder->arena, int64_t, (size_t)(p * p));
    if (!list_demands(&bounder->demand, demands))
        return false;
    traffic->demands = demands;
    traffic->graph = network->starts ? network_graph(network) : lay_out_all(bounder->arena, p);
    number_places(bounder, traffic);
    for (int64_t s = 0; s < p; s++)
        traffic->sender_count += sends(traffic, s);
    size_t nodes = (size_t)traffic->graph.nodes;
    size_t links = (size_t)traffic->graph.starts[nodes];
    struct TrafficRoom *room = ARENA_NEW(bounder->arena, struct TrafficRoom);
    *room = (struct TrafficRoom){.lengths = ARENA_ROOM(bounder->arena, int64_t, links),
                                 .next_in = ARENA_ROOM(bounder->arena, int64_t, links),
                                 .distances = ARENA_ROOM(bounder->arena, int64_t, nodes),
                                 .queue = ARENA_ROOM(bounder->arena, int64_t, nodes),
                                 .waits = ARENA_ARRAY(bounder->arena, bool, nodes),
                                 .order = ARENA_ROOM(bounder->arena, Reached, nodes),
                                 .first_in = ARENA_ROOM(bounder->arena, int64_t, nodes),
                                 .amounts = ARENA_ROOM(bounder->arena, double, nodes),
                                 .loads = ARENA_ROOM(bounder->arena, double, traffic->count)};
    traffic->room = room;
    return true;
}

static int compare_reached(const void *a, const void *b)
{
    int64_t left = ((const Reached *)a)->distance, right = ((const Reached *)b)->distance;
    return (left < right) - (left > right);
}

/* What comes to a node is split evenly among the links of lightest paths that lead there. */
static void spread(const Traffic *traffic, int64_t source)
{
    struct TrafficRoom *room = traffic->room;
    memset(room->loads, 0, traffic->count * sizeof *room->loads);
    for (int64_t n = 0; n < traffic->graph.nodes; n++)
        room->amounts[n] = n < traffic->p ? (double)traffic->demands[source * traffic->p + n] : 0;
    /* The links of lightest paths that lead into each node. */
    const Graph *graph = &traffic->graph;
    for (int64_t n = 0; n < graph->nodes; n++)
        room->first_in[n] = -1;
    for (int64_t n = 0; n < graph->nodes; n++)
        for (int64_t i = graph->starts[n]; i < graph->starts[n + 1] && room->distances[n] >= 0;
             i++) {
            int64_t to = graph->neighbours[i];
            if (room->distances[n] + room->lengths[i] != room->distances[to])
                continue;
            room->next_in[i] = room->first_in[to];
            room->first_in[to] = i;
        }
    /* Farthest nodes first: what passes a node has then come to it before it is split. */
    for (int64_t n = 0; n < traffic->graph.nodes; n++)
        room->order[n] = (Reached){room->distances[n], n};
    qsort(room->order, (size_t)traffic->graph.nodes, sizeof *room->order, compare_reached);
    for (int64_t n = 0; n < traffic->graph.nodes; n++) {
        int64_t node = room->order[n].node, paths = 0;
        for (int64_t i = room->first_in[node]; i >= 0; i = room->next_in[i])
            paths++;
        for (int64_t i = room->first_in[node]; i >= 0; i = room->next_in[i]) {
            double amount = room->amounts[node] / (double)paths;
            int64_t low = 0, high = traffic->graph.nodes;
            while (high - low > 1) {
                int64_t middle = low + (high - low) / 2;
                *(traffic->graph.starts[middle] <= i ? &low : &high) = middle;
            }
            room->amounts[low] += amount;
            if (traffic->places[i] >= 0)
                room->loads[traffic->places[i]] += amount;
        }
    }
}

bool traffic_weigh(const Traffic *traffic, const int64_t *weights, RouteMix *mix, int64_t *crossed,
                   int64_t *passed)
{
    struct TrafficRoom *room = traffic->room;
    __int128 all = 0, through = 0;
    size_t sender = 0;
    /* The weights first, then the links, of which a path has less than there are nodes: so every
       path has a length, and all lightest ones taken are as short as can be. */
    int64_t links = traffic->graph.starts[traffic->graph.nodes];
    for (int64_t i = 0; i < links; i++) {
        int64_t weight = traffic->places[i] < 0 ? 0 : weights[traffic->places[i]];
        traffic->room->lengths[i] = weight * traffic->graph.nodes + 1;
    }
    for (int64_t s = 0; s < traffic->p; s++) {
        if (!sends(traffic, s))
            continue;
        graph_weighed_distances(&traffic->graph, room->lengths, s, room->distances, room->queue,
                                room->waits);
        for (int64_t t = 0; t < traffic->p; t++)
            if (room->distances[t] >= 0)
                all += (__int128)traffic->demands[s * traffic->p + t] *
                       (room->distances[t] / traffic->graph.nodes);
        if (mix) {
            spread(traffic, s);
            route_mix_add(mix, sender++, room->loads);
        }
    }
    for (size_t e = 0; e < traffic->count; e++)
        through += (__int128)traffic->capacities[e] * weights[e];
    *crossed = (int64_t)all, *passed = (int64_t)through;
    return all <= INT64_MAX && through <= INT64_MAX;
}

enum {
    MOST_LOADS = 1 << 18, /* ranks times links */
    MOST_ROUNDS = 500,
    FINEST = 720720, /* the largest weight: fractions up to thirteenths of it are whole */
    COARSEST = 64,   /* up to here plainer weights are tried afterwards */
};

/* Weights prove all that a mix of paths leaves open: to the accuracy of the solver, and to that of
   whole weights. */
static const double wholly = 1 - 1e-9, nearly = 1 - 1e-6;

/* Capacities that are farther apart would be beyond the solver's accuracy. With narrower links the
   mix leaves more open, so that what is said of the weights holds all the same. */
static const double most_apart = 1e6;

typedef struct {
    Bounder *bounder;
    Traffic traffic;
    RouteMix *mix;
    double widest;              /* the largest capacity, which the mix knows as 1 */
    int64_t *weights;           /* that are tried */
    double *duals, *best_duals; /* their ratios */
    int64_t *best_weights;
    int64_t crossed, passed; /* by the best weights */
} Search;

static void try_weights(Search *search, int64_t largest, RouteMix *mix)
{
    size_t count = search->traffic.count;
    int64_t crossed, passed;
    /* Whole weights up to `largest`, in the ratios of search->duals. */
    double most = 0;
    for (size_t e = 0; e < search->traffic.count; e++)
        most = fmax(most, search->duals[e]);
    double scale = most > 0 ? (double)largest / most : 0;
    for (size_t e = 0; e < search->traffic.count; e++)
        search->weights[e] = (int64_t)(search->duals[e] * scale + 0.5);
    if (!traffic_weigh(&search->traffic, search->weights, mix, &crossed, &passed) || passed == 0)
        return;
    /* More for the capacity than the best so far, or as much in smaller numbers. */
    const __int128 here = (__int128)crossed * search->passed;
    const __int128 best = (__int128)search->crossed * passed;
    if (here < best || (here == best && (here == 0 || passed >= search->passed)))
        return;
    memcpy(search->best_duals, search->duals, count * sizeof *search->duals);
    memcpy(search->best_weights, search->weights, count * sizeof *search->weights);
    search->crossed = crossed, search->passed = passed;
}

/* Is it known that no weights prove more? The search ends where that is so, or nothing changes. */
static bool seek_weights(Search *search, const Cut *cut)
{
    const Traffic *traffic = &search->traffic;
    const Graph *graph = &traffic->graph;
    /* Weights of 1, and of 1 / capacity: every sender has its first paths. */
    for (size_t e = 0; e < traffic->count; e++)
        search->duals[e] = 1;
    try_weights(search, 1, search->mix);
    for (size_t e = 0; e < traffic->count; e++)
        search->duals[e] = 1 / (double)traffic->capacities[e];
    try_weights(search, FINEST, search->mix);
    /* Weights of 1 for what leaves the set of the cut, as far as that is links. */
    const bool *inside = cut->blocks > 0 ? cut->inside + traffic->p : NULL;
    bool any = false;
    memset(search->duals, 0, traffic->count * sizeof *search->duals);
    for (int64_t n = 0; n < graph->nodes && inside; n++)
        for (int64_t i = graph->starts[n]; i < graph->starts[n + 1]; i++)
            if (inside[n] && !inside[graph->neighbours[i]] && traffic->places[i] >= 0) {
                search->duals[traffic->places[i]] = 1;
                any = true;
            }
    if (any)
        try_weights(search, 1, search->mix);
    double fullest, before = 0, share = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (!route_mix_solve(search->mix, &fullest, search->duals) || fullest <= 0)
            break;
        /* What the weights prove, of all that the mix of paths leaves open. */
        share = (double)search->crossed * search->widest / (fullest * (double)search->passed);
        if (share >= wholly || (fullest == before && share >= nearly))
            break;
        before = fullest;
        try_weights(search, FINEST, search->mix);
    }
    return share >= nearly;
}

/* Tries the best weights in smaller numbers, which may prove as much where they are nearly in the
   same ratio, and takes out what they have in common. */
static void simplify_weights(Search *search)
{
    size_t count = search->traffic.count;
    int64_t divisor = 0;
    memcpy(search->duals, search->best_duals, count * sizeof *search->duals);
    for (int64_t largest = 1; largest <= COARSEST; largest++)
        try_weights(search, largest, NULL);
    for (size_t e = 0; e < count; e++)
        divisor = whole_common_divisor(divisor, search->best_weights[e]);
    if (divisor == 0) /* there are none */
        return;
    for (size_t e = 0; e < count; e++)
        search->best_weights[e] /= divisor;
    search->crossed /= divisor, search->passed /= divisor;
}

static Search open_search(Bounder *bounder, const Traffic *traffic)
{
    size_t count = traffic->count;
    Arena *arena = bounder->arena;
    double *capacities = ARENA_ROOM(arena, double, count), widest = 0, narrowest = INFINITY;
    for (size_t e = 0; e < count; e++) {
        widest = fmax(widest, (double)traffic->capacities[e]);
        narrowest = fmin(narrowest, (double)traffic->capacities[e]);
    }
    widest = fmin(widest, most_apart * narrowest);
    for (size_t e = 0; e < count; e++)
        capacities[e] = fmin(1, (double)traffic->capacities[e] / widest);
    size_t senders = (size_t)traffic->sender_count;
    return (Search){.bounder = bounder,
                    .traffic = *traffic,
                    .mix = route_mix_open(arena, capacities, count, senders),
                    .weights = ARENA_ROOM(arena, int64_t, count),
                    .duals = ARENA_ROOM(arena, double, count),
                    .best_duals = ARENA_ARRAY(arena, double, count),
                    .best_weights = ARENA_ARRAY(arena, int64_t, count),
                    .widest = widest,
                    .passed = 1};
}

static Bound nothing(const char *reason)
{
    return (Bound){BOUND_FLOW, exact_from_int(0), false, reason};
}

Bound bound_flow(Bounder *bounder, const Cut *cut, Weighing *weighing)
{
    Traffic traffic;
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const int64_t p = bounder->contract->p, arcs = (int64_t)capacity_graph->count;
    const char *refusal =
        !route_mix_exists()             ? "needs GLPK"
        : bounder->contract->is_empty   ? "messages are empty"
        : bounder->demand.demanded == 0 ? "nothing has to move"
        : !capacity_graph->links_share  ? "messages sent at different times do not share links"
        : arcs == 0 || p * (arcs - 2 * p) > MOST_LOADS ? "not computed for this many links"
                                                       : NULL;
    *weighing = (Weighing){0};
    if (refusal)
        return nothing(refusal);
    if (!traffic_open(bounder, &traffic))
        return nothing("only for blocks that go from one rank to one other rank");
    if (traffic.count == 0)
        return nothing("links take no time");
    Search search = open_search(bounder, &traffic);
    const bool best = seek_weights(&search, cut);
    route_mix_close(search.mix);
    if (search.crossed == 0)
        return nothing("no data has to cross a link that takes time");
    simplify_weights(&search);
    /* Of each link of the network, both directions. */
    const int64_t links = traffic.graph.starts[traffic.graph.nodes];
    int64_t *weights = ARENA_ROOM(bounder->arena, int64_t, (size_t)links);
    for (int64_t i = 0; i < links; i++)
        weights[i] = traffic.places[i] < 0 ? 0 : search.best_weights[traffic.places[i]];
    *weighing = (Weighing){weights, search.crossed, search.passed};
    Bound bound = bound_over(bounder, BOUND_FLOW, search.crossed,
                             (__int128)search.passed * bounder->capacity_graph.unit);
    int64_t least = INT64_MAX, most = 0;
    for (size_t e = 0; e < traffic.count; e++) {
        const int64_t weight = search.best_weights[e];
        least = weight < least ? weight : least, most = whole_larger(most, weight);
    }
    Arena *arena = bounder->arena;
    const char *range =
        least == most ? arena_printf(arena, "%lld", (long long)most)
                      : arena_printf(arena, "%lld to %lld", (long long)least, (long long)most);
    bound.reason = arena_printf(arena, "link weights %s: %lld m over paths, shared by %lld; %s",
                                range, (long long)search.crossed, (long long)search.passed,
                                best ? "best of all weights" : "best so far");
    return bound;
}
