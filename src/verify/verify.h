/* Is an algorithm right? Its schedule is expanded once and run on names and on real data. */
#ifndef COLLCOST_VERIFY_VERIFY_H
#define COLLCOST_VERIFY_VERIFY_H

#include "sched/schedule.h"
#include "verify/failure.h"

typedef struct {
    bool right;
    Failure failure;    /* why not */
    bool in_rank_order; /* contributions were combined in the order of ranks */
    bool on_data;       /* false: too large to run; nothing was verified */
} Verification;

/* Runs one schedule. A program that cannot be expanded (a rank that does not exist, an index out of
   range) is reported to `diag` and is not right. */
Verification verify_schedule(Arena *arena, const Instance *instance, Diag *diag);

#endif
