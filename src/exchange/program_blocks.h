/* Which blocks the memory of GPUs holds before a program runs, and must hold after it.

   Memory is counted in chunks, the cells of gpu_cell; chunks of all blocks are numbered through. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_BLOCKS_H
#define COLLCOST_EXCHANGE_PROGRAM_BLOCKS_H

#include "sched/gpu_program.h"

enum { NO_CHUNK = -1, NEVER_WRITTEN = -2 };

typedef struct {
    bool in_place;    /* input and output overlap */
    int32_t sizes[2]; /* of input and output */
    int64_t chunks;   /* of all blocks */
    int32_t pieces;   /* chunks of a block */
    int64_t **before; /* of each rank and cell: a chunk; NO_CHUNK: what is no part of a block;
                         NEVER_WRITTEN */
    int64_t **after;  /* NO_CHUNK: anything */
} ProgramBlocks;

/* Chunks in the memory of a rank, where input and output have these sizes. */
int64_t program_cells(const GpuProgram *program, const int32_t sizes[2], int32_t rank);
/* Blocks for the memory of all ranks: NEVER_WRITTEN before, NO_CHUNK after. */
ProgramBlocks program_blocks_empty(Arena *arena, const GpuProgram *program, const int32_t sizes[2]);
/* The blocks of the collective of a program's label, out of place if it is for that, with this
   root. */
ProgramBlocks program_blocks_of_label(Arena *arena, const GpuProgram *program, int32_t root);

#endif
