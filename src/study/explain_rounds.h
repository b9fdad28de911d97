/* The rounds of two schedules beside one another: where they first differ, which round is the
   slowest, and which the most contended, with the message and the link that make it so. */
#ifndef COLLCOST_STUDY_EXPLAIN_ROUNDS_H
#define COLLCOST_STUDY_EXPLAIN_ROUNDS_H

#include "study/study.h"

/* Of two schedules for m bytes; rounds are costed under barriers. False after a report. */
bool explain_rounds(const Study *study, const Network *network, const Instance instances[2],
                    double bytes, collcost_rounds facts[2]);

#endif
