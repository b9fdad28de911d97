/* How the blocks of a collective are numbered.

   Indices run row by row, the chunk fastest: with extents (e, f) and k chunks, chunk h of block
   (i, j) is number (i f + j) k + h. A collective without indices has the one block 0. Arrays follow
   one another, the main one first, so that a contract's numbers hold for it:

       | main: 0 .. c - 1 | total: c .. 2c - 1 | ...        c = array_blocks, all of them: count */
#ifndef COLLCOST_SCHED_BLOCKSPACE_H
#define COLLCOST_SCHED_BLOCKSPACE_H

#include "model/collective.h"

typedef struct {
    int index_count; /* at least 1; the chunk's included */
    int64_t extents[MOST_INDICES];
    int64_t array_blocks, count;
    const char *const *arrays; /* names of those behind the main one */
} BlockSpace;

/* `chunks` 0: blocks are whole and have no index for it. False after a report. */
bool blockspace_create(const Collective *collective, int64_t p, int64_t chunks, BlockSpace *space,
                       Diag *diag);
/* Cuts every block into pieces, which get an index of their own. False, silently, if there are too
   many. */
bool blockspace_cut(BlockSpace *space, int64_t pieces);
/* Adds arrays beside the main one. False after a report. */
bool blockspace_add_arrays(BlockSpace *space, const char *const *names, size_t count, Span span,
                           Diag *diag);
/* numbers[i]: the block of item i of a set. False after a report. */
bool blockspace_number(const BlockSpace *space, const CompiledSet *set, const SetItems *items,
                       int64_t *numbers, Diag *diag);
/* "3" or "(1, 2)", in a named array "total(3)" */
const char *blockspace_name(Arena *arena, const BlockSpace *space, int64_t block);

#endif
