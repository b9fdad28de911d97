/* The algorithms that can answer a question on one network, with their curves. */
#ifndef COLLCOST_STUDY_CANDIDATES_H
#define COLLCOST_STUDY_CANDIDATES_H

#include "cost/curve.h"
#include "study/study.h"

typedef struct {
    AlgorithmArray algorithms;
    Curve **curves; /* of each */
} Candidates;

/* The algorithms to compare on a network: `only`, or those that
   study->among and study->without leave of all that may run. */
bool candidates_list(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, AlgorithmArray *algorithms);
/* The same with curves. One that is too large to be followed here is left out
   with a warning, unless it was asked for by name. False after a report, also if none is left; with
   study->skips_refused there may be none to begin with. */
bool candidates_open(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, Candidates *candidates);

#endif
