/* The rounds of two schedules beside one another: where they first differ, which round is the
   slowest, and which the most contended, with the message and the link that make it so. */
#ifndef COLLCOST_STUDY_EXPLAIN_ROUNDS_H
#define COLLCOST_STUDY_EXPLAIN_ROUNDS_H

#include "collcost.h"
#include "cost/derive.h"
#include "study/study.h"

/* Of two schedules for m bytes; rounds are costed under barriers. False after a report. */
bool explain_rounds(const Study *study, const Network *network, const Instance instances[2],
                    double bytes, collcost_rounds facts[2]);

/* Who waits for whom, where messages share links in time: the messages on which the end depends. */

typedef struct {
    const collcost_message *messages; /* the first one first */
    size_t count;
} CriticalPath;

/* Of a schedule for m bytes, by rules under which messages share in time. Lives in the study's
   arena. False after a report. */
bool critical_path_find(const Study *study, const Instance *instance, const Network *network,
                        double bytes, CriticalPath *path);

#endif
