/* Blocks of unequal sizes: a block has w m bytes, with a weight w of its own and m the unit.

   Weights are whole numbers from 0 on, one for each block of a collective, in the order of block
   numbers (blockspace.h): w(r) of the block of rank r, w(s, t) of that from rank s to rank t. */
#ifndef COLLCOST_SCHED_WEIGHTS_H
#define COLLCOST_SCHED_WEIGHTS_H

#include "sched/contract.h"

/* As they are given: a list, or an expression of p and of the indices of a block. */
typedef struct {
    Text text; /* empty: blocks are all alike */
} GivenWeights;

typedef struct Weights {
    int64_t count;
    const int64_t *values; /* of each whole block */
    int64_t largest_sum;   /* M / m: the most that a rank holds before, or after */
    const char *text;      /* by weights_show */
} Weights;

/* On one line; a long list only begins so: "4,1,1,...". */
const char *weights_show(Arena *arena, const GivenWeights *given);
/* NULL after a report: a collective whose blocks have no index, weights that are not whole, below
   0 or too large to be added up, or a list of another length. */
const Weights *weights_find(Arena *arena, const GivenWeights *given, const Collective *collective,
                            int64_t p, Diag *diag);
/* The blocks of a contract get their weights; empty ones need not move, so that nobody holds
   them. */
void weights_apply(Arena *arena, const Weights *weights, Contract *contract);

#endif
