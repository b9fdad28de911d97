/* Paths for blocks that go from one rank to another: scatter, gather, alltoall.

   That all pairs of ranks send as much as links allow is a concurrent flow. Shares of blocks are
   led one by one over links that carry little, and again, until the busiest link carries no less
   (Garg and Koenemann, SIAM J. Comput. 37, 2007; Young, 1995), so the rate is near the largest, but
   not surely it. */
#ifndef COLLCOST_SYNTH_WAYS_H
#define COLLCOST_SYNTH_WAYS_H

#include "synth/hops.h"

typedef struct {
    int32_t weight; /* of how many shares */
    int32_t count;  /* of ranks on it */
    int32_t *ranks;
} Way;

ARRAY_TYPE(Ways, Way);

typedef struct {
    Ways paths;
    int64_t shares;  /* of each block */
    int32_t longest; /* messages of a path */
} WaySet;

typedef enum { WAYS_FROM_ROOT, WAYS_TO_ROOT, WAYS_BETWEEN_ALL } WaysTask;

/* In the arena of `hops`. `directly`: in one message each. False after a report: some rank is not
   reached, or this takes more work than is allowed. */
bool ways_find(const Hops *hops, WaysTask task, int64_t root, bool directly, WaySet *ways,
               Diag *diag);

#endif
