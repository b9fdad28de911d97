/* A quick trial of an algorithm on real data, for commands that are not about that. */
#ifndef COLLCOST_STUDY_SMOKE_RUN_H
#define COLLCOST_STUDY_SMOKE_RUN_H

#include "study/study.h"

/* Whether ranks are combined in their order: for each root, or for root 0, or not even there. */
typedef enum { ORDER_OF_RANKS, ORDER_AT_ROOT_0, ORDER_NONE } CombiningOrder;

/* Runs the algorithm for 1 .. `most` ranks, some roots and numbers of chunks. The first fault, or
   NULL; *order is of what was run. */
const char *smoke_run(const Study *study, const Algorithm *algorithm, int64_t most,
                      CombiningOrder *order);

#endif
