/* The best weights of links: the bound of the maximum concurrent flow.

   Whatever weights of 0 or more links have, each block must cross at least as much weight as the
   lightest path has from the rank that holds it to the one that needs it, and in a time T links
   pass no more weight than T times their capacities times their weights. `volume` is that for
   weights of
   1. By the duality of linear programs the best weights prove as much as any way of splitting and
   routing all blocks can reach (Shahrokhi and Matula, Journal of the ACM 37(2), 1990). A solver
   finds weights in doubles; the bound is computed from them, made whole, in whole numbers, so it
   holds whatever the solver did. */
#ifndef COLLCOST_BOUND_FLOW_H
#define COLLCOST_BOUND_FLOW_H

#include "bound/kinds.h"
#include "bound/linear_program.h"

typedef struct {
    const int64_t
        *weights;    /* of each link: arc 2 p + i of the capacity graph; in the bounder's arena */
    int64_t crossed; /* blocks times the weight of their paths; 0: nothing was found */
    int64_t passed;  /* capacities, in units of the capacity graph, times weights */
} Weighing;

/* For the capacity graph that the cut was found in, whose links are a first try. Where both
   directions of a link share its capacity, both have the same weight, and it is counted once. */
Bound bound_flow(Bounder *bounder, const Cut *cut, Weighing *weighing);

/* Blocks that go from one rank to one other, on a network whose links have weights: how heavy their
   lightest paths are, and what these load. */

/* What has a weight is a link, or, where both directions share its capacity, both together. Links
   that take no time weigh nothing. */
typedef struct {
    int64_t p, sender_count;
    const int64_t *demands; /* blocks from rank s to rank t: demands[s * p + t] */
    Graph graph;            /* of routers; link i is arc 2 p + i of the capacity graph */
    const int32_t *places;  /* of each link: where its weight stands, or -1 */
    size_t count;           /* of weights */
    const int64_t *capacities;
    struct TrafficRoom *room;
} Traffic;

/* For a capacity graph that is laid out. False unless each block that must move has one holder, and
   one rank that needs it. */
bool traffic_open(const Bounder *bounder, Traffic *traffic);
/* Blocks times the weight of their lightest paths, and capacities times weights. False if they do
   not fit. Each sender's paths are added to the mix, unless that is NULL; where several are
   lightest, all carry alike. */
bool traffic_weigh(const Traffic *traffic, const int64_t *weights, RouteMix *mix, int64_t *crossed,
                   int64_t *passed);

#endif
