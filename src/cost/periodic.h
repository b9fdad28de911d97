/* Profiles of one schedule for more and more chunks, once each further chunk adds the same.

   A pipeline fills, runs and drains: from some number of chunks on, `period` chunks more are so
   many port steps more of kinds that are there already. The profile of k chunks, as a collection of
   port steps, which is all that its time depends on, is then that of k - period with these added.
   That is taken to go on where it was so for several numbers of chunks in a row, and is so up to
   the largest, whose profile is derived to confirm it; or where it is known from the schedule. */
#ifndef COLLCOST_COST_PERIODIC_H
#define COLLCOST_COST_PERIODIC_H

#include "cost/derive_profile.h"

typedef struct Periodic Periodic;

/* For up to `most` chunks. From `known` chunks on each further one adds the same; 0: that is not
   known. */
Periodic *periodic_create(Arena *arena, int64_t most, int64_t known);
/* Can it become periodic yet? */
bool periodic_is_open(const Periodic *periodic);
bool periodic_is_confirmed(const Periodic *periodic);
/* The number of chunks whose profile is wanted next. */
int64_t periodic_next(const Periodic *periodic);
/* Takes the derived profile of k chunks; others than the next are ignored. Where it looks periodic,
   the number of chunks whose profile periodic_confirm wants, else 0. */
int64_t periodic_add(Periodic *periodic, int64_t k, const Profile *profile);
bool periodic_confirm(Periodic *periodic, int64_t k, const Profile *profile);
/* The profile of k chunks, with its port steps in another order and without what it does not need
   to be timed; NULL where it is not known. */
const Profile *periodic_profile(Periodic *periodic, int64_t k);

#endif
