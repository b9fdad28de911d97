/* Several schedules that share links in time, each with ranks of its own: a rank that is in two of
   them does both at once, and only links, lanes and capacities are shared. */
#ifndef COLLCOST_COST_TOGETHER_H
#define COLLCOST_COST_TOGETHER_H

#include "cost/derive_profile.h"

/* One of them: derived on the same network by the same rules, without protocols. */
typedef struct {
    const Profile *profile; /* with a timeline that shares */
    double bytes;           /* m */
} ScheduleTogether;

/* ends[i]: when schedule i is done where all start at once, in seconds. `arena` for scratch. */
void together_run(Arena *arena, const ScheduleTogether *schedules, size_t count,
                  const double *parameters, double *ends);

#endif
