/* How many bytes a schedule sends over the links of a network, all rounds together. */
#ifndef COLLCOST_COST_LINK_TRAFFIC_H
#define COLLCOST_COST_LINK_TRAFFIC_H

#include "net/link_groups.h"
#include "sched/schedule.h"

/* Of one group of links, in pieces of a block of which `chunks` make up m bytes. */
typedef struct {
    int64_t total;   /* over all links of the group */
    int64_t busiest; /* over the one that carries the most */
} GroupTraffic;

typedef struct {
    GroupTraffic groups[MOST_DIMENSIONS + 1];
    int64_t chunks;
} LinkTraffic;

/* With the weights of the instance, if it has any. In O(links that all messages cross). False after
   a report: also where there are more messages, or links, than base/limits.def says. */
bool link_traffic_count(Arena *arena, const Instance *instance, const LinkGroups *groups,
                        LinkTraffic *traffic, Diag *diag);

#endif
