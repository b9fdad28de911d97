/* Space-time diagrams: ranks from top to bottom, time from left to right, to scale.

   A message occupies a bar above the line of its sender (startup, hops, transfer, and what it waits
   because links are shared) and one below the line of its receiver; an arrow joins them. Local work
   stands on the line. Where messages share links in time, the arrows of the critical path stand
   out. */
#ifndef COLLCOST_FORMAT_SPACE_TIME_H
#define COLLCOST_FORMAT_SPACE_TIME_H

#include "format/captions.h"

/* Times in seconds. */
typedef struct {
    int64_t from, to;
    double start;
    double startup, hops, transfer; /* one after the other */
    double shared;                  /* and how much longer for other messages on its links */
    bool is_critical;               /* the end of all depends on it */
    const char *label, *tip;
} SpaceTimeMessage;

typedef struct {
    int64_t rank;
    double start, end;
    bool is_product; /* of matrices; else blocks are combined */
    const char *tip;
} SpaceTimeWork;

typedef struct {
    double start, end;
    int64_t number;             /* from 1 */
    const char *words, *detail; /* "round 1", "1.018 us", as far as there is room; */
    const char *contention;     /* NULL: no link is shared */
} SpaceTimeRound;

ARRAY_TYPE(SpaceTimeMessages, SpaceTimeMessage);
ARRAY_TYPE(SpaceTimeWorks, SpaceTimeWork);
ARRAY_TYPE(SpaceTimeRounds, SpaceTimeRound);

typedef struct {
    Heading heading;
    int64_t ranks,
        steps;  /* port steps: with or without barriers between; more of them need more width */
    double end; /* of the time axis, above 0 */
    const char *total; /* at its end */
    SpaceTimeMessages messages;
    SpaceTimeWorks works;
    SpaceTimeRounds rounds; /* none without barriers */
} SpaceTime;

/* Ranks and rounds beyond which nobody could read it. */
enum { SPACE_TIME_MOST_RANKS = 64, SPACE_TIME_MOST_ROUNDS = 64 };

Drawing *space_time_draw(Arena *arena, const SpaceTime *data);

#endif
