/* Two algorithms of a collective on one network at one size: which is the faster, what each pays,
   the rounds that make the difference, and what would reverse it. */
#ifndef COLLCOST_STUDY_EXPLANATION_H
#define COLLCOST_STUDY_EXPLANATION_H

#include "study/case.h"

/* See collcost_explain. *is_wrong: whether one of them failed its check. NULL after a report. */
const collcost_explanation *explanation_find(Case *first, Case *second, double bytes,
                                             bool wants_break_evens, bool *is_wrong);
/* The fastest candidate and the next one that is slower, or as fast where none is slower; where one
   is `given` by name, rivals[1] is the fastest of the others. The number of candidates: there is
   none. Of those that are put off only those are followed, and checked, that may be among these.
   False after a report. */
bool explanation_rivals(Case *opened, double bytes, const char *given, size_t rivals[2]);

#endif
