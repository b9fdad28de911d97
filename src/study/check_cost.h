/* A cost is shown with what supports it: the schedule run on data, the claim against the
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

/* Once: for answers that are asked for by the thousand, a few checks for each algorithm and
   network. Where the number of chunks is free, a power of two stands for the even ones up to the
   next, and the odd one behind it for the odd ones; and closed forms, which only
   answer where they were compared before, are not compared again. */
typedef enum { CHECK_EACH, CHECK_ONCE } CheckEffort;

/* Is a closed form what was derived, with k chunks? False after a report, on an answer that is not
   given up. */
bool check_closed(const Study *study, const ClosedForm *closed, double k, const Network *network,
                  double bytes, double derived);
/* Checks one schedule, and its closed form (or NULL) for `bytes`. */
CostCheck check_cost(const Study *study, const Instance *asked, const Network *network,
                     double bytes, const ClosedForm *closed, CheckEffort effort);

/* A quick trial of an algorithm on real data, for commands that are not about that. */

ARRAY_TYPE(InstanceArray, Instance);
/* Appends what an algorithm is tried with on one shape from one root, where all is to be tried: the
   targets, orders, numbers of chunks and of branches. */
void instances_list(Arena *arena, const Instance *of, InstanceArray *instances);

/* Whether ranks are combined in their order: for each root, or for root 0, or not even there. */
typedef enum { ORDER_OF_RANKS, ORDER_AT_ROOT_0, ORDER_NONE } CombiningOrder;

/* Runs the algorithm for 1 .. `most` ranks, some roots and numbers of chunks. The first fault, or
   NULL; *order is of what was run. */
const char *smoke_run(const Study *study, const Algorithm *algorithm, int64_t most,
                      CombiningOrder *order);

#endif
