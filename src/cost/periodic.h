/* Profiles of one schedule for more and more chunks, once each further chunk adds the same.

   A pipeline fills, runs and drains: from some number of chunks on, `period` chunks more are so
   many turns more of kinds that are there already. The profile of k chunks, as a collection of
   turns, which is all that its time depends on, is then that of k - period with these added. That
   is taken to go on where it was so for several numbers of chunks in a row, and is so up to the
   largest, whose profile is derived to confirm it. */
#ifndef COLLCOST_COST_PERIODIC_H
#define COLLCOST_COST_PERIODIC_H

#include "cost/derive_profile.h"

typedef struct Steady Steady;

/* For up to `most` chunks. */
Steady *steady_create(Arena *arena, int64_t most);
/* Can it become steady yet? */
bool steady_is_open(const Steady *steady);
bool steady_is_confirmed(const Steady *steady);
/* The number of chunks whose profile is wanted next. */
int64_t steady_next(const Steady *steady);
/* Takes the derived profile of k chunks; others than the next are ignored. Where it looks steady,
   the number of chunks whose profile steady_confirm wants, else 0. */
int64_t steady_add(Steady *steady, int64_t k, const Profile *profile);
bool steady_confirm(Steady *steady, int64_t k, const Profile *profile);
/* The profile of k chunks, with its turns in another order and without what it does not need to be
   timed; NULL where it is not known. */
const Profile *steady_profile(Steady *steady, int64_t k);

#endif
