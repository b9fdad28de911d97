/* A quick trial of an algorithm on real data, for commands that are not about that. */
#ifndef COLLCOST_STUDY_SMOKE_RUN_H
#define COLLCOST_STUDY_SMOKE_RUN_H

#include "study/study.h"

/* Runs the algorithm for 1 .. `most` ranks, some roots and numbers of chunks. The first fault, or
   NULL; *in_order: whether it combines in the order of ranks. */
const char *smoke_run(const Study *study, const Algorithm *algorithm, int64_t most, bool *in_order);

#endif
