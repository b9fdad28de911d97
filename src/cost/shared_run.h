/* The time of a schedule whose messages share resources while they are under way, event by event.

   A message starts when its sender and its receiver are done with their port steps before, gets its
   max-min fair share of what it crosses from moment to moment (cost/filling), and ends a startup
   and its hops after its last byte; then its receiver combines. All times are lines in the size of
   a block that hold as long as no two events change places, so that the time over the size is known
   exactly, piece by piece. */
#ifndef COLLCOST_COST_SHARED_RUN_H
#define COLLCOST_COST_SHARED_RUN_H

#include "cost/derive_timeline.h"

typedef struct {
    CostParts parts; /* in seconds: transfer and compute are what grows with the size, startup also
                        what messages wait for, by the startups of others */
    double intercept, slope; /* the time as a line in the size of a block, */
    double until;            /* from this size to that one */
} SharedTime;

/* O(messages log messages) beside what filling takes. */
SharedTime shared_run(const TimelineRun *run);

#endif
