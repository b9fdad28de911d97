/* Inside of the derivation (derive.c): what products of blocks add to it, and blocks of unequal
   sizes. */
#ifndef COLLCOST_COST_DERIVE_PRODUCTS_H
#define COLLCOST_COST_DERIVE_PRODUCTS_H

#include "sched/extents.h"
#include "sched/weights.h"

typedef struct {
    Extents extents;
    const int64_t *elements; /* of each block, or its weight; NULL: all blocks are alike */
    int64_t *by_rank;        /* multiply-adds in the round at hand */
    int64_t busiest;         /* and the most of them */
    int64_t work;            /* multiply-adds of the busiest rank of each round, so far */
    int64_t sent, all_work;  /* elements of all transfers, multiply-adds of all ranks, so far */
} ProductCosts;

/* False after a report; all zero for an algorithm of a collective whose blocks are alike. With
   `weights`, each block is cut into so many chunks. */
bool products_start(Arena *arena, const Instance *instance, const BlockSpace *space,
                    const Weights *weights, int64_t chunks, ProductCosts *costs, Diag *diag);
/* What a transfer carries: elements in a problem, else blocks by their weights. */
int64_t products_size(const ProductCosts *costs, const Round *round,
                      const ScheduledTransfer *transfer);
/* Counts a round of a problem, or of blocks with weights. False after a report: more than can be
   counted. So no sum of sizes of its transfers overflows. */
bool products_count(ProductCosts *costs, const Round *round, Diag *diag);

#endif
