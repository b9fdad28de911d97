#include "bound/capacity_graph.h"

#include "base/whole.h"

#include <math.h>

/* Bytes/s from which on a link takes no time; and the most that capacities add up to. */
static const double fastest = 1e15;
static const int64_t most_capacity = (int64_t)1 << 61;

bool capacity_graph_is_endless(const CapacityGraph *capacity_graph, int64_t capacity)
{
    return capacity_graph->per_link_costs && capacity >= (int64_t)fastest;
}

bool capacity_graph_is_free(const CapacityGraph *capacity_graph, size_t class)
{
    return capacity_graph_is_endless(capacity_graph, capacity_graph->rates[class]);
}

__int128 capacity_graph_link(const CapacityGraph *capacity_graph, int64_t i)
{
    int64_t class = network_link_class(capacity_graph->network, i);
    return (__int128)capacity_graph->rates[class] * capacity_graph->link_costs[class].lanes;
}

/* As an arc can have it. What is too much for one takes no time: only bytes/s can be that many. */
static int64_t limit_capacity(__int128 capacity)
{
    return capacity < INT64_MAX ? (int64_t)capacity : most_capacity;
}

static int64_t link_capacity(const CapacityGraph *capacity_graph, int64_t i)
{
    return limit_capacity(capacity_graph_link(capacity_graph, i));
}

/* d messages at the speed of the fastest link, or all that the links of the rank pass. */
static int64_t port_capacity(const CapacityGraph *capacity_graph, int64_t ports,
                             int64_t fastest_link, int64_t links)
{
    int64_t all;
    if (__builtin_mul_overflow(ports, fastest_link, &all))
        all = most_capacity;
    return capacity_graph->rank_links_share && links < all ? links : all;
}

/* What the links that leave, or reach, a rank pass: all together, and a lane of the fastest. */
typedef struct {
    int64_t all, fastest;
} Reach;

static void add_link(Reach *reach, int64_t capacity, int64_t rate)
{
    if (__builtin_add_overflow(reach->all, capacity, &reach->all))
        reach->all = most_capacity;
    reach->fastest = rate > reach->fastest ? rate : reach->fastest;
}

static void measure_ports(Arena *arena, CapacityGraph *capacity_graph)
{
    const Network *network = capacity_graph->network;
    const size_t nodes = (size_t)network->node_count;
    const size_t laid_out = network->starts ? nodes : 1;
    const int64_t like_it = network->starts ? 1 : network->p; /* else all are alike */
    PerRankFilling send = per_rank_begin(arena, network->p), receive = send;
    Reach *out = ARENA_ARRAY(arena, Reach, laid_out), *in = ARENA_ARRAY(arena, Reach, laid_out);
    if (!network->starts && network->p > 1)
        *out = *in =
            (Reach){limit_capacity((__int128)(network->p - 1) * link_capacity(capacity_graph, 0)),
                    capacity_graph->rates[0]};
    for (size_t n = 0; n < nodes && network->starts; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            int64_t rate = capacity_graph->rates[network_link_class(network, i)];
            add_link(&out[n], link_capacity(capacity_graph, i), rate);
            add_link(&in[network->neighbours[i]], link_capacity(capacity_graph, i), rate);
        }
    for (int64_t r = 0; r < network->p; r += like_it) {
        const int64_t senders = rules_send_ports(capacity_graph->rules, network, r);
        const int64_t receivers = rules_receive_ports(capacity_graph->rules, network, r);
        per_rank_push(&send, port_capacity(capacity_graph, senders, out[r].fastest, out[r].all),
                      like_it);
        per_rank_push(&receive, port_capacity(capacity_graph, receivers, in[r].fastest, in[r].all),
                      like_it);
    }
    capacity_graph->send = send.values, capacity_graph->receive = receive.values;
}

CapacityGraph capacity_graph_open(Arena *arena, const Network *network, const Rules *rules)
{
    const LinkCost *link_costs = rules_link_costs(arena, rules, network);
    bool contends = rules->contention != CONTENTION_NONE;
    bool is_shared = rules->contention == CONTENTION_SHARED;
    const NodeCapacities *nodes = node_capacities_find(arena, rules, network);
    bool differ = nodes != NULL; /* in bandwidth */
    for (size_t i = 1; i < network->class_count; i++)
        differ |= link_costs[i].values[PARAMETER_TW] != link_costs[0].values[PARAMETER_TW] ||
                  link_costs[i].own[PARAMETER_TW] != link_costs[0].own[PARAMETER_TW];
    CapacityGraph capacity_graph = {
        .network = network,
        .rules = rules,
        .node_capacities = nodes,
        .link_costs = link_costs,
        .per_link_costs = differ,
        .links_share = contends && (!rules->asynchronous || is_shared),
        .rank_links_share =
            contends && !(rules->asynchronous && rules->switching != SWITCHING_CUT_THROUGH),
    };
    int64_t *rates = ARENA_ROOM(arena, int64_t, network->class_count);
    for (size_t i = 0; i < network->class_count; i++) {
        /* Bytes/s as a file would state them: 1 / tw in doubles misses a whole number by some
           digits. */
        const double tw = link_costs[i].values[PARAMETER_TW];
        const double rate = tw > 0 && 1 / tw < fastest ? 1 / tw : fastest, nearest = round(rate);
        rates[i] = !differ                                ? 1
                   : fabs(rate - nearest) <= 1e-12 * rate ? (int64_t)nearest
                                                          : (int64_t)ceil(rate);
    }
    capacity_graph.rates = rates;
    measure_ports(arena, &capacity_graph);
    return capacity_graph;
}

