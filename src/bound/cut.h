/* The best cut: the set of ranks that blocks must leave with the most blocks for each unit of
   capacity that leads out of it.

   For a given ratio D / C, one maximum flow finds a set with a better one, or shows that there is
   none: from a source through all ranks, as many blocks as a target needs of them, over capacities
   that the ratio scales. Where that is the best for every contract of this form, and all flows were
   run, the cut is the best of all (demand_form). */
#ifndef COLLCOST_BOUND_CUT_H
#define COLLCOST_BOUND_CUT_H

#include "bound/parts.h"

/* `node` is the bound of that kind: where nothing better can be found, its cut is the one. */
Bound bound_cut(Bounder *bounder, const Bound *node, int64_t work, Cut *cut);
/* The bound of all cuts, in O(p), where a link between any two ranks is no slower than the ports of
   a rank: no cut is better than one around a rank, and links need not be laid out. False where that
   is not so, or not proven. */
bool bound_port_cut(const Bounder *bounder, Bound *bound);

#endif
