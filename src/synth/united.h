/* Trees that combine data at their roots and bring it back, for an allreduce.

   A tree loads each of its links once in either direction. So trees are spanning trees of the
   undirected network, and the largest rate at which they can be packed is that of the partition of
   the ranks into k sets with the least capacity between them for each of k - 1 (Tutte, "On the
   problem of decomposing a graph into n connected factors", 1961; Nash-Williams, 1961), which no
   allreduce can exceed. Trees are found one by one, each of the links that carry the least of what
   they can, and again until the busiest link carries no less (Young, "Randomized rounding without
   solving the linear program", 1995). */
#ifndef COLLCOST_SYNTH_UNITED_H
#define COLLCOST_SYNTH_UNITED_H

#include "synth/hops.h"
#include "synth/packed_tree.h"

/* In the arena of `hops`, which are not reversed; share_of_cut stays 1. Several tens of passes over
   trees, O(p^2) each. False, silently: neighbours do not reach all ranks. */
bool united_find(const Hops *hops, TreePacking *packing);

#endif
