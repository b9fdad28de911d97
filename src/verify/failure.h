/* Why a schedule is wrong: where in the model file, and in words. */
#ifndef COLLCOST_VERIFY_FAILURE_H
#define COLLCOST_VERIFY_FAILURE_H

#include "sched/schedule.h"

typedef struct {
    const char *text; /* NULL: nothing is wrong */
    Span span;        /* the step; no place if the end result is what is wrong */
} Failure;

/* Of which schedule, and in which round. */
typedef struct {
    Arena *arena;
    const Contract *contract;
    const BlockSpace *space;
    int64_t round_number;
} FailureSite;

/* "round 2, 3 -> 1, block 0: WHAT (p = 8, root = 0)". False. */
bool failure_of_transfer(const FailureSite *site, const ScheduledTransfer *transfer, int64_t block,
                         Failure *failure, const char *what);

/* What is wrong, for messages and local work. */
const char *failure_not_held(const ScheduledTransfer *transfer);
const char *failure_overwrites(const ScheduledTransfer *transfer);

#endif
