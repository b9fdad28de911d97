#include "synth/fabric.h"

#include <string.h>

/* How far apart ranks are tried that an arc is split off to. */
enum { FARTHEST = 16 };

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
    FlowArcs list = {0};
    const int64_t wide = splitter->total + most;
    for (int32_t r = 0; r < p; r++)
        flow_arcs_add(fabric->arena, &list, source, r,
                      fabric->root < 0    ? splitter->shares
                      : r == fabric->root ? wide
                                          : 0);
    for (int32_t r = 0; r < p; r++)
        flow_arcs_add(fabric->arena, &list, r, sink, 0);
    for (int i = 0; i < 2; i++) {
        if (sides.sources[i] >= 0)
            flow_arcs_add(fabric->arena, &list, source, sides.sources[i], wide);
        if (sides.sinks[i] >= 0)
            flow_arcs_add(fabric->arena, &list, sides.sinks[i], sink, wide);
    }
    for (int32_t from = 0; from < nodes; from++)
        for (int32_t to = 0; to < nodes; to++)
            if (*between(splitter, from, to) > 0)
                flow_arcs_add(fabric->arena, &list, from, to, *between(splitter, from, to));
    Flow flow = flow_create(fabric->arena, nodes + 2, list.arcs, list.count);
    for (int32_t r = 0; r < p && most > 0; r++) {
        if (r == fabric->root || r == sides.sources[0] || r == sides.sources[1])
            continue;
        list.capacities[p + r] = wide;
        const int64_t passed = flow_run(&flow, list.capacities, source, sink) - splitter->total;
        most = passed < most ? (passed > 0 ? passed : 0) : most;
        list.capacities[p + r] = 0;
        if (r == sides.sinks[0] || r == sides.sinks[1])
            break; /* no other set is without this rank */
        list.capacities[r] = wide;
    }
    fabric->work += flow.work;
    arena_release(fabric->arena, mark);
    return most;
}

/* Splits off so much of from -> switch -> to, at most, as leaves all ranks what they must get: sets
   lose what leads into them if the switch alone, or all but the switch, is inside. */
static void split_pair(Splitter *splitter, int32_t from, int32_t to, int64_t most, bool boldly)
{
    const int32_t node = splitter->node;
    int64_t *in = between(splitter, from, node), *out = between(splitter, node, to);
    most = most < *in ? most : *in;
    most = most < *out ? most : *out;
    if (most > 0 && !boldly)
        most = find_slack(splitter, (Sides){{from, to}, {node, -1}}, most);
    if (most > 0 && !boldly)
        most = find_slack(splitter, (Sides){{node, -1}, {from, to}}, most);
    *in -= most, *out -= most;
    if (from != to)
        *between(splitter, from, to) += most;
}

/* First evenly past the switch to all others, so that trees can be low, if it should be so; then
   what is left; then back to where it comes from, which leads nowhere. Boldly: whatever ranks lose.
   Nodes whose numbers differ by `first` come first. */
static void split_node(Splitter *splitter, bool evenly, bool boldly, int32_t first)
{
    enum { EVENLY, WHOLLY, BACK, PASSES };
    const int32_t nodes = splitter->fabric->nodes;
    ArenaMark mark = arena_mark(splitter->fabric->arena);
    /* What each node sends to the switch, in as many parts as there are others to send on to. */
    int64_t *parts = ARENA_ROOM(splitter->fabric->arena, int64_t, (size_t)nodes), outs = 0;
    for (int32_t n = 0; n < nodes; n++)
        outs += *between(splitter, splitter->node, n) > 0;
    for (int32_t n = 0; n < nodes; n++) {
        parts[n] = *between(splitter, n, splitter->node) / (outs > 1 ? outs - 1 : 1);
        parts[n] = parts[n] > 0 ? parts[n] : 1;
    }
    for (int pass = evenly ? EVENLY : WHOLLY; pass < PASSES; pass++)
        for (int32_t i = 0; i < (pass == BACK ? 1 : nodes - 1); i++)
            for (int32_t from = 0; from < nodes; from++) {
                const int32_t step = pass == BACK ? 0 : 1 + (first - 1 + i) % (nodes - 1);
                const int32_t to = (from + step) % nodes;
                if (*between(splitter, from, splitter->node) > 0 &&
                    *between(splitter, splitter->node, to) > 0 &&
                    splitter->fabric->work <= splitter->fabric->most_work)
                    split_pair(splitter, from, to, pass == EVENLY ? parts[from] : INT64_MAX,
                               boldly);
            }
    for (int32_t n = 0; n < nodes; n++)
        *between(splitter, n, splitter->node) = *between(splitter, splitter->node, n) = 0;
    arena_release(splitter->fabric->arena, mark);
}

static FabricArcs list_arcs(const Splitter *splitter)
{
    FabricArcs arcs = {0};
    for (int32_t from = 0; from < splitter->fabric->nodes; from++)
        for (int32_t to = 0; to < splitter->fabric->nodes; to++)
            if (*between(splitter, from, to) > 0)
                *ARRAY_PUSH(splitter->fabric->arena, &arcs) =
                    (FabricArc){from, to, *between(splitter, from, to)};
    return arcs;
}

/* Most often no set of ranks loses too much, whatever is split off: that is found at once. */
static bool split_boldly(Splitter *splitter, bool evenly, int32_t first)
{
    Fabric *fabric = splitter->fabric;
    const size_t room = (size_t)fabric->nodes * (size_t)fabric->nodes;
    ArenaMark mark = arena_mark(fabric->arena);
    int64_t *before = ARENA_COPY(fabric->arena, int64_t, splitter->capacities, room);
    Fabric after = *fabric;
    split_node(splitter, evenly, true, first);
    after.arcs = list_arcs(splitter);
    const bool good = fabric_carries(&after, 1, splitter->shares, NULL);
    fabric->work = after.work;
    if (!good)
        memcpy(splitter->capacities, before, room * sizeof *before);
    arena_release(fabric->arena, mark);
    return good;
}

void fabric_split_switches(Fabric *fabric, int64_t shares, bool evenly)
{
    if (fabric->nodes == fabric->p)
        return;
    const size_t room = (size_t)fabric->nodes * (size_t)fabric->nodes;
    Splitter splitter = {.fabric = fabric,
                         .capacities = ARENA_ARRAY(fabric->arena, int64_t, room),
                         .shares = shares,
                         .total = shares * fabric_roots(fabric)};
    for (size_t i = 0; i < fabric->arcs.count; i++)
        *between(&splitter, fabric->arcs.items[i].from, fabric->arcs.items[i].to) +=
            fabric->arcs.items[i].capacity;
    /* Nodes behind the same switch have neighbouring numbers, and gain nothing from one another
       here: where neighbours are no good, ranks that are farther apart may be. */
    for (splitter.node = fabric->p; splitter.node < fabric->nodes; splitter.node++) {
        bool good = evenly && split_boldly(&splitter, true, 1);
        for (int32_t first = 1; first <= FARTHEST && first < fabric->nodes && !good; first++)
            good = split_boldly(&splitter, false, first);
        if (!good && (evenly || !split_boldly(&splitter, true, 1)))
            split_node(&splitter, evenly, false, 1);
    }
    fabric->arcs = list_arcs(&splitter);
    fabric->nodes = fabric->p;
}
