/* The fewest bytes that a collective can send over the links of a level, or along a dimension.

   Without the links of the group the network falls into parts. Blocks that a part lacks must come
   in over links of the group, and blocks that others need of it must go out; of a reduction, what
   k parts contribute and q parts need takes k - 1 + q - 1 crossings. Where no link of the group
   joins two parts with ranks, as below a switch, each crossing takes two of them. */
#ifndef COLLCOST_BOUND_LEAST_TRAFFIC_H
#define COLLCOST_BOUND_LEAST_TRAFFIC_H

#include "bound/demand.h"
#include "net/link_groups.h"

/* In blocks of m bytes. */
typedef struct {
    double total;   /* over all links of the group */
    double busiest; /* over the one that carries the most */
} LeastTraffic;

/* least[g] of group g. In O(links + demand) for each part of each group. */
void least_traffic_find(Arena *arena, const Contract *contract, const LinkGroups *groups,
                        LeastTraffic *least);

#endif
