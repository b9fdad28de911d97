/* A tree from a root to all ranks, or to some, and what trees are wanted. */
#ifndef COLLCOST_SYNTH_PACKED_TREE_H
#define COLLCOST_SYNTH_PACKED_TREE_H

#include "base/buffer.h"
#include "model/trees.h"

typedef struct {
    int32_t root;
    int64_t block;    /* which it carries */
    int64_t weight;   /* of how many shares of the block */
    int32_t height;   /* edges to the rank that is the farthest from the root */
    int32_t target;   /* of a path */
    int32_t *parents; /* of each rank; or it is a root, or takes no part */
    int32_t *rounds;  /* in which each rank has it, from 1 on; NULL: its depth */
} PackedTree;

ARRAY_TYPE(PackedTrees, PackedTree);

typedef struct {
    int64_t root;   /* -1: every rank is one */
    bool is_inward; /* data goes from all ranks to the roots */
} PackingTask;

/* Trees that carry blocks between their roots and all ranks, or others. */
typedef struct {
    int64_t p;
    PackedTrees trees; /* by root */
    int64_t weight;    /* of the trees of a block together */
    int32_t height;
} TreePacking;

/* Trees and paths as a model file, which reads back as the algorithm that they are. */

/* How trees are written: by the root, whose block they carry; the block by its number; paths by
   both ends, from or to a root. */
typedef enum { TREES_OF_ROOTS, TREES_OF_BLOCKS, TREES_ARE_PATHS } TreeForm;

/* Appends a model `name` of the collective; another one may be in the text before it. */
void packing_write(Buffer *text, const TreePacking *packing, TreeForm form, const char *collective,
                   const char *name, const char *network);

#endif
