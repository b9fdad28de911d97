/* A cost is shown with what stands behind it: the schedule run on data, the claim against the
   derived cost, for the very number of ranks and chunks of the question. */
#ifndef COLLCOST_STUDY_CHECK_COST_H
#define COLLCOST_STUDY_CHECK_COST_H

#include "cost/curve.h"
#include "study/study.h"

typedef enum {
    COST_GOOD,
    COST_WRONG,    /* reported */
    COST_SMALLER,  /* a composition, which is right on fewer ranks of the same shape */
    COST_TOO_LARGE /* not tried: too many ranks or chunks for a quick answer */
} CostCheck;

/* Checks one algorithm for p ranks, k chunks (a whole number) and so many branches, its closed form
 * (or NULL) for `bytes`.
 */
CostCheck check_cost(const Study *study, const Algorithm *algorithm, const Network *network,
                     double k, int64_t branches, double bytes, const ClosedForm *closed);
/* For answers that are asked for by the thousand: a few checks for each algorithm and network.
   Where the number of chunks is free, a power of two stands for the even ones up to the next, and
   the odd one behind it for the odd ones; a closed form is compared at the first size. */
CostCheck check_cost_once(const Study *study, const Algorithm *algorithm, const Network *network,
                          double k, int64_t branches, double bytes, const ClosedForm *closed);

#endif
