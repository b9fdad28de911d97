/* Profiles of one schedule for more and more chunks, once each further chunk adds the same.

   A pipeline fills, runs and drains: from some number of chunks on, `period` chunks more are so
   many turns more of kinds that are there already. The profile of k chunks, as a collection of
   turns, which is all that its time depends on, is then that of k - period with these added. That
   is taken to go on where it was so for several numbers of chunks in a row, and is so up to the
   largest, whose profile is derived to confirm it. */
#ifndef COLLCOST_COST_STEADY_H
#define COLLCOST_COST_STEADY_H

#include "cost/derive_profile.h"

typedef struct Steady Steady;

/* For up to `most` chunks. */
Steady *steady_create(Arena *arena, int64_t most);
/* Takes the derived profile of k chunks; others than the one behind the last are ignored. True: it
   looks steady, and the profile of the most chunks is wanted. */
bool steady_add(Steady *steady, int64_t k, const Profile *profile);
/* Takes the profile of the most chunks. */
void steady_confirm(Steady *steady, const Profile *profile);
/* The profile of k chunks, with its turns in another order and without what it does not need to be
   timed; NULL where it is not known. */
const Profile *steady_profile(Steady *steady, int64_t k);

#endif
