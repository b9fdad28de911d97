/* Trees and paths for shares of blocks, as messages are routed: each over links that carry little.

   What ranks send at once as fast as links allow is a concurrent flow of trees. Shares of blocks
   are led one by one, from the ranks that have the block to those that need it, each of these by
   the cheapest way from what is reached already (Takahashi and Matsuyama, Math. Japonica 24, 1980);
   a link is the dearer the more it carries. That is done again and again, until the busiest link
   carries no less (Garg and Koenemann, SIAM J. Comput. 37, 2007; Young, "Randomized rounding
   without solving the linear program", 1995). So the rate is near the largest, but not surely it.

   An allreduce goes along trees both ways, which combine data at their roots and bring it back, and
   load links in either direction. The largest rate of such spanning trees is that of the partition
   of the ranks into k sets with the least capacity between them for each of k - 1 (Tutte, "On the
   problem of decomposing a graph into n connected factors", 1961; Nash-Williams, 1961), which no
   allreduce can exceed. */
#ifndef COLLCOST_SYNTH_WAYS_H
#define COLLCOST_SYNTH_WAYS_H

#include "synth/hops.h"
#include "synth/packed_tree.h"

/* A block that goes from any of these ranks to all of those. */
typedef struct {
    int64_t block;
    const int32_t *sources, *targets;
    int32_t source_count, target_count;
} Errand;

ARRAY_TYPE(Errands, Errand);

/* All that a contract asks for that combines nothing. False after a report: some block
   is nowhere. O(blocks p). */
bool ways_list_errands(Arena *arena, const Contract *contract, Errands *errands, Diag *diag);
/* Where a root, or -1 for each of p ranks, sends its block to all. */
Errands ways_list_roots(Arena *arena, int64_t p, int64_t root);

/* By errand, in the arena of `hops`. Several tens of passes over all shares,
   O(p^2) each. False, silently: neighbours do not reach all ranks. */
bool ways_find(const Hops *hops, const Errands *errands, bool both_ways, TreePacking *packing);
/* In one round: each rank gets a block from the nearest that has it. Paths from the same rank share
   their parents. */
void ways_directly(const Hops *hops, const Errands *errands, bool are_paths, TreePacking *packing);
/* The heights of trees whose parents are known. */
void ways_measure(TreePacking *packing);
/* The time of the busiest link for a byte of a block that is sent along the trees. */
double ways_load(const Hops *hops, const TreePacking *packing);

#endif
