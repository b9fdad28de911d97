/* Which rank holds which blocks while stages run along the dimensions of a grid, dimension by
   dimension.

   A stage along y does the same in every line along y, and a block of it means all blocks
   whose coordinate along y is the same. So if rank (x, y) holds block (a, b) exactly where x goes
   with a and y with b, that stays so: a stage along y changes only what goes with y.

       allreduce on 2 x 2            x 0 1   y 0 1      rank (1, 0) holds the cuts (a, b)
       at first                 a 0    # #  b # #       all 4
       after reduce-scatter     a 0    # .  b # #
       along x                  a 1    . #  b # #       (1, 0) and (1, 1)

   Stages that all run on all ranks run along the only dimension of one line. Of stages that are
   pipelined, one chunk is followed: no chunk depends on another. Arrays that one stage has for
   itself go with its dimension while it runs; what it leaves there nobody sends.

   This takes p^(1/d) of the memory of bits for all ranks and blocks, and a stage takes the work of
   one line. */
#ifndef COLLCOST_SCHED_GRID_OWNERSHIP_H
#define COLLCOST_SCHED_GRID_OWNERSHIP_H

#include "base/wide_hash.h"
#include "sched/ownership.h"
#include "sched/pieces.h"

typedef struct GridOwnership {
    Shape shape;
    bool is_one_line;  /* of all ranks */
    bool is_one_chunk; /* of a pipeline: peaks are of that one */
    Pieces pieces;
    Ownership
        lines[MOST_DIMENSIONS]; /* of each dimension: which coordinates of a rank go with which
                                   places of a block, and their chunks: place * chunks + h */
    int64_t *peaks;             /* the most blocks that each rank ever held */
    int64_t *left;              /* those that a stage left in its own arrays; NULL: none has any */

    /* Of grid_stages.h: */
    struct GridStages *stages;          /* NULL: stages are run for this instance alone */
    const struct StageVisitor *visitor; /* who takes them, with stages */
    struct Arena *arena;                /* for lines of this instance */
    WideHash frame, start;              /* what is the same for all stages; what lines start from */
    WideHash held[MOST_DIMENSIONS];     /* who holds what now along a dimension, */
    uint64_t unknown;                   /* but for those with bit d */
    uint64_t borrowed;          /* bit d: the line belongs to others, which keep it as it is */
    struct GridStages *periods; /* of stages that are pipelined, in place of `stages` */
} GridOwnership;

/* As the contract says it is before; of a dual, that of its origin, which is run. False, silently,
   where it is not proven to be of that form: where the program does more than to run others along
   dimensions, where several of these have arrays of their own, or where who holds what at first is
   no such product. `stages` (NULL: none) know that of others, and what stages do. O(p) and the bits
   of the lines. */
bool grid_ownership_create(Arena *arena, const Instance *instance, struct GridStages *stages,
                           GridOwnership *grid, Diag *diag);
/* Of ranks with this coordinate along a dimension: how many of their chunks 0 go with it. */
int64_t grid_ownership_count(const GridOwnership *grid, int dimension, int64_t coordinate);
/* Does each chunk of a block lie where all others do, along this dimension? In one line nobody
   needs that. */
bool grid_ownership_is_whole(const GridOwnership *grid, int dimension);
/* Does each rank hold what the contract of this instance says it does before? The instance is the
   dual of the one that was run: its rounds may then be those of the other, from the last on. O(p)
   and the bits of the lines. */
bool grid_ownership_is_before(Arena *arena, const Instance *instance, const GridOwnership *grid);

#endif
