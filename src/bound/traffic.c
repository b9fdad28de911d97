#include "bound/traffic.h"

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

static struct TrafficRoom *make_room(Arena *arena, const Traffic *traffic)
{
    size_t nodes = (size_t)traffic->graph.nodes;
    size_t links = (size_t)traffic->graph.starts[nodes];
    struct TrafficRoom *room = ARENA_NEW(arena, struct TrafficRoom);
    *room = (struct TrafficRoom){.lengths = ARENA_ROOM(arena, int64_t, links),
                                 .next_in = ARENA_ROOM(arena, int64_t, links),
                                 .distances = ARENA_ROOM(arena, int64_t, nodes),
                                 .queue = ARENA_ROOM(arena, int64_t, nodes),
                                 .waits = ARENA_ARRAY(arena, bool, nodes),
                                 .order = ARENA_ROOM(arena, Reached, nodes),
                                 .first_in = ARENA_ROOM(arena, int64_t, nodes),
                                 .amounts = ARENA_ROOM(arena, double, nodes),
                                 .loads = ARENA_ROOM(arena, double, traffic->count)};
    return room;
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
    traffic->room = make_room(bounder->arena, traffic);
    return true;
}

/* The weights first, then the links: so every path has a length, and all lightest ones taken are
   as short as can be. */
static void set_lengths(const Traffic *traffic, const int64_t *weights)
{
    int64_t links = traffic->graph.starts[traffic->graph.nodes];
    for (int64_t i = 0; i < links; i++) {
        int64_t weight = traffic->places[i] < 0 ? 0 : weights[traffic->places[i]];
        traffic->room->lengths[i] = weight * traffic->graph.nodes + 1;
    }
}

/* A path has less links than there are nodes. */
static int64_t weight_of_path(const Traffic *traffic, int64_t to)
{
    return traffic->room->distances[to] / traffic->graph.nodes;
}

static void list_lightest_links(const Traffic *traffic)
{
    const Graph *graph = &traffic->graph;
    struct TrafficRoom *room = traffic->room;
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
}

static int compare_reached(const void *a, const void *b)
{
    int64_t left = ((const Reached *)a)->distance, right = ((const Reached *)b)->distance;
    return (left < right) - (left > right);
}

/* Farthest nodes first: what passes a node has then come to it before it is split. */
static void order_nodes(const Traffic *traffic)
{
    struct TrafficRoom *room = traffic->room;
    for (int64_t n = 0; n < traffic->graph.nodes; n++)
        room->order[n] = (Reached){room->distances[n], n};
    qsort(room->order, (size_t)traffic->graph.nodes, sizeof *room->order, compare_reached);
}

static int64_t start_of(const Graph *graph, int64_t link)
{
    int64_t low = 0, high = graph->nodes;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(graph->starts[middle] <= link ? &low : &high) = middle;
    }
    return low;
}

/* What comes to a node is split evenly among the links of lightest paths that lead there. */
static void spread(const Traffic *traffic, int64_t source)
{
    struct TrafficRoom *room = traffic->room;
    memset(room->loads, 0, traffic->count * sizeof *room->loads);
    for (int64_t n = 0; n < traffic->graph.nodes; n++)
        room->amounts[n] = n < traffic->p ? (double)traffic->demands[source * traffic->p + n] : 0;
    list_lightest_links(traffic);
    order_nodes(traffic);
    for (int64_t n = 0; n < traffic->graph.nodes; n++) {
        int64_t node = room->order[n].node, paths = 0;
        for (int64_t i = room->first_in[node]; i >= 0; i = room->next_in[i])
            paths++;
        for (int64_t i = room->first_in[node]; i >= 0; i = room->next_in[i]) {
            double amount = room->amounts[node] / (double)paths;
            room->amounts[start_of(&traffic->graph, i)] += amount;
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
    set_lengths(traffic, weights);
    for (int64_t s = 0; s < traffic->p; s++) {
        if (!sends(traffic, s))
            continue;
        graph_weighed_distances(&traffic->graph, room->lengths, s, room->distances, room->queue,
                                room->waits);
        for (int64_t t = 0; t < traffic->p; t++)
            if (room->distances[t] >= 0)
                all += (__int128)traffic->demands[s * traffic->p + t] * weight_of_path(traffic, t);
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
