/* The trees in few rounds that carry the least, on small networks.

   In a round some ranks have the data and others get it; what the busiest link carries then depends
   on these two sets alone, so the best rounds follow from the best ones for fewer rounds and more
   ranks. */
#ifndef COLLCOST_SYNTH_RELAY_EXACT_H
#define COLLCOST_SYNTH_RELAY_EXACT_H

#include "synth/hops.h"

enum { MOST_EXACT_RANKS = 8 };

/* Parents and rounds of a tree from `root` that takes `rounds` rounds at most, with the least sum
   of the times of the busiest links, which is returned: for a byte of a block that is not cut. For
   2 to MOST_EXACT_RANKS ranks; O(3^p) pairs of sets, for each of which senders are tried. INFINITY:
   more rounds than ranks. */
double relay_exactly(const Hops *hops, int32_t root, int32_t rounds, int32_t *parents,
                     int32_t *reached);

#endif
