/* What the blocks of a problem's arrays are, for one n: part i of P along a size s begins at
   element i s div P.

       s = 10, P = 4:   part 0: 0 1 | part 1: 2 3 4 | part 2: 5 6 | part 3: 7 8 9               */
#ifndef COLLCOST_SCHED_EXTENTS_H
#define COLLCOST_SCHED_EXTENTS_H

#include "sched/schedule.h"

/* Rows first[0] .. first[0] + size[0] - 1 of its array, and columns likewise. */
typedef struct {
    int array;
    int64_t first[2], size[2];
} Extent;

typedef struct {
    BlockSpace space;
    int64_t sizes[PROBLEM_ARRAYS][2];         /* of the arrays */
    const int64_t *starts[PROBLEM_ARRAYS][2]; /* of their parts, and the end; NULL: not listed */
    const int64_t *elements;                  /* of each block: how many it has; NULL: not listed */
} Extents;

/* The sizes of the arrays for order n, without lists. False, without a report, where these have
   none. */
bool extents_try(const BlockSpace *space, int64_t n, Extents *extents);
/* The sizes for order n, with the lists, in `arena`. False after a report. */
bool extents_find(Arena *arena, const BlockSpace *space, int64_t n, Extents *extents, Diag *diag);
Extent extents_block(const Extents *extents, int64_t block);
int64_t extents_elements(const Extents *extents, int64_t block);
/* Have all blocks of an array the same size? */
bool extents_are_even(const Problem *problem, const int64_t parts[PROBLEM_ARRAYS][2], int64_t n);
/* Multiply-adds of a product. */
int64_t extents_work(const Extents *extents, const ScheduledProduct *product);
/* Do the sizes and places of the three blocks belong together? */
bool extents_fit(const Extents *extents, const ScheduledProduct *product);

#endif
