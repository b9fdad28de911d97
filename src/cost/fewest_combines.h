/* Combining told from counts, without following who holds which block.

   Where each rank contributes a block, p - 1 arrivals at least must meet such a block before one
   place has all contributions: each combines two partial results into one. So where a schedule
   that is right lets no more than (p - 1) blocks of each number arrive in messages that combine,
   all of them do. */
#ifndef COLLCOST_COST_FEWEST_COMBINES_H
#define COLLCOST_COST_FEWEST_COMBINES_H

#include "sched/schedule.h"

/* How many blocks arrive to be combined, at least, with all chunks. False, without a report, where
   not every rank contributes to each block, or not each block is wanted. O(p + blocks) with
   contracts that are runs. */
bool fewest_combines(const Arena *arena, const Instance *instance, int64_t *fewest);

#endif
