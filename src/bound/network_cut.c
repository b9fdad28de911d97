#include "bound/network_cut.h"

#include "bound/bounds.h"
#include "bound/cut.h"
#include "bound/kinds.h"

bool network_cut_find(Arena *arena, const Contract *contract, const Network *network,
                      const Rules *rules, NetworkCut *found)
{
    Bounder bounder = bounder_open(arena, contract, network, rules);
    Cut cut;
    Bound node = bound_node(&bounder);
    Bound bound = bound_cut(&bounder, &node, bound_search_work(BOUND_SEARCH_CUTS), &cut);
    if (cut.blocks == 0)
        return false;
    *found = (NetworkCut){cut.inside, cut.inside + contract->p, cut.both, bound};
    return true;
}
