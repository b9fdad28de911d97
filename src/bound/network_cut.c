#include "bound/bounds.h"
#include "bound/cut.h"
#include "bound/kinds.h"

/* Where links limit nothing, all routers are joined by a hub, on whose side switches are. */
static const bool *sides_of_nodes(const Bounder *bounder, const Cut *cut)
{
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    const int64_t p = bounder->contract->p, count = bounder->network->node_count;
    if (capacity_graph->links_share)
        return cut->inside + p;
    bool *nodes = ARENA_ROOM(bounder->arena, bool, (size_t)count);
    for (int64_t n = 0; n < count; n++)
        nodes[n] = cut->inside[n < p ? p + n : capacity_graph->nodes - 1];
    return nodes;
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
    *found = (NetworkCut){cut.inside, sides_of_nodes(&bounder, &cut), cut.both, bound};
    return true;
}
