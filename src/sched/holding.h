/* Which blocks each rank holds.

   Most sets are runs: rank r holds count(r) blocks, first(r) + i stride. That is so of one set
   whose blocks are rows (block_rows.h) along at most one loop. Then two numbers of each rank do for
   p^2 blocks. Everything else is laid out as lists. */
#ifndef COLLCOST_SCHED_HOLDING_H
#define COLLCOST_SCHED_HOLDING_H

#include "sched/blockspace.h"
#include "sched/per_rank.h"

typedef struct {
    int64_t p;
    const int64_t *starts, *blocks; /* lists: blocks of rank r from starts[r] on, rising, none
                                       twice; NULL: runs */
    PerRank firsts, counts;         /* runs */
    int64_t stride;                 /* of all runs, > 0 */
    int64_t total;                  /* entries of all ranks */
    int64_t holders;                /* ranks that hold anything */
    bool is_shared;                 /* all of these hold the same blocks */
    int64_t from, to; /* ranks that stand for all: the first holder where all share, else 0, p */
} Holding;

static inline int64_t holding_count(const Holding *holding, int64_t rank)
{
    return holding->blocks ? holding->starts[rank + 1] - holding->starts[rank]
                           : per_rank(&holding->counts, rank);
}

/* Block i of those of a rank: they rise, and none comes twice. */
static inline int64_t holding_block(const Holding *holding, int64_t rank, int64_t i)
{
    return holding->blocks ? holding->blocks[holding->starts[rank] + i]
                           : per_rank(&holding->firsts, rank) + i * holding->stride;
}

/* Ranks from this one on hold what it does up to the result, p at most, or further. */
static inline int64_t holding_next(const Holding *holding, int64_t rank)
{
    const int64_t firsts = holding->blocks ? rank + 1 : per_rank_next(&holding->firsts, rank);
    const int64_t counts = firsts > rank + 1 ? per_rank_next(&holding->counts, rank) : firsts;
    const int64_t next = firsts < counts ? firsts : counts;
    return next < holding->p ? next : holding->p;
}

/* In O(1) of a run, O(log count) of a list. */
bool holding_has(const Holding *holding, int64_t rank, int64_t block);

/* For whom sets name blocks: the frame has a lane for each of p ranks. */
typedef struct {
    Arena *arena;
    const Collective *collective;
    int64_t p;
    const BlockSpace *space;
    const Frame *frame;
    Diag *diag;
} HoldingLayout;

/* Who holds which of the blocks that `sets` names, in O(p) where they are runs. False after a
   report, also if there are too many for lists (2^26). */
bool holding_lay_out(const HoldingLayout *layout, const SetList *sets, Holding *holding);

#endif
