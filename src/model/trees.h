/* Algorithms that are trees, written out rank by rank for one number of ranks:

       trees:
         - parents: . 0 0 1          rank 0 is the root, 3 has its data from 1
           weight: 2                 carries two of three shares of a block
           rounds: . 1 2 2           when, from 1 on; else rank by rank below the root
         - parents: . 3 3 0

   The trees of a block, of all blocks or of those of their root, carry it, cut into as many shares
   as they weigh together, and each share into k chunks: tree by tree, chunk by chunk,

       | tree 0, chunk 0 | tree 0, chunk 1 | ... | tree 1, chunk 0 | ...     weight pieces each

   Where the collective combines, trees are followed towards the root, and where all ranks get what
   is combined, also back. Where each block goes from one rank to another, trees are paths:

         - path: 0 1 3               from rank 0 to 3, past 1

   Where any ranks have a block and any need it, each tree says which it carries:

         - parents: . 0 x .          from rank 0 to 1; rank 2 takes no part, 3 has it
           block: 5
*/
#ifndef COLLCOST_MODEL_TREES_H
#define COLLCOST_MODEL_TREES_H

#include "model/loader.h"

enum { TREE_ROOT = -1, TREE_OUTSIDE = -2 };

typedef struct {
    int32_t root;          /* one of them */
    int64_t block;         /* which it carries */
    int64_t weight, first; /* of how many of its shares, and of which */
    int32_t count;         /* of ranks: p, or those of a path */
    const int32_t *ranks;  /* of each rank the parent, or one of these two. Or those of a path */
    const int32_t *rounds; /* of each rank, that of the root 0; NULL: its depth */
    bool is_path;
} Tree;

/* Data that a tree sends. Edges from the same rank to the same rank that do the same follow one
   another. */
typedef struct {
    int32_t from, to;
    uint32_t tree;
    int32_t round; /* in which the first chunk does, from 0 on */
    bool combines;
} TreeEdge;

typedef struct TreeSet {
    int64_t p;
    int64_t weight; /* of the trees of a block together: into so many shares it is cut */
    bool is_rooted; /* all ranks are shifted for another root, and with `shifts_blocks` blocks */
    bool shifts_blocks;
    bool names_blocks; /* each tree has a block of its own */
    int32_t rounds;    /* of the first chunk */
    size_t count;
    const Tree *items;
    size_t edge_count;
    const TreeEdge *edges;
} TreeSet;

/* Reads the key `trees`. False after reports: what is no tree, blocks with trees of another weight
   than those of others, a collective whose data does not go so. */
bool trees_read(Loader *loader, const Node *list);

#endif
