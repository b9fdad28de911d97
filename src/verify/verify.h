/* Is an algorithm right? Its schedule is expanded once and run on names and on real data. */
#ifndef COLLCOST_VERIFY_VERIFY_H
#define COLLCOST_VERIFY_VERIFY_H

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

/* The executor on names: what every rank holds, as the set of ranks whose contributions are in it.

   It finds the transfer that goes wrong and says what is missing or doubled, which data cannot.
   One bit for every (rank, block, contributor), so it serves up to some hundred ranks. */

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
