/* The executor on names: what every rank holds, as the set of ranks whose contributions are in it.

   It finds the transfer that goes wrong and says what is missing or doubled, which data cannot.
   One bit for every (rank, block, contributor), so it serves up to some hundred ranks. */
#ifndef COLLCOST_VERIFY_CONTENTS_H
#define COLLCOST_VERIFY_CONTENTS_H

#include "sched/contract.h"
#include "sched/schedule.h"
#include "verify/failure.h"

typedef struct Contents Contents;

/* NULL where the bits would need over 64 MiB. */
Contents *contents_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                          int64_t chunks);
/* False, and a failure, if a transfer sends what its rank does not hold, combines a contribution
   twice or overwrites a block with another value. */
bool contents_apply(Contents *contents, const Round *round, Failure *failure);
/* After the last round: is the contract fulfilled? */
bool contents_check(const Contents *contents, Failure *failure);

#endif
