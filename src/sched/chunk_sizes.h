/* The chunks of a block where a copy of a library says how long each is, in elements.

       n = 10, 4 ranks     full segments of s = 3   3 3 3 1      the first ones longer   3 3 2 2

   Elsewhere, and where costs are derived for any size, chunks are alike. */
#ifndef COLLCOST_SCHED_CHUNK_SIZES_H
#define COLLCOST_SCHED_CHUNK_SIZES_H

#include "sched/schedule.h"

/* *sizes: of each of the chunks of a block, cut by cut, in elements of the instance; where that has
   none, as shares of as many elements as there are chunks. NULL: they are alike. False after a
   report. */
bool chunk_sizes_find(Arena *arena, const Instance *instance, int64_t chunks, const int64_t **sizes,
                      Diag *diag);

#endif
