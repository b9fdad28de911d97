/* Time without barriers: each message starts when those that it waits for are done.

   Which message is waited for depends on the machine and the size, so the messages themselves are
   kept, and a run over them finds the longest path for one machine and one size:

       rank 0   [send c0][send c1]...            with overlapped combining, a sender, a receiver
       rank 1      [recv][recv]                  and a combiner work side by side; otherwise a rank
                       [combine][combine]        does one port step after the other */
#ifndef COLLCOST_COST_DERIVE_TIMELINE_H
#define COLLCOST_COST_DERIVE_TIMELINE_H

#include "cost/sharing.h"

/* Blocks are blocks[first_block ...], kept where combining overlaps: those that are combined, as
   ~number, and those that land. */
typedef struct {
    int32_t from, to;
    uint32_t path_count, block_count;
    size_t first_path, first_block;
    double combined; /* blocks */
} TimedMessage;

/* Messages [begin of the port step before, end) happen in one port step. */
typedef struct {
    size_t end;
    bool ends_round; /* what the round wrote can be read behind it */
} TimedPortStep;

ARRAY_TYPE(TimedMessageArray, TimedMessage);
ARRAY_TYPE(TimedPortStepArray, TimedPortStep);
ARRAY_TYPE(BlockArray, int32_t);

typedef struct Timeline {
    Workspace *workspace;
    Sharing *sharing; /* NULL: messages share nothing in time */
    bool overlaps;
    bool averages; /* the time is the mean over ranks of the end of each */
    int64_t p, block_count;
    TimedMessageArray messages;
    TimedPortStepArray steps;
    BlockArray blocks, sources; /* as they land, and as they were at their sender */
} Timeline;

/* More messages, or more blocks times ranks, are not followed. */
enum { MOST_TIMED_MESSAGES = 1 << 21 };

/* When a message is under way, and when its blocks are combined (where nothing is, for no time), in
   seconds. */
typedef struct {
    double start, end, combine_start, combine_end;
} MessageSpan;
/* What the start of a message waited for, where messages share in time. */
typedef struct {
    int32_t cause; /* the message that arrived last at `rank`; -1: none, it starts at once */
    int32_t rank;  /* its sender or its receiver, whichever was ready later */
    bool critical; /* the last end of all waited for it */
    double alone;  /* seconds that it would be under way if it had its links to itself */
} MessageWait;
/* For what machine and size the messages are followed, and what else is wanted of them. */
typedef struct {
    const Timeline *timeline;
    const PathCost *paths;
    const double *parameters;
    double block; /* bytes */
    MessageSpan
        *spans; /* of all messages, in the order in which profile_trace visits them; NULL: no */
    MessageWait *waits; /* of all; not without sharing */
    double *ends;       /* when each rank is done, in seconds; not with sharing */
} TimelineRun;

/* The parts of the longest path, `transfer` and `compute` by byte of a block. */
CostParts timeline_run(const TimelineRun *run);

Timeline *timeline_copy(Arena *arena, const Timeline *timeline);

#endif
