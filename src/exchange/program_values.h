/* A program of GPUs followed value by value: what is in messages, and what combines with what.

       rank 0  block 0   s   i[0]            round 1: value 0 of rank 0 -> rank 1, combined with
       rank 1  block 0   rrc i[0] -> o[0]             value 1, makes value 2

   A step that writes to another rank, or reads there, is such a message too.

   Addresses are gone: a value is written once and never changed, so that steps which wait for one
   another only because they use the same chunk of memory need no order. What is left has the round
   of each message: behind those that it waits for, and behind all that its thread block sent. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_VALUES_H
#define COLLCOST_EXCHANGE_PROGRAM_VALUES_H

#include "exchange/program_blocks.h"

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

#endif
