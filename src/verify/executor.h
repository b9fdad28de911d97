/* The executor: a schedule run on real data for every rank.

   memory of a rank:  | block 0 | block 1 | ... |     chunks of a block differ by one element at
   most
   memory of a block: | its elements of one operation | those of the next | ... |

   All operations are tried in one run: who holds what, and what is sent where, is the same for all.
   Data is copied and combined in place; only a round that reads what it also writes is staged. */
#ifndef COLLCOST_VERIFY_EXECUTOR_H
#define COLLCOST_VERIFY_EXECUTOR_H

#include "sched/contract.h"
#include "sched/schedule.h"
#include "sched/weights.h"
#include "verify/failure.h"
#include "verify/operation.h"

typedef struct Executor Executor;

/* For each of the operations, a set of bits 1 << OperationKind: `elements` of each whole block,
   filled with random values from `seed`; with weights as many of one with weight 1, or in
   proportion fewer where weights are large; none of a block with weight 0. NULL if the data of one
   operation would need over 128 MiB. */
Executor *executor_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                          int64_t chunks, unsigned operations, int64_t elements,
                          const Weights *weights, uint64_t seed);
bool executor_apply(Executor *executor, const Round *round, Failure *failure);
/* After the last round: does every rank hold the right values? Where the contract asks for no
   order, operations that need it may have other values: *in_rank_order is false then. */
bool executor_check(const Executor *executor, bool *in_rank_order, Failure *failure);

#endif
