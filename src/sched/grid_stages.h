/* Stages along dimensions that are run once for all algorithms that are made of them.

   What a stage sends follows from the algorithm that it uses, the dimension, and who holds what at
   its start (grid_ownership.h). So of

       hier(ring+bine)   hier(ring+bruck)   hier(bruck+bine)

   the last one has nothing to run: each way to reduce-scatter leaves the same ranks with the same
   blocks. All that counts is in one hash, of who holds what too: a stage with a hash that has been
   seen does what that one did. Algorithms that are used outlive the stages. Where stages overlap,
   their periods are kept so, by what they send (expand_pipelined.c). */
#ifndef COLLCOST_SCHED_GRID_STAGES_H
#define COLLCOST_SCHED_GRID_STAGES_H

#include "sched/grid_ownership.h"

typedef struct GridStages GridStages;

/* Bytes of all lines that are kept, and of all paths of port steps; of a larger line no hash is
   made either, so that stages behind it are not known. */
enum { MOST_KEPT = 24 << 20 };

/* Who takes the rounds of an algorithm, and can take those of a stage at once. */
typedef struct StageVisitor {
    void *context;
    /* The rounds that follow are those of a stage. */
    void (*begin)(void *context);
    /* It has ended: returns what is to be kept of it, in `arena`; NULL: it cannot be repeated. */
    const void *(*end)(void *context, Arena *arena);
    /* In place of the rounds of a stage: what was kept of them. */
    void (*repeat)(void *context, const void *kept);
} StageVisitor;

/* What is kept of the rounds of programs, for all numbers of chunks (sched/expand_again). */
typedef struct RoundsAgain {
    GridStages *stages;
    const StageVisitor *visitor;
    WideHash place; /* of the program in what is expanded */
} RoundsAgain;

/* A stage that was run. */
typedef struct {
    WideHash key;
    const Ownership *line; /* who holds what along its dimension then; NULL: nobody knows */
    WideHash end;          /* by hash */
    const int64_t *holds;  /* the most of each coordinate in a line by itself; 0: it got nothing */
    const int64_t *left;   /* and what it left in arrays of its own; NULL: it has none */
    int64_t work, rounds;
    const void *kept;
} GridStage;

GridStages *grid_stages_create(Arena *arena);
/* Who holds what before an instance runs: as another one with the same collective, ends, shape and
   pieces found it. Where none did, false, and what is found is to be kept. The peaks are copied
   into `arena`, where lines are copied that will change, too. */
bool grid_stages_start(GridStages *stages, Arena *arena, const Instance *instance,
                       GridOwnership *grid);
void grid_stages_keep_start(GridStages *stages, GridOwnership *grid);
/* A hash of who holds what now, and of what is the same for all stages. False: it is not known. */
bool grid_stages_hash(const GridOwnership *grid, WideHash *hash);
/* Adds what transfers send, and how many of their blocks receivers had, to a hash. */
WideHash grid_stages_add_transfers(WideHash hash, const ScheduledTransfer *transfers,
                                   const int64_t *had, size_t count);
/* The line is to change: it becomes the grid's own. */
void grid_stages_own(GridOwnership *grid, int dimension);
/* NULL: no such stage was run. */
const GridStage *grid_stages_find(GridStages *stages, WideHash key);
/* True where a part with the key of `stage` was run: it is repeated, and what it added to the two
   numbers is added, unless that is more work than there may be. Else it begins: it is to be run
   now, and then ended. */
bool grid_stages_repeat(GridStages *stages, const StageVisitor *visitor, GridStage *stage,
                        int64_t *work, int64_t *rounds);
void grid_stages_finish(GridStages *stages, const StageVisitor *visitor, GridStage *stage,
                        int64_t work, int64_t rounds);
/* Keeps a stage, by its key. */
void grid_stages_put(GridStages *stages, GridStage stage);
/* Goes on behind a stage that was run along the dimension. */
void grid_stages_end(GridOwnership *grid, int dimension, const GridStage *stage);
/* Keeps a stage that was run now, all but its end; `is_last`: nobody will ask for that. Returns
   where to keep things of it. */
Arena *grid_stages_arena(GridStages *stages);
void grid_stages_keep(GridOwnership *grid, int dimension, bool is_last, GridStage stage);

#endif
