#include "bound/capacity_graph.h"

#include "base/whole.h"
#include "net/graph.h"

#include <math.h>

/* Bytes/s from which on a link takes no time; and the most that capacities add up to. */
static const double fastest = 1e15;
static const int64_t most_capacity = (int64_t)1 << 61;

static bool have_same_bandwidth(const LinkPrice *prices, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (prices[i].values[PARAMETER_TW] != prices[0].values[PARAMETER_TW] ||
            prices[i].own[PARAMETER_TW] != prices[0].own[PARAMETER_TW])
            return false;
    return true;
}

/* Bytes/s as a file would state them: 1 / tw in doubles misses a whole number by some digits. */
static int64_t rate_of(double tw)
{
    double rate = tw > 0 ? 1 / tw : fastest;
    if (!(rate < fastest))
        return (int64_t)fastest;
    double nearest = round(rate);
    return (int64_t)(fabs(rate - nearest) <= 1e-12 * rate ? nearest : ceil(rate));
}

bool fabric_is_endless(const Fabric *fabric, int64_t capacity)
{
    return fabric->own_prices && capacity >= (int64_t)fastest;
}

bool fabric_is_free(const Fabric *fabric, size_t class)
{
    return fabric_is_endless(fabric, fabric->rates[class]);
}

static const int64_t *rate_classes(Arena *arena, const Fabric *fabric)
{
    size_t count = fabric->network->class_count;
    int64_t *rates = ARENA_ROOM(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        rates[i] = fabric->own_prices ? rate_of(fabric->prices[i].values[PARAMETER_TW]) : 1;
    return rates;
}

static int64_t class_of(const Fabric *fabric, int64_t i)
{
    return fabric->network->link_classes ? fabric->network->link_classes[i] : 0;
}

int64_t fabric_link(const Fabric *fabric, int64_t i)
{
    int64_t class = class_of(fabric, i);
    return fabric->rates[class] * fabric->prices[class].lanes;
}

/* d messages at the speed of the fastest link, or all that the links of the rank pass. */
static int64_t port_capacity(const Fabric *fabric, int64_t ports, int64_t fastest_link,
                             int64_t links)
{
    int64_t all;
    if (__builtin_mul_overflow(ports, fastest_link, &all))
        all = most_capacity;
    return fabric->rank_links_share && links < all ? links : all;
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

static void measure_ports(Arena *arena, Fabric *fabric)
{
    const Network *network = fabric->network;
    size_t nodes = (size_t)network->node_count, p = (size_t)network->p;
    int64_t *send = ARENA_ROOM(arena, int64_t, p), *receive = ARENA_ROOM(arena, int64_t, p);
    Reach *out = ARENA_ARRAY(arena, Reach, nodes), *in = ARENA_ARRAY(arena, Reach, nodes);
    for (size_t n = 0; n < nodes && network->starts; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            int64_t rate = fabric->rates[class_of(fabric, i)];
            add_link(&out[n], fabric_link(fabric, i), rate);
            add_link(&in[network->neighbours[i]], fabric_link(fabric, i), rate);
        }
    for (size_t r = 0; r < p; r++) {
        if (!network->starts && p > 1)
            out[r] = in[r] = (Reach){(int64_t)(p - 1) * fabric_link(fabric, 0), fabric->rates[0]};
        send[r] = port_capacity(fabric, rules_send_ports(fabric->rules, network, (int64_t)r),
                                out[r].fastest, out[r].all);
        receive[r] = port_capacity(fabric, rules_receive_ports(fabric->rules, network, (int64_t)r),
                                   in[r].fastest, in[r].all);
    }
    fabric->send = send, fabric->receive = receive;
}

Fabric fabric_open(Arena *arena, const Network *network, const Rules *rules)
{
    const LinkPrice *prices = rules_prices(arena, rules, network);
    bool contends = rules->contention != CONTENTION_NONE;
    Fabric fabric = {
        .network = network,
        .rules = rules,
        .prices = prices,
        .own_prices = !have_same_bandwidth(prices, network->class_count),
        .links_share = contends && !rules->asynchronous,
        .rank_links_share =
            contends && !(rules->asynchronous && rules->switching != SWITCHING_CUT_THROUGH),
    };
    fabric.rates = rate_classes(arena, &fabric);
    measure_ports(arena, &fabric);
    return fabric;
}

static void add_arc(Fabric *fabric, int64_t from, int64_t to, int64_t capacity)
{
    fabric->arcs[fabric->count] = (FlowArc){(int32_t)from, (int32_t)to};
    fabric->capacities[fabric->count++] = capacity;
}

/* With half duplex: the capacity that both directions share; each alone can have all of it. */
static int64_t shared_capacity(const Fabric *fabric, int64_t from, int64_t i)
{
    const Network *network = fabric->network;
    const Graph graph = {network->node_count, network->starts, network->neighbours, NULL};
    int64_t capacity = fabric_link(fabric, i);
    int64_t back = graph_find(&graph, network->neighbours[i], from);
    if (fabric->rules->duplex != DUPLEX_HALF || back < 0)
        return capacity;
    int64_t other = fabric_link(fabric, back);
    return other > capacity ? other : capacity;
}

static void add_links(Fabric *fabric)
{
    const Network *network = fabric->network;
    int64_t p = network->p;
    for (int64_t n = 0; n < network->node_count && network->starts; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++)
            add_arc(fabric, p + n, p + network->neighbours[i], shared_capacity(fabric, n, i));
    for (int64_t n = 0; n < p && !network->starts; n++)
        for (int64_t other = 0; other < p; other++)
            if (other != n)
                add_arc(fabric, p + n, p + other, fabric_link(fabric, 0));
}

static void add_hub(Fabric *fabric)
{
    int64_t p = fabric->network->p, hub = fabric->nodes - 1;
    for (int64_t r = 0; r < p; r++) {
        add_arc(fabric, p + r, hub, INT64_MAX);
        add_arc(fabric, hub, p + r, INT64_MAX);
    }
}

static bool is_infinite(const Fabric *fabric, size_t i)
{
    return fabric_is_endless(fabric, fabric->capacities[i]) || fabric->capacities[i] == INT64_MAX;
}

/* Divides by what all have in common, and makes infinite what takes no time. */
static bool settle_capacities(Fabric *fabric)
{
    int64_t unit = 0, total = 0;
    for (size_t i = 0; i < fabric->count; i++)
        if (!is_infinite(fabric, i))
            unit = whole_common_divisor(unit, fabric->capacities[i]);
    fabric->unit = unit ? unit : 1;
    for (size_t i = 0; i < fabric->count; i++)
        if (!is_infinite(fabric, i) &&
            __builtin_add_overflow(total, fabric->capacities[i] / fabric->unit, &total))
            return false;
    fabric->infinite = total + 1;
    __int128 sum = total;
    for (size_t i = 0; i < fabric->count; i++) {
        bool wide = is_infinite(fabric, i);
        fabric->capacities[i] = wide ? fabric->infinite : fabric->capacities[i] / fabric->unit;
        sum += wide ? fabric->infinite : 0;
    }
    return sum < most_capacity;
}

bool fabric_lay_out(Arena *arena, Fabric *fabric, int64_t most)
{
    const Network *network = fabric->network;
    int64_t p = network->p, links = network->starts ? network->starts[network->node_count] : 0;
    if (p > most / 4 || (!network->starts && fabric->links_share && p > most / p))
        return false;
    if (!network->starts)
        links = p * (p - 1);
    int64_t count = 2 * p + (fabric->links_share ? links : 2 * p);
    if (count > most)
        return false;
    fabric->nodes = fabric->links_share ? p + network->node_count : 2 * p + 1;
    fabric->arcs = ARENA_ROOM(arena, FlowArc, (size_t)count);
    fabric->capacities = ARENA_ROOM(arena, int64_t, (size_t)count);
    fabric->count = 0;
    for (int64_t r = 0; r < p; r++) {
        add_arc(fabric, r, p + r, fabric->send[r]);
        add_arc(fabric, p + r, r, fabric->receive[r]);
    }
    if (fabric->links_share)
        add_links(fabric);
    else
        add_hub(fabric);
    return settle_capacities(fabric);
}

bool fabric_is_link(const Fabric *fabric, size_t i)
{
    return fabric->links_share && i >= 2 * (size_t)fabric->network->p;
}

bool fabric_has_back(const Fabric *fabric, size_t i)
{
    const Network *network = fabric->network;
    const Graph graph = {network->node_count, network->starts, network->neighbours, NULL};
    return fabric_is_link(fabric, i) &&
           (!network->starts || graph_find(&graph, fabric->arcs[i].to - network->p,
                                           fabric->arcs[i].from - network->p) >= 0);
}

int64_t fabric_across(const Fabric *fabric, const bool *inside, bool both)
{
    int64_t capacity = 0;
    for (size_t i = 0; i < fabric->count; i++) {
        bool from = inside[fabric->arcs[i].from], to = inside[fabric->arcs[i].to];
        if ((from && !to) || (both && to && !from && !fabric_has_back(fabric, i)))
            capacity += fabric->capacities[i];
    }
    return capacity;
}
