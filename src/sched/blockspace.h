/* How the blocks of a collective are numbered.

   Indices run row by row, the chunk fastest: with extents (e, f) and k chunks, chunk h of block
   (i, j) is number (i f + j) k + h. A collective without indices has the one block 0. Arrays follow
   one another, the main one first, so that a contract's numbers hold for it; one with an index more
   in front is as many copies:

       | main: 0 .. c - 1 | total: c .. 2c - 1 | from(0, ...) | from(1, ...) | ...
                                                         c = array_blocks, all of them: count */
#ifndef COLLCOST_SCHED_BLOCKSPACE_H
#define COLLCOST_SCHED_BLOCKSPACE_H

#include "model/algorithm.h"

/* The arrays behind the main one. */
typedef struct {
    const char *const *names;
    size_t count;
    int64_t extents[LIMIT_ARRAYS]; /* of the index in front; 0: there is none */
} Arrays;

typedef struct {
    int index_count; /* at least 1; the chunk's included */
    int64_t extents[MOST_INDICES];
    int64_t array_blocks, count;
    Arrays arrays;
    const Problem *problem; /* whose arrays they are, each cut in its own way; NULL: none */
    int64_t parts[PROBLEM_ARRAYS][2], starts[PROBLEM_ARRAYS + 1]; /* of the arrays of a problem */
} BlockSpace;

/* Into how many parts an algorithm cuts each array of its problem. False after a report. */
bool blockspace_parts(const Algorithm *algorithm, int64_t p, int64_t ports,
                      int64_t parts[PROBLEM_ARRAYS][2], Diag *diag);
/* The blocks of a problem's arrays, one array behind the other, row by row. False after a report.
 */
bool blockspace_of_problem(const Algorithm *algorithm, int64_t p, int64_t ports, BlockSpace *space,
                           Diag *diag);
/* The array of a block, and its place in it: row and column. */
int blockspace_array(const BlockSpace *space, int64_t block, int64_t place[2]);

/* `chunks` 0: blocks are whole and have no index for it. False after a report. */
bool blockspace_create(const Collective *collective, int64_t p, int64_t chunks, BlockSpace *space,
                       Diag *diag);
/* How many copies of the main array they are; -1: too many. */
int64_t arrays_copies(const Arrays *arrays);
/* Adds arrays beside the main one. False after a report. */
bool blockspace_add_arrays(BlockSpace *space, const Arrays *arrays, Span span, Diag *diag);
/* The number of the first block of an array; 0 is the main one. */
int64_t blockspace_start(const BlockSpace *space, int array);
/* extents[x]: of index x of the blocks that a set names. False if it is of a problem, where they
   differ from array to array. */
bool blockspace_extents(const BlockSpace *space, const CompiledSet *set,
                        int64_t extents[MOST_INDICES]);
/* numbers[i]: the block of item i of a set. False after a report. */
bool blockspace_number(const BlockSpace *space, const CompiledSet *set, const SetItems *items,
                       int64_t *numbers, Diag *diag);
/* "3" or "(1, 2)", in a named array "total(3)" */
const char *blockspace_name(Arena *arena, const BlockSpace *space, int64_t block);

#endif