static void add_arc(CapacityGraph *capacity_graph, int64_t from, int64_t to, int64_t capacity)
{
    capacity_graph->arcs[capacity_graph->count] = (FlowArc){(int32_t)from, (int32_t)to};
    capacity_graph->capacities[capacity_graph->count++] = capacity;
}

static bool is_infinite(const CapacityGraph *capacity_graph, size_t i)
{
    return capacity_graph_is_endless(capacity_graph, capacity_graph->capacities[i]) ||
           capacity_graph->capacities[i] == INT64_MAX;
}

/* Divides by what all have in common, and makes infinite what takes no time. */
static bool settle_capacities(CapacityGraph *capacity_graph)
{
    int64_t unit = 0, total = 0;
    for (size_t i = 0; i < capacity_graph->count; i++)
        if (!is_infinite(capacity_graph, i))
            unit = whole_common_divisor(unit, capacity_graph->capacities[i]);
    capacity_graph->unit = unit ? unit : 1;
    for (size_t i = 0; i < capacity_graph->count; i++)
        if (!is_infinite(capacity_graph, i) &&
            __builtin_add_overflow(total, capacity_graph->capacities[i] / capacity_graph->unit,
                                   &total))
            return false;
    capacity_graph->infinite = total + 1;
    __int128 sum = total;
    for (size_t i = 0; i < capacity_graph->count; i++) {
        bool wide = is_infinite(capacity_graph, i);
        capacity_graph->capacities[i] =
            wide ? capacity_graph->infinite : capacity_graph->capacities[i] / capacity_graph->unit;
        sum += wide ? capacity_graph->infinite : 0;
    }
    return sum < most_capacity;
}

bool capacity_graph_lay_out(Arena *arena, CapacityGraph *capacity_graph, int64_t most)
{
    const Network *network = capacity_graph->network;
    int64_t p = network->p, links = network->starts ? network->starts[network->node_count] : 0;
    if (p > most / 4 || (!network->starts && capacity_graph->links_share && p > most / p))
        return false;
    if (!network->starts)
        links = p * (p - 1);
    int64_t count = 2 * p + (capacity_graph->links_share ? links : 2 * p);
    if (count > most)
        return false;
    capacity_graph->nodes = capacity_graph->links_share ? p + network->node_count : 2 * p + 1;
    capacity_graph->arcs = ARENA_ROOM(arena, FlowArc, (size_t)count);
    capacity_graph->capacities = ARENA_ROOM(arena, int64_t, (size_t)count);
    capacity_graph->count = 0;
    for (int64_t r = 0; r < p; r++) {
        add_arc(capacity_graph, r, p + r, per_rank(&capacity_graph->send, r));
        add_arc(capacity_graph, p + r, r, per_rank(&capacity_graph->receive, r));
    }
    const int64_t hub = capacity_graph->nodes - 1;
    for (int64_t r = 0; r < p && !capacity_graph->links_share; r++) {
        add_arc(capacity_graph, p + r, hub, INT64_MAX);
        add_arc(capacity_graph, hub, p + r, INT64_MAX);
    }
    if (!capacity_graph->links_share)
        return settle_capacities(capacity_graph);
    for (int64_t n = 0; n < network->node_count && network->starts; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++)
            add_arc(capacity_graph, p + n, p + network->neighbours[i],
                    link_capacity(capacity_graph, i));
    for (int64_t n = 0; n < p && !network->starts; n++)
        for (int64_t other = 0; other < p; other++)
            if (other != n)
                add_arc(capacity_graph, p + n, p + other, link_capacity(capacity_graph, 0));
    return settle_capacities(capacity_graph);
}

bool capacity_graph_is_link(const CapacityGraph *capacity_graph, size_t i)
{
    return capacity_graph->links_share && i >= 2 * (size_t)capacity_graph->network->p;
}

int64_t capacity_graph_both(const CapacityGraph *capacity_graph, size_t i)
{
    const Network *network = capacity_graph->network;
    const Graph graph = network_graph(network);
    const FlowArc *arc = &capacity_graph->arcs[i];
    if (!capacity_graph_is_link(capacity_graph, i))
        return 0;
    if (!network->starts)
        return capacity_graph->capacities[i];
    const int64_t p = network->p, back = graph_find(&graph, arc->to - p, arc->from - p);
    if (back < 0)
        return 0;
    const int64_t other = capacity_graph->capacities[2 * p + back];
    return other > capacity_graph->capacities[i] ? other : capacity_graph->capacities[i];
}

int64_t capacity_graph_across(const CapacityGraph *capacity_graph, const bool *inside, bool both)
{
    int64_t capacity = 0;
    for (size_t i = 0; i < capacity_graph->count; i++) {
        const FlowArc *arc = &capacity_graph->arcs[i];
        if (inside[arc->from] == inside[arc->to] || (!both && inside[arc->to]))
            continue;
        const int64_t shared = both ? capacity_graph_both(capacity_graph, i) : 0;
        if (!shared)
            capacity += capacity_graph->capacities[i];
        else if (inside[arc->from])
            capacity += shared;
    }
    return capacity;
}
