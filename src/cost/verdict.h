/* Verdicts: claims against derived costs and bounds, exactly, over a grid.

   The grid is p = 1 .. largest, some roots, numbers of chunks and ports, on every topology and in
   every mode of switching that the claim leaves open, other rules being the usual ones; it is
   walked from small to large, so the first mismatch is the smallest counterexample. Compared are
   the coefficients of each parameter that the claim's source knows, and a mixture of all of them,
   as fractions. */
#ifndef COLLCOST_COST_VERDICT_H
#define COLLCOST_COST_VERDICT_H

#include "model/library.h"

typedef struct {
    bool holds;
    int64_t cases;              /* comparisons made */
    const char *counterexample; /* NULL where it holds */
} Verdict;

/* One verdict for each claim of the algorithm or collective, in its order. */
bool verdicts_of_algorithm(Arena *arena, Library *library, const Algorithm *algorithm,
                           int64_t largest_p, Verdict *verdicts, Diag *diag);
bool verdicts_of_collective(Arena *arena, Library *library, const Collective *collective,
                            int64_t largest_p, Verdict *verdicts, Diag *diag);

#endif
