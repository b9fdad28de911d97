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
} PackedTree;

ARRAY_TYPE(PackedTrees, PackedTree);

typedef struct {
    int64_t root;   /* -1: every rank is one */
    bool is_inward; /* data goes from all ranks to the roots */
} PackingTask;

#endif
