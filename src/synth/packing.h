/* Trees that carry blocks from their roots to all ranks, as fast as the cuts of a network allow.

   A broadcast runs at the rate of the smallest cut between its root and any rank, if it is sent
   along that many trees that share no capacity (Edmonds, "Edge-disjoint branchings", Combinatorial
   Algorithms, 1973). With trees from all roots at once the rate is that of the set of ranks with
   the least capacity that comes in for each root outside of it (Frank, "On disjoint trees and
   arborescences", 1978); multiplicities in place of copies keep the work independent of capacities
   (Berczi and Frank, 2010). Where capacity runs through switches, arcs into and out of a switch are
   split off into arcs past it, which keeps all cuts between ranks (Jackson, J. Graph Theory 12,
   1988; Bang-Jensen, Frank and Jackson, SIAM J. Discrete Math. 8, 1995). For collectives: Zhao et
   al., "ForestColl", arXiv 2402.06787.

   Splitting off is sure to keep the rate only at switches into which as much capacity leads as out
   of them; at others it may be lost, and trees are packed at the rate that is left. */
#ifndef COLLCOST_SYNTH_PACKING_H
#define COLLCOST_SYNTH_PACKING_H

#include "cost/rules.h"
#include "synth/packed_tree.h"

/* Packs trees, for messages that load links and nothing else. In `arena`; with p ranks, n nodes, a
   arcs and t trees O(n^2 p + p t) maximum flows. False after a report: some rank is not reached, or
   this takes more work than is allowed. */
bool packing_find(Arena *arena, const Network *network, const Rules *rules, PackingTask task,
                  TreePacking *packing, Diag *diag);

#endif
