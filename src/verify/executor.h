/* The executor: a schedule run on real data for every rank.

   memory of a rank:  | block 0 | block 1 | ... |     chunks of a block differ by one element at
   most
   memory of a block: | its elements of one operation | those of the next | ... |

   All operations are tried in one run: who holds what, and what is sent where, is the same for all.
   Data is copied and combined in place; only a round that reads what it also writes is staged. */
#ifndef COLLCOST_VERIFY_EXECUTOR_H
#define COLLCOST_VERIFY_EXECUTOR_H

#include "sched/extents.h"
#include "sched/weights.h"
#include "verify/failure.h"

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

/* What the executor combines: the operations that users have, and two that find mistakes.

   SUM of random whole numbers shows a missing or doubled contribution; AFFINE composes maps
   x -> a x + b, which shows a wrong order too. The other operations are there because users have
   them; DOUBLE is not associative, so its result is compared under an error bound. */

typedef enum {
    OPERATION_SUM,
    OPERATION_PROD,
    OPERATION_MAX,
    OPERATION_MIN,
    OPERATION_DOUBLE,
    OPERATION_AFFINE,
    OPERATION_COUNT
} OperationKind;

typedef struct {
    const char *name;
    size_t words; /* of 64 bits, an element */
    /* into = into op from; or from op into where `from_is_left`. */
    void (*combine)(uint64_t *into, const uint64_t *from, size_t elements, bool from_is_left);
    bool needs_order;
} CombineInfo;

/* By OperationKind. */
extern const CombineInfo combine_table[OPERATION_COUNT];

/* The elements that a rank contributes, made from one random word each. `ranks` is p. */
void operation_fill(OperationKind kind, const uint64_t *randoms, size_t count, int64_t ranks,
                    uint64_t *elements);

/* Expected results. They are kept as elements, but for DOUBLE, where they are exact: the sum and
   the sum of absolute values of its whole-numbered terms. */
size_t operation_expected_words(OperationKind kind);
/* Starts with, or adds, the contribution made from `randoms` on the right. */
void operation_expect(OperationKind kind, bool first, const uint64_t *randoms, size_t count,
                      int64_t ranks, uint64_t *expected);
/* Are these the expected elements, after `terms` contributions were combined in some order? */
bool operation_agrees(OperationKind kind, const uint64_t *elements, size_t count,
                      const uint64_t *expected, int64_t terms, int64_t ranks);

/* Problems run on real matrices: in whole numbers, where every bit must be right, and in doubles,
   multiplied with BLAS and compared with a serial product under a bound on rounding.

   A block's value is never changed in place: who combines or multiplies makes a new one. So what a
   round sends is what was there before it. */

typedef struct ProductRun ProductRun;

/* Random matrices, and their blocks where the contract says they are before. NULL if that would
   need over 256 MiB. */
ProductRun *product_create(Arena *arena, const Instance *instance, const Contract *contract,
                           const BlockSpace *space, const Extents *extents, bool whole_numbers);
bool product_apply(ProductRun *run, const Round *round, Failure *failure);
/* After the last round: is every block of the result where it must be, and right? */
bool product_check(const ProductRun *run, Failure *failure);

#endif
