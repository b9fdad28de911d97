/* Which blocks the memory of GPUs holds before a program runs, and must hold after it.

   Memory is counted in chunks, the cells of gpu_cell; chunks of all blocks are numbered through. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_BLOCKS_H
#define COLLCOST_EXCHANGE_PROGRAM_BLOCKS_H

#include "base/buffer.h"
#include "base/diag.h"
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
/* The blocks of the collective of a program's label, out of place if it is for that, with this
   root. */
ProgramBlocks program_blocks_of_label(Arena *arena, const GpuProgram *program, int32_t root);

/* What a program does whose label says nothing of it, or that says it itself, as a collective of
   its own.

       o[0] of rank 1 = i[0] of rank 0             a block for each input chunk: rank 0 holds 0
                                                   before, rank 1 must hold it after

       o[2] of rank 1 = i[2] of ranks 0, 1         input chunks that are combined somewhere are one
       o[2] of rank 2 = i[2] of ranks 0, 1, 2      block: rank r must combine it of ranks 0 .. r.
                                                   So is i[2] of rank 3, which is in no result

   A collective says for each rank, not for each block, whose contributions are combined: what is
   not so has none. */

/* Of a program that was found right, or that runs. Appends all keys but name and summary of the
   collective to `text`. False after a report. O(p) runs of a program without a contract. */
bool program_contract(Arena *arena, const GpuProgram *program, ProgramBlocks *blocks, Buffer *text,
                      Diag *diag);

/* A program of GPUs followed value by value: what is in messages, and what combines with what.

       rank 0  block 0   s   i[0]            round 1: value 0 of rank 0 -> rank 1, combined with
       rank 1  block 0   rrc i[0] -> o[0]             value 1, makes value 2

   A step that writes to another rank, or reads there, is such a message too.

   Addresses are gone: a value is written once and never changed, so that steps which wait for one
   another only because they use the same chunk of memory need no order. What is left has the round
   of each message: behind those that it waits for, and behind all that its thread block sent. */

typedef struct {
    int64_t chunk; /* of all blocks of the collective (value_chunk); -1: of none */
    int64_t uses;  /* by messages, local work and the result, as far as they count for it */
} ProgramValue;

ARRAY_TYPE(ProgramValues, ProgramValue);

/* `sent` combined with `old` makes `made`; old = -1: it is just taken. */
typedef struct {
    int64_t sent, old, made;
} ProgramItem;

/* A message, or local work of a rank, whose every item combines. */
typedef struct {
    int64_t round; /* messages: from 1 on; local work: behind the messages of this round */
    int32_t from, to;
    int32_t count;
    ProgramItem *items;
} ProgramWork;

ARRAY_TYPE(ProgramWorks, ProgramWork);

/* A chunk that a rank holds before, or must hold after. */
typedef struct {
    int32_t rank;
    int64_t chunk, value;
} ProgramHeld;

ARRAY_TYPE(ProgramHolding, ProgramHeld);

typedef struct {
    ProgramValues values;
    ProgramWorks works; /* by round, messages before local work */
    ProgramHolding before, after;
} ProgramFlow;

/* Of a program that was found right (verify/gpu_run), and turns these blocks into those. O(chunks
   of all steps). */
ProgramFlow program_flow(Arena *arena, const GpuProgram *program, const ProgramBlocks *blocks);

/* A program of GPUs as a model file of this program: the same messages, with blocks in place of
   addresses, in rounds.

   Thread blocks send in successive rounds; a message is in the first round behind all that its
   sender waits for. Values that lie in several places of a rank, or are no part of the result, are
   in arrays. The model is for as many ranks as the program, and any root. */

/* Appends the model of a program that was found right, or that runs, with this root, to `text`;
   `from` is the name of its file; a number above 1 is put behind the model's name. A program with a
   contract is taken as one in place, whose addresses are chunks of the larger buffer, and has the
   root with which its label is right then. Where that is not so, or the label says nothing, the
   model of a collective of its own follows, whose blocks are chunks (program_contract). Returns the
   full name of the algorithm. NULL after a report: no collective asks for that, or a rank holds
   more values of one block at once than there are arrays. */
const char *program_model(Arena *arena, const GpuProgram *program, int32_t root, const char *from,
                          int64_t number, Buffer *text, Diag *diag);

#endif
