/* The best cut of a small graph, by trying all. */
#ifndef COLLCOST_BOUND_EVERY_CUT_H
#define COLLCOST_BOUND_EVERY_CUT_H

#include "bound/capacity_graph.h"
#include "bound/demand.h"

/* A set of ranks with the best of all cuts, where that is less than `work`; else false. Every set,
   and every place of the routers, is tried. */
bool cut_try_all(Arena *arena, const Demand *demand, const CapacityGraph *capacity_graph,
                 int64_t work, bool *inside);

#endif
