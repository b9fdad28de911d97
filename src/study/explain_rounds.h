/* The rounds of two schedules beside one another: where they first differ, which round is the
   slowest, and which the most contended, with the message and the link that make it so. */
#ifndef COLLCOST_STUDY_EXPLAIN_ROUNDS_H
#define COLLCOST_STUDY_EXPLAIN_ROUNDS_H

#include "sched/schedule.h"
#include "study/study.h"

/* One round of a schedule: its slowest message, and the busiest link on the way of that. */
typedef struct {
    int64_t number; /* from 1; 0: there is no such round */
    double seconds; /* with what is combined behind it */
    int64_t from, to;
    double bytes; /* of the message */
    bool has_link;
    int64_t link_from, link_to;
    int64_t messages; /* on the link, in this round */
    double load;      /* their bytes */
} RoundFact;

typedef struct {
    RoundFact first_difference, slowest;
    RoundFact most_contended; /* whose slowest message shares a link with the most bytes of others;
                          none where links are not shared */
} RoundFacts;

/* Of two schedules for m bytes; rounds are costed under barriers. False after a report. */
bool explain_rounds(const Study *study, const Network *network, const Instance instances[2],
                    double bytes, RoundFacts facts[2]);

#endif
