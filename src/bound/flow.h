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

#include "bound/parts.h"

typedef struct {
    const int64_t
        *weights;    /* of each link: arc 2 p + i of the capacity graph; in the bounder's arena */
    int64_t crossed; /* blocks times the weight of their paths; 0: nothing was found */
    int64_t passed;  /* capacities, in units of the capacity graph, times weights */
} Weighing;

/* For the capacity graph that the cut was found in, whose links are a first try. Where both
   directions of a link share its capacity, both have the same weight, and it is counted once. */
Bound bound_flow(Bounder *bounder, const Cut *cut, Weighing *weighing);

#endif
