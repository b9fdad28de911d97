#include "bound/bounds.h"

#include "bound/flow.h"
#include "bound/kinds.h"
#include "cost/merging.h"

/* Arcs looked at: about a second's work. */
static const int64_t most_work = (int64_t)1 << 27;

int64_t bound_search_work(BoundSearch search)
{
    return search == BOUND_SEARCH_NONE ? 0 : most_work;
}

static void compute(Arena *arena, const Contract *contract, const Network *network,
                    const Rules *rules, BoundSearch search, BoundSet *bounds)
{
    Arena *scratch = arena_scratch(arena);
    Bounder bounder = bounder_open(scratch, contract, network, rules);
    Cut cut;
    Weighing weighing;
    bounds->items[BOUND_ROUNDS] = bound_rounds(&bounder);
    bounds->items[BOUND_DISTANCE] = bound_distance(&bounder);
    bounds->items[BOUND_NODE] = bound_node(&bounder);
    bounds->items[BOUND_PORTS] = bound_ports(&bounder);
    bounds->items[BOUND_VOLUME] = bound_volume(&bounder);
    /* Flows need the links, which that by ports does without. */
    if (search != BOUND_SEARCH_CUTS || !bound_port_cut(&bounder, &bounds->items[BOUND_CUT]))
        bounds->items[BOUND_CUT] =
            bound_cut(&bounder, &bounds->items[BOUND_NODE], bound_search_work(search), &cut);
    bounds->items[BOUND_COMPUTE] = bound_compute(&bounder);
    const bool flows = search == BOUND_SEARCH_FLOW && !contract->weights;
    bounds->items[BOUND_FLOW] =
        flows ? bound_flow(&bounder, &cut, &weighing)
              : (Bound){BOUND_FLOW, exact_from_int(0), false, "not requested"};
    /* A switch that copies or combines spares messages that these count; what enters and leaves a
       rank, or a part of the network, is the same. */
    static const BoundKind merged[] = {BOUND_ROUNDS, BOUND_PORTS, BOUND_VOLUME, BOUND_COMPUTE,
                                       BOUND_FLOW};
    const bool merges = merging_find(scratch, rules, network_of_all(network));
    for (size_t i = 0; i < COUNT_OF(merged) && merges; i++)
        bounds->items[merged[i]] = (Bound){merged[i], exact_from_int(0), false,
                                           "not proven where switches multicast or combine"};
    bounds->is_disconnected = bounder.paths.is_disconnected;
    bounds->disconnected_from = network_rank(network, bounder.paths.disconnected_from);
    bounds->disconnected_to = network_rank(network, bounder.paths.disconnected_to);
    for (int i = 0; i < BOUND_KIND_COUNT; i++)
        bounds->items[i].reason = arena_printf(arena, "%s", bounds->items[i].reason);
    arena_destroy(scratch);
}

/* Of each kind the larger one: what one group asks for is asked for by all together, but searched
   less well. */
void bounds_compute(Arena *arena, const Contract *contract, const Network *network,
                    const Rules *rules, BoundSearch search, BoundSet *bounds)
{
    const int64_t groups = network_groups(network);
    Arena *scratch = arena_scratch(arena);
    Contract all;
    BoundSet of_all;
    double least[PARAMETER_COUNT];
    compute(arena, contract, network, rules, search, bounds);
    if (groups > 1 && contract_repeat(scratch, contract, groups, &all)) {
        compute(arena, &all, network_of_all(network), rules, search, &of_all);
        rules_least(rules, network, least);
        for (int kind = 0; kind < BOUND_KIND_COUNT; kind++)
            if (bound_seconds(&of_all.items[kind], least, 1) >
                bound_seconds(&bounds->items[kind], least, 1))
                bounds->items[kind] = of_all.items[kind];
    }
    arena_destroy(scratch);
}

bool bounds_have_flow(void)
{
    return route_mix_exists();
}

bool network_cut_find(Arena *arena, const Contract *contract, const Network *network,
                      const Rules *rules, NetworkCut *found)
{
    Bounder bounder = bounder_open(arena, contract, network, rules);
    Cut cut;
    Bound node = bound_node(&bounder);
    Bound bound = bound_cut(&bounder, &node, bound_search_work(BOUND_SEARCH_CUTS), &cut);
    if (cut.blocks == 0)
        return false;
    const CapacityGraph *capacity_graph = &bounder.capacity_graph;
    const int64_t p = contract->p, count = network->node_count;
    *found = (NetworkCut){cut.inside, cut.inside + p, cut.both, bound};
    if (capacity_graph->links_share)
        return true;
    /* Where links limit nothing, all routers are joined by a hub, on whose side switches are. */
    bool *nodes = ARENA_ROOM(arena, bool, (size_t)count);
    for (int64_t n = 0; n < count; n++)
        nodes[n] = cut.inside[n < p ? p + n : capacity_graph->nodes - 1];
    found->nodes = nodes;
    return true;
}
