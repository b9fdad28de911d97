#include "synth/fabric.h"

#include <string.h>

/* Capacities as a table while arcs are split off: new ones appear between any two nodes. */
typedef struct {
    Fabric *fabric;
    int64_t *capacities;   /* from * nodes + to */
    int64_t shares, total; /* of a root, of all */
    int32_t node;          /* the switch at hand */
} Splitter;

static int64_t *between(const Splitter *splitter, int32_t from, int32_t to)
{
    return &splitter->capacities[(size_t)from * (size_t)splitter->fabric->nodes + (size_t)to];
}

/* The source and three nodes that arcs of no end join to it, or to the rank that is looked at. */
typedef struct {
    int32_t sources[2]; /* -1: none */
    int32_t sinks[2];   /* so that they are on the side of a rank */
} Sides;

/* What the tightest set of nodes that these sides describe gets, more than it must; at most `most`.
   A rank that was looked at is on the other side from then on. */
static int64_t find_slack(Splitter *splitter, Sides sides, int64_t most)
{
    Fabric *fabric = splitter->fabric;
    ArenaMark mark = arena_mark(fabric->arena);
    const int32_t p = fabric->p, nodes = fabric->nodes, source = nodes, sink = nodes + 1;
    size_t count = 0, room = 2 * (size_t)p + 8;
    const int64_t wide = splitter->total + most;
    for (size_t i = 0; i < (size_t)nodes * (size_t)nodes; i++)
        room += splitter->capacities[i] > 0;
    FlowArc *arcs = ARENA_ROOM(fabric->arena, FlowArc, room);
    int64_t *capacities = ARENA_ROOM(fabric->arena, int64_t, room);
    for (int32_t r = 0; r < p; r++) {
        capacities[count] = fabric->root < 0 ? splitter->shares : r == fabric->root ? wide : 0;
        arcs[count++] = (FlowArc){source, r};
    }
    for (int32_t r = 0; r < p; r++) {
        capacities[count] = 0;
        arcs[count++] = (FlowArc){r, sink};
    }
    for (int i = 0; i < 2; i++) {
        if (sides.sources[i] >= 0)
            capacities[count] = wide, arcs[count++] = (FlowArc){source, sides.sources[i]};
        if (sides.sinks[i] >= 0)
            capacities[count] = wide, arcs[count++] = (FlowArc){sides.sinks[i], sink};
    }
    for (int32_t from = 0; from < nodes; from++)
        for (int32_t to = 0; to < nodes; to++)
            if (*between(splitter, from, to) > 0)
                capacities[count] = *between(splitter, from, to),
                arcs[count++] = (FlowArc){from, to};
    Flow flow = flow_create(fabric->arena, nodes + 2, arcs, count);
    for (int32_t r = 0; r < p && most > 0; r++) {
        if (r == fabric->root || r == sides.sources[0] || r == sides.sources[1])
            continue;
        capacities[p + r] = wide;
        const int64_t passed = flow_run(&flow, capacities, source, sink) - splitter->total;
        most = passed < most ? (passed > 0 ? passed : 0) : most;
        capacities[p + r] = 0;
        if (r == sides.sinks[0] || r == sides.sinks[1])
            break; /* no other set is without this rank */
        capacities[r] = wide;
    }
    fabric->work += flow.work;
    arena_release(fabric->arena, mark);
    return most;
}

/* Splits off as much of from -> switch -> to as leaves all ranks what they must get: sets lose what
   leads into them if the switch alone, or all but the switch, is inside. */
static void split_pair(Splitter *splitter, int32_t from, int32_t to)
{
    const int32_t node = splitter->node;
    int64_t *in = between(splitter, from, node), *out = between(splitter, node, to);
    int64_t most = *in < *out ? *in : *out;
    if (most > 0)
        most = find_slack(splitter, (Sides){{from, to}, {node, -1}}, most);
    if (most > 0)
        most = find_slack(splitter, (Sides){{node, -1}, {from, to}}, most);
    *in -= most, *out -= most;
    if (from != to)
        *between(splitter, from, to) += most;
}

static int64_t capacity_into(const Splitter *splitter, bool outward)
{
    int64_t sum = 0;
    for (int32_t n = 0; n < splitter->fabric->nodes; n++)
        sum +=
            outward ? *between(splitter, splitter->node, n) : *between(splitter, n, splitter->node);
    return sum;
}

/* First past the switch to others than where capacity comes from; what is left leads nowhere. */
static void split_node(Splitter *splitter)
{
    const int32_t nodes = splitter->fabric->nodes;
    for (int returns = 0; returns < 2; returns++)
        for (int32_t step = 1; step <= nodes; step++)
            for (int32_t from = 0; from < nodes; from++) {
                const int32_t to = (from + step) % nodes;
                if ((from == to) == returns && *between(splitter, from, splitter->node) > 0 &&
                    *between(splitter, splitter->node, to) > 0 &&
                    splitter->fabric->work <= splitter->fabric->most_work)
                    split_pair(splitter, from, to);
            }
    for (int32_t n = 0; n < nodes; n++)
        *between(splitter, n, splitter->node) = *between(splitter, splitter->node, n) = 0;
}

void fabric_split_switches(Fabric *fabric, int64_t shares)
{
    const int32_t nodes = fabric->nodes;
    if (nodes == fabric->p)
        return;
    Splitter splitter = {.fabric = fabric,
                         .capacities =
                             ARENA_ARRAY(fabric->arena, int64_t, (size_t)nodes * (size_t)nodes),
                         .shares = shares,
                         .total = shares * fabric_roots(fabric)};
    for (size_t i = 0; i < fabric->arcs.count; i++)
        *between(&splitter, fabric->arcs.items[i].from, fabric->arcs.items[i].to) +=
            fabric->arcs.items[i].capacity;
    for (splitter.node = fabric->p; splitter.node < nodes; splitter.node++)
        if (capacity_into(&splitter, false) && capacity_into(&splitter, true))
            split_node(&splitter);
    fabric->arcs = (FabricArcs){0};
    fabric->nodes = fabric->p;
    for (int32_t from = 0; from < fabric->p; from++)
        for (int32_t to = 0; to < fabric->p; to++)
            if (splitter.capacities[(size_t)from * (size_t)nodes + (size_t)to] > 0)
                *ARRAY_PUSH(fabric->arena, &fabric->arcs) = (FabricArc){
                    from, to, splitter.capacities[(size_t)from * (size_t)nodes + (size_t)to]};
}
