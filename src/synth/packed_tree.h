/* A tree from a root to all ranks, and what trees are wanted. */
#ifndef COLLCOST_SYNTH_PACKED_TREE_H
#define COLLCOST_SYNTH_PACKED_TREE_H

#include "base/array.h"

#include <stdbool.h>

typedef struct {
    int32_t root;
    int64_t weight;   /* of how many shares of the root's block */
    int32_t height;   /* edges to the rank that is the farthest from the root */
    int32_t *parents; /* of each rank; that of the root is -1 */
    int32_t *rounds;  /* in which each rank has it, from 1 on; NULL: its depth */
} PackedTree;

ARRAY_TYPE(PackedTrees, PackedTree);

typedef struct {
    int64_t root;   /* -1: every rank is one */
    bool is_inward; /* data goes from all ranks to the roots */
} PackingTask;

/* Trees that carry blocks between their roots and all ranks. */
typedef struct {
    int64_t p;
    PackedTrees trees; /* by root */
    int64_t weight;    /* of the trees of a block together */
    int32_t height;
    /* The rate of the trees over that of the tightest cut, at most 1: less where rates had to be
       rounded so that blocks are cut into few shares, or where switches lost some. */
    double share_of_cut;
} TreePacking;

#endif
