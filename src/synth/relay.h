/* Trees in few rounds, for small messages.

   In each round ranks that have the data send it to those that shall have it next, as many as are
   needed to reach all in that number of rounds: first far apart, last to those nearby. Who sends to
   whom follows what links carry in that round already. For one root, ranks change places as long as
   links carry no more, and up to MOST_EXACT_RANKS ranks the trees are the best. */
#ifndef COLLCOST_SYNTH_RELAY_H
#define COLLCOST_SYNTH_RELAY_H

#include "synth/hops.h"
#include "synth/packed_tree.h"

/* A tree for each root in `rounds` rounds; 0: in as many as the farthest rank is away, and each
   message goes to a neighbour. *transfer gets the time of the busiest links, round by round, for a
   byte of a block. In the arena of `hops`; O(p^2) routes, of all roots O(p^3). False, silently,
   where neighbours do not reach all ranks. */
bool relay_find(const Hops *hops, int64_t root, int32_t rounds, TreePacking *packing,
                double *transfer);

/* The trees in few rounds that carry the least, on small networks.

   In a round some ranks have the data and others get it; what the busiest link carries then depends
   on these two sets alone, so the best rounds follow from the best ones for fewer rounds and more
   ranks. */

enum { MOST_EXACT_RANKS = 8 };

/* Parents and rounds of a tree from `root` that takes `rounds` rounds at most, with the least sum
   of the times of the busiest links, which is returned: for a byte of a block that is not cut. For
   2 to MOST_EXACT_RANKS ranks; O(3^p) pairs of sets, for each of which senders are tried. INFINITY:
   more rounds than ranks. */
double relay_exactly(const Hops *hops, int32_t root, int32_t rounds, int32_t *parents,
                     int32_t *reached);

#endif
