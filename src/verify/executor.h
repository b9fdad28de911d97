/* The executor: a schedule run on real data for every rank.

   memory of a rank:  | block 0 | block 1 | ... |     chunks of a block differ by one element at
   most

   Data is copied and combined in place; only a round that reads what it also writes is staged. */
#ifndef COLLCOST_VERIFY_EXECUTOR_H
#define COLLCOST_VERIFY_EXECUTOR_H

#include "sched/contract.h"
#include "sched/schedule.h"
#include "sched/weights.h"
#include "verify/failure.h"
#include "verify/operation.h"

typedef struct Executor Executor;

/* `elements` of each whole block, filled with random values from `seed`; with weights as many of
   one with weight 1, or in proportion fewer where weights are large; none of a block with weight 0.
   NULL if the data would need over 128 MiB. */
Executor *executor_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                          int64_t chunks, OperationKind kind, int64_t elements,
                          const Weights *weights, uint64_t seed);
bool executor_apply(Executor *executor, const Round *round, Failure *failure);
/* After the last round: does every rank hold the right values? */
bool executor_check(const Executor *executor, Failure *failure);
/* Bytes copied or combined so far. */
size_t executor_bytes(const Executor *executor);

#endif
