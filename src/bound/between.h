/* Messages that must go between groups of ranks. */
#ifndef COLLCOST_BOUND_BETWEEN_H
#define COLLCOST_BOUND_BETWEEN_H

#include "bound/demand.h"

/* Ranks as groups: rank r is of group of[r], 0 .. count - 1. */
typedef struct {
    int64_t count;
    const int64_t *of;
} RankGroups;

/* The fewest messages that all blocks together take from one group to another. A group counts as
   one rank that holds, and needs, whatever any rank of it does, so that messages within groups are
   free. O(p + entries of the contract), and O(p) more for each rank whose result combines others
   than that of the rank before; 0 where there are too many entries (2^24). */
int64_t demand_between(const Demand *demand, const RankGroups *groups);

#endif
