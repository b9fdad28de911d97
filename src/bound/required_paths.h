/* Paths that data must go: from the ranks that have it to those that need it. */
#ifndef COLLCOST_BOUND_REQUIRED_PATHS_H
#define COLLCOST_BOUND_REQUIRED_PATHS_H

#include "bound/demand.h"
#include "net/network.h"

/* Measured in links, or in other lengths. */
typedef struct {
    bool known;              /* false: it would take too long to measure */
    int64_t longest;         /* of the shortest paths that some data must go, */
    int64_t from, to;        /* between these ranks */
    const int64_t *farthest; /* of each kind of blocks, added up: from its only holder to a rank
                                that needs it, or from a contributor to a rank that holds the
                                result */
    int64_t unreached;       /* in an exchange: blocks for which there is no path */
    bool is_disconnected;    /* no path leads from this rank to that one, which needs its data */
    int64_t disconnected_from, disconnected_to;
    int64_t nearest; /* the shortest path between any two ranks; 0: there is none */
} RequiredPaths;

/* lengths[i]: of link i of the network, the same for all links of a class; NULL: 1.

   One search from each rank, for 2^24 distances at most; where all ranks of the network are alike,
   one search in all, and then as many steps as there are pairs of ranks that data must go between,
   or none if the contract treats all ranks alike, too. */
RequiredPaths required_paths_measure(Arena *arena, const Demand *demand, const Network *network,
                                     const int64_t *lengths);

#endif
