/* The number of branches of a program that leaves it free: a radix, or a fan-out, within a range of
   p and d. */
#ifndef COLLCOST_SCHED_BRANCHES_H
#define COLLCOST_SCHED_BRANCHES_H

#include "sched/schedule.h"

/* The program's own range. False where it has no value, or begins below the least radix or fan-out
   that divides anything. */
bool branches_own_range(const Algorithm *algorithm, int64_t p, int64_t ports, int64_t *least,
                        int64_t *most);
/* The nearest number within a range; the least, if it is empty. */
int64_t branches_within(int64_t least, int64_t most, int64_t wanted);
/* The number that the program of `algorithm`, which runs as the instance says, takes: that of the
   instance, within its range; 0 where it has none. False after a report. */
bool branches_settle(const Algorithm *algorithm, const Instance *instance, int64_t *branches,
                     Diag *diag);

#endif
