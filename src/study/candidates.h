/* The algorithms that can answer a question on one network, with their curves. */
#ifndef COLLCOST_STUDY_CANDIDATES_H
#define COLLCOST_STUDY_CANDIDATES_H

#include "study/followed.h"

/* The algorithms to compare on a network: `only`, or those that
   study->among and study->without leave of all that may run. Appends the others to `left_out`,
   unless that is NULL. */
bool candidates_list(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, AlgorithmArray *algorithms, LeftOutArray *left_out);
/* The algorithms to compare, with their curves. One that is too large to be followed, or that
   the rules give no cost, is left out with a warning, unless it was asked for by name. False after
   a report, also if none is left; with study->skips_refused there may be none to begin with. */
bool candidates_open(const Study *study, const Collective *collective, const Algorithm *only,
                     const Network *network, Candidates *candidates);

#endif
