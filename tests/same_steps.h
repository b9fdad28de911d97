/* Profiles whose port steps cost the same. By members: what lies between these may differ. */
#ifndef COLLCOST_TESTS_SAME_STEPS_H
#define COLLCOST_TESTS_SAME_STEPS_H

#include "cost/derive_profile.h"

#include <string.h>

/* Does a port step of `a` cost what one of `b` does, whatever their repeats? */
static inline bool is_same_step(const Profile *a, const PortStepCost *one, const Profile *b,
                                const PortStepCost *other)
{
    return one->combined == other->combined && one->message == other->message &&
           one->continues == other->continues && one->local == other->local &&
           one->path_count == other->path_count &&
           (one->path_count == 0 || memcmp(a->paths + one->first_path, b->paths + other->first_path,
                                           one->path_count * sizeof *a->paths) == 0);
}

/* Entry by entry. */
static inline bool are_same_steps(const Profile *a, const Profile *b)
{
    bool same = a->step_count == b->step_count;
    for (size_t t = 0; same && t < a->step_count; t++)
        same = a->steps[t].repeat == b->steps[t].repeat &&
               is_same_step(a, &a->steps[t], b, &b->steps[t]);
    return same;
}

#endif
