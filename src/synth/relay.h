/* Trees in few rounds, for small messages.

   In each round ranks that have the data send it to those that shall have it next, as many as are
   needed to reach all in so many rounds: first far apart, last to those nearby. Who sends to whom
   follows what links carry in that round already. For one root, ranks change places as long as
   links carry no more, and up to MOST_EXACT_RANKS ranks the trees are the best
   (synth/relay_exact.h). */
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

#endif
