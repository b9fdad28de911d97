#include "synth/fabric.h"

#include "base/whole.h"
#include "bound/capacity_graph.h"

#include <math.h>

/* Arcs that are laid out, and looked at: some ten seconds. */
enum { MOST_ARCS = 1 << 20 };
static const int64_t most_work = (int64_t)1 << 32;
/* Shares of a block: exact rates may need millions. */
enum { MOST_SHARES = 192, MOST_SPREAD = 32 };
static const double close_enough = 0.999;
/* All arcs together have less than 2^60, and one of them times a number of roots still fits. */
static const int64_t most_capacity = (int64_t)1 << 40;

bool fabric_lay_out(Arena *arena, const Network *network, const Rules *rules, PackingTask task,
                    Fabric *fabric, Diag *diag)
{
    Rules links = *rules;
    links.contention = CONTENTION_BYTES, links.asynchronous = false;
    if (network_link_count(network) > MOST_ARCS)
        return diag_limit(diag, NOWHERE, "%s has too many links to synthesize a schedule",
                          network->name);
    CapacityGraph graph = capacity_graph_open(arena, network, &links);
    *fabric = (Fabric){.arena = arena,
                       .p = (int32_t)network->p,
                       .nodes = (int32_t)network->node_count,
                       .root = (int32_t)task.root,
                       .most_work = most_work};
    if (!capacity_graph_lay_out(arena, &graph, MOST_ARCS))
        return diag_limit(diag, NOWHERE, "%s has too many links to synthesize a schedule",
                          network->name);
    for (size_t i = 0; i < graph.count; i++) {
        if (!capacity_graph_is_link(&graph, i) || graph.capacities[i] == 0)
            continue;
        const int32_t from = graph.arcs[i].from - fabric->p, to = graph.arcs[i].to - fabric->p;
        *ARRAY_PUSH(arena, &fabric->arcs) = (FabricArc){
            task.is_inward ? to : from, task.is_inward ? from : to, graph.capacities[i]};
    }
    /* In lowest terms, and small enough. */
    int64_t unit = 0, largest = 0;
    for (size_t i = 0; i < fabric->arcs.count; i++)
        unit = whole_common_divisor(unit, fabric->arcs.items[i].capacity);
    for (size_t i = 0; i < fabric->arcs.count && unit > 0; i++) {
        fabric->arcs.items[i].capacity /= unit;
        largest = whole_larger(largest, fabric->arcs.items[i].capacity);
    }
    const int64_t divisor = largest / most_capacity + 1;
    for (size_t i = 0; i < fabric->arcs.count && divisor > 1; i++)
        fabric->arcs.items[i].capacity /= divisor;
    return true;
}

bool fabric_has_time(const Fabric *fabric, Diag *diag)
{
    return fabric->work <= fabric->most_work ||
           diag_limit(diag, NOWHERE, "this network takes too much work to synthesize a schedule");
}

bool fabric_carries(Fabric *fabric, int64_t factor, int64_t demand, Rate *tightest)
{
    ArenaMark mark = arena_mark(fabric->arena);
    const size_t count = fabric->arcs.count, p = (size_t)fabric->p;
    const int64_t total = demand * fabric_roots(fabric);
    /* The arcs, and behind them one from the source to each rank; node `nodes` is the source. */
    FlowArc *arcs = ARENA_ROOM(fabric->arena, FlowArc, count + p);
    for (size_t i = 0; i < count; i++)
        arcs[i] = (FlowArc){fabric->arcs.items[i].from, fabric->arcs.items[i].to};
    for (size_t r = 0; r < p; r++)
        arcs[count + r] = (FlowArc){fabric->nodes, (int32_t)r};
    Flow flow = flow_create(fabric->arena, fabric->nodes + 1, arcs, count + p);
    flow.most_work = fabric->most_work - fabric->work;
    int64_t *capacities = ARENA_ROOM(fabric->arena, int64_t, count + p);
    bool good = true;
    for (size_t i = 0; i < count; i++)
        capacities[i] = factor * fabric->arcs.items[i].capacity;
    for (size_t r = 0; r < p; r++)
        capacities[count + r] = fabric->root < 0 ? demand : (int32_t)r == fabric->root ? total : 0;
    for (size_t r = 0; r < p && good && flow.work <= flow.most_work; r++) {
        if ((int32_t)r != fabric->root) {
            flow_load(&flow, capacities);
            good = flow_pass(&flow, fabric->nodes, (int32_t)r, total) >= total ||
                   flow.work > flow.most_work;
        }
        if (good)
            capacities[count + r] = total;
    }
    if (!good && tightest) {
        /* What the side of the sink gets for each root outside of it. */
        Rate rate = {0, 0};
        for (size_t i = 0; i < fabric->arcs.count; i++)
            if (flow_is_inside(&flow, fabric->arcs.items[i].from) &&
                !flow_is_inside(&flow, fabric->arcs.items[i].to))
                rate.numerator += fabric->arcs.items[i].capacity;
        for (int32_t r = 0; r < fabric->p; r++)
            rate.denominator += (fabric->root < 0 || r == fabric->root) && flow_is_inside(&flow, r);
        *tightest = rate;
    }
    fabric->work += flow.work;
    arena_release(fabric->arena, mark);
    return good;
}

