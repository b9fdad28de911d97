/* Two algorithms of a collective on one network at one size: which is the faster, what each pays,
   the rounds that make the difference, and what would reverse it. */
#ifndef COLLCOST_STUDY_EXPLANATION_H
#define COLLCOST_STUDY_EXPLANATION_H

#include "study/case.h"

/* See collcost_explain. *is_wrong: whether one of them failed its check. NULL after a report. */
const collcost_explanation *explanation_find(Case *first, Case *second, double bytes,
                                             bool wants_break_evens, bool *is_wrong);

#endif
