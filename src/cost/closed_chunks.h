/* The number of chunks k with the least time, where closed forms give it.

   All that the literature states is a + b k + c / k, from some k on, or so for each rest of k by
   the period of the schedule (cost/bag.h): startups grow with k while what waits for the first
   chunk shrinks. a, b and c are found from three k, held against others, and tell the best k of any
   size: the root of c / b, rounded down or up. A form that is none of these is tried for all k up
   to a limit. */
#ifndef COLLCOST_COST_CLOSED_CHUNKS_H
#define COLLCOST_COST_CLOSED_CHUNKS_H

#include "cost/closed.h"

typedef struct ClosedChunks ClosedChunks;

/* What it points to lives as long as the arena; parameters may change. */
ClosedChunks *closed_chunks_create(Arena *arena, ClosedForm *form, const Rules *rules,
                                   int64_t period);
/* The best of 1 .. most for so many bytes, the least of equals; with rules->real_chunks the best
   real number, where the form has a value there. O(1) evaluations, or `few` of a form that is none
   of these. False after a report. */
bool closed_chunks_best(ClosedChunks *chunks, double bytes, int64_t most, int64_t few, double *k,
                        Diag *diag);

#endif