static Rate in_lowest_terms(Rate rate)
{
    const int64_t divisor = whole_common_divisor(rate.numerator, rate.denominator);
    return (Rate){rate.numerator / divisor, rate.denominator / divisor};
}

bool fabric_rate(Fabric *fabric, Rate *found, Diag *diag)
{
    /* Of the cuts around one rank the tightest. None has more roots outside, so a tighter cut lets
       in no more than this one; and that times the number of ranks is no more than all arcs
       have. */
    ArenaMark mark = arena_mark(fabric->arena);
    int64_t *in = ARENA_ARRAY(fabric->arena, int64_t, (size_t)fabric->nodes), least = INT64_MAX;
    for (size_t i = 0; i < fabric->arcs.count; i++)
        in[fabric->arcs.items[i].to] += fabric->arcs.items[i].capacity;
    for (int32_t r = 0; r < fabric->p; r++)
        if (r != fabric->root && in[r] < least)
            least = in[r];
    arena_release(fabric->arena, mark);
    Rate rate = in_lowest_terms((Rate){least, fabric->root < 0 ? fabric->p - 1 : 1}), tightest;
    while (rate.numerator > 0 &&
           !fabric_carries(fabric, rate.denominator, rate.numerator, &tightest))
        rate = in_lowest_terms(tightest);
    *found = rate;
    return fabric_has_time(fabric, diag);
}

/* So many shares, with capacities rounded down: the least capacity of a share, found by halving. */
static double round_capacities(Fabric *fabric, Rate rate, const FabricArcs *exact, int64_t shares)
{
    const double least = (double)shares * (double)rate.denominator / (double)rate.numerator;
    double from = least, to = 0;
    for (double step = 1e-9; to == 0 || to - from > 1e-6 * from;) {
        const double factor = to ? from + (to - from) / 2 : least * (1 + step);
        for (size_t i = 0; i < exact->count; i++) {
            const double capacity = floor((double)exact->items[i].capacity * factor * (1 + 1e-12));
            fabric->arcs.items[i].capacity = (int64_t)fmin(capacity, (double)most_capacity);
        }
        const bool good = fabric_carries(fabric, 1, shares, NULL);
        if (good)
            to = factor;
        else
            from = factor, step = to ? step : step < 1e-3 ? 1e-3 : 2 * step;
        if (good && factor <= least * (1 + 1e-9))
            break;
        if (!to && step > 1e6)
            return 0;
    }
    for (size_t i = 0; i < exact->count; i++)
        fabric->arcs.items[i].capacity = (int64_t)fmin(
            floor((double)exact->items[i].capacity * to * (1 + 1e-12)), (double)most_capacity);
    return least / to;
}

void fabric_scale(Fabric *fabric, Rate rate, int64_t *shares)
{
    int64_t divisor = rate.numerator;
    for (size_t i = 0; i < fabric->arcs.count; i++)
        divisor = whole_common_divisor(divisor, rate.denominator * fabric->arcs.items[i].capacity);
    *shares = rate.numerator / divisor;
    if (*shares <= MOST_SHARES) {
        for (size_t i = 0; i < fabric->arcs.count; i++)
            fabric->arcs.items[i].capacity =
                rate.denominator * fabric->arcs.items[i].capacity / divisor;
        /* By how much capacities must grow so that every switch can spread what comes over an arc
   over all others. */
        ArenaMark mark = arena_mark(fabric->arena);
        const size_t nodes = (size_t)fabric->nodes;
        int64_t *degrees = ARENA_ARRAY(fabric->arena, int64_t, nodes), spread = 1;
        int64_t *least = ARENA_ARRAY(fabric->arena, int64_t, nodes);
        for (size_t i = 0; i < fabric->arcs.count; i++) {
            const FabricArc *arc = &fabric->arcs.items[i];
            if (arc->to < fabric->p || arc->capacity == 0)
                continue;
            degrees[arc->to]++;
            if (least[arc->to] == 0 || arc->capacity < least[arc->to])
                least[arc->to] = arc->capacity;
        }
        for (size_t n = 0; n < nodes; n++)
            if (degrees[n] > 1)
                spread = whole_larger(spread, (degrees[n] - 2 + least[n]) / least[n]);
        arena_release(fabric->arena, mark);
        const int64_t room = MOST_SPREAD / *shares;
        const int64_t factor = room <= 1 ? 1 : spread < room ? spread : room;
        for (size_t i = 0; i < fabric->arcs.count; i++)
            fabric->arcs.items[i].capacity *= factor;
        *shares *= factor;
        return;
    }
    static const int64_t tried[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, MOST_SHARES};
    FabricArcs exact = fabric->arcs;
    fabric->arcs.items = ARENA_COPY(fabric->arena, FabricArc, exact.items, exact.count);
    double best = 0;
    for (size_t i = 0; i < COUNT_OF(tried) && best < close_enough; i++) {
        const double share = round_capacities(fabric, rate, &exact, tried[i]);
        if (share > best)
            best = share, *shares = tried[i];
    }
    round_capacities(fabric, rate, &exact, *shares);
}
