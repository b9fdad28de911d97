/* What the kinds of bound share: the case at hand, and one function for each kind. */
#ifndef COLLCOST_BOUND_PARTS_H
#define COLLCOST_BOUND_PARTS_H

#include "bound/bound.h"
#include "bound/capacity_graph.h"
#include "bound/demand.h"

/* Ways that data must go, measured in links, or in other lengths. */
typedef struct {
    bool known;              /* false: there are too many ranks to measure */
    int64_t longest;         /* of the shortest paths that some data must go, */
    int64_t from, to;        /* between these ranks */
    const int64_t *farthest; /* of each block: from its only holder to a rank that needs it, or from
                                a contributor to a rank that holds the result */
    const int64_t *nearest;  /* of each rank: from the nearest other one */
} RequiredPaths;

typedef struct {
    Arena *arena;
    const Contract *contract;
    const Network *network;
    const Rules *rules;
    Demand demand;
    CapacityGraph capacity_graph;
    RequiredPaths paths; /* in links */
} Bounder;

/* lengths[i]: of link i of the network; NULL: 1. */
RequiredPaths required_paths_measure(Arena *arena, const Demand *demand, const Network *network,
                                     const int64_t *lengths);

Bound bound_rounds(Bounder *bounder);
Bound bound_distance(Bounder *bounder);
Bound bound_node(Bounder *bounder);
Bound bound_ports(Bounder *bounder);
Bound bound_volume(Bounder *bounder);
Bound bound_compute(Bounder *bounder);

/* Arcs to look at. */
int64_t bound_search_work(BoundSearch search);
/* `blocks` over what `capacity` of the capacity graph passes: times tw, or a time by itself. */
Bound bound_over(const Bounder *bounder, BoundKind kind, __int128 blocks, __int128 capacity);
/* "4 links", "1 port", "376 GB/s": what passes that capacity. */
const char *bound_show_capacity(const Bounder *bounder, __int128 capacity, const char *thing);

#endif
