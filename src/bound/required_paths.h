/* Paths that data must go: from the ranks that have it to those that need it. */
#ifndef COLLCOST_BOUND_REQUIRED_PATHS_H
#define COLLCOST_BOUND_REQUIRED_PATHS_H

#include "bound/demand.h"
#include "net/network.h"

/* Measured in links, or in other lengths. */
typedef struct {
    bool known;              /* false: there are too many ranks to measure */
    int64_t longest;         /* of the shortest paths that some data must go, */
    int64_t from, to;        /* between these ranks */
    const int64_t *farthest; /* of each block: from its only holder to a rank that needs it, or from
                                a contributor to a rank that holds the result */
    const int64_t *nearest;  /* of each rank: from the nearest other one */
} RequiredPaths;

/* lengths[i]: of link i of the network; NULL: 1. */
RequiredPaths required_paths_measure(Arena *arena, const Demand *demand, const Network *network,
                                     const int64_t *lengths);

#endif
