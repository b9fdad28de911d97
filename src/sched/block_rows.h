/* The blocks of a set as rows, without listing them.

   Where the bounds of its loops and its condition do not depend on its loops, and its indices are
   sums of multiples of their variables, the numbers of a rank's blocks are

       first + i steps[0] + j steps[1] + ...   for i in 0 .. counts[0] - 1, j in ...         */
#ifndef COLLCOST_SCHED_BLOCK_ROWS_H
#define COLLCOST_SCHED_BLOCK_ROWS_H

#include "sched/blockspace.h"

/* Of each lane. */
typedef struct {
    int loop_count; /* those that have more than one value somewhere */
    const int64_t *counts[MOST_LOOPS];
    int64_t *first, *steps[MOST_LOOPS];
    int64_t *to, *to_steps[MOST_LOOPS]; /* where they land */
    const bool *is_empty;
} BlockRows;

/* `as`: the array in which they land; negative: their own. False, silently, where the set is not of
   that form, or has blocks that are none: then set_expand tells. O(2^loops) for each lane. */
bool block_rows_find(Arena *arena, const BlockSpace *space, const CompiledSet *set,
                     const Frame *frame, size_t count, int as, BlockRows *rows);

#endif
