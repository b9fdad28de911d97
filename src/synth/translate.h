/* Trees of one rank that stand for those of all.

   On a torus, a hypercube or a complete network every shift of coordinates maps links on links, so
   a link stands for all of its direction. Trees of rank 0 that have edges of each direction in
   proportion to its capacity load all links alike when they are shifted to all ranks: no cut is
   tighter than that around a rank then. Each rank picks its parents among the neighbours that are
   nearer to the root, by a flow from ranks to directions, so that no tree is higher than the
   network is wide. */
#ifndef COLLCOST_SYNTH_TRANSLATE_H
#define COLLCOST_SYNTH_TRANSLATE_H

#include "synth/fabric.h"

/* Adds the trees of all ranks, *shares of each, at a rate that is the largest where it is that of
   the cut around a rank. False, silently, where the network is not so, or there are no such trees.
   O(p d) and one flow, with d directions. */
bool translate_trees(Fabric *fabric, const Shape *shape, Rate rate, int64_t *shares,
                     PackedTrees *trees);

#endif
