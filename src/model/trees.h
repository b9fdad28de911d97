/* Algorithms that are trees, written out rank by rank for one number of ranks:

       trees:
         - parents: . 0 0 1          rank 0 is the root, 3 has its data from 1
           weight: 2                 carries two of three shares of a block
         - parents: . 3 3 0

   The trees of a root carry its block, cut into as many shares as they weigh together, and each
   share into k chunks: tree by tree, chunk by chunk,

       | tree 0, chunk 0 | tree 0, chunk 1 | ... | tree 1, chunk 0 | ...     weight pieces each

   Where the collective combines, trees are followed towards the root. */
#ifndef COLLCOST_MODEL_TREES_H
#define COLLCOST_MODEL_TREES_H

#include "model/loader.h"

typedef struct {
    int32_t root;
    int64_t weight, first;  /* of how many shares of the root's block, and of which */
    const int32_t *parents; /* of each rank; that of the root is -1 */
} Tree;

/* An edge of a tree. Edges from the same rank to the same rank follow one another. */
typedef struct {
    int32_t parent, child;
    uint32_t tree;
    int32_t depth; /* of the child: 1 below the root */
} TreeEdge;

typedef struct TreeSet {
    int64_t p;
    int64_t weight; /* of the trees of a root together: into so many shares a block is cut */
    bool has_roots; /* each rank is the root of some; else all have one root */
    int32_t height; /* of the highest */
    size_t count;
    const Tree *items;
    size_t edge_count;
    const TreeEdge *edges;
} TreeSet;

/* Reads the key `trees`. False after reports: what is no tree, roots with trees of another weight
   than those of others, a collective whose data does not go from, or to, roots. */
bool trees_read(Loader *loader, const Node *list);

#endif
