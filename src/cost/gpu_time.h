/* The time of a program of GPUs on a network, whose messages share links while they are under way.

   A thread block does its steps in order. It begins one when what it waits for has happened, the
   message that it receives is there, and its connection has a slot for the message that it sends;
   then it combines, and then it sends, until the message has arrived:

       rank 0  block 0   |send >>>>>|send >>>>>>|          a slot is free again when the receiver
       rank 1  block 1              |combine|send >>>>|    has taken, and combined, the message

   So the thread blocks of a rank are its ports, and share its links: each message has its max-min
   fair share of what it crosses (cost/filling). Those that combine at once share the tc of the
   rank. With several tiles, all of this happens for one part of every chunk after the other, as
   runtimes do it, and tiles of a thread block follow one another. Copies within a rank take no
   time. */
#ifndef COLLCOST_COST_GPU_TIME_H
#define COLLCOST_COST_GPU_TIME_H

#include "cost/derive_path.h"
#include "sched/gpu_program.h"

/* When a step has begun, and when it has ended. */
typedef struct {
    double start, end;
} StepSpan;

/* In seconds. What is not startup, hop or compute along the critical path is transfer. */
typedef struct {
    CostParts parts;
    const StepSpan *spans; /* of the first tile: rank by rank, thread block by thread block */
} GpuTime;

/* A program that runs to its end (verify/gpu_run), with chunks of `chunk` bytes in so many tiles.
   Where the machine has a protocol with the name of the program's, that one counts. False after a
   report. O(steps x (log thread blocks + thread blocks of a rank)) beside what filling takes. */
bool gpu_time(Arena *arena, const GpuProgram *program, const Network *network, const Rules *rules,
              double chunk, int32_t tiles, GpuTime *time, Diag *diag);

#endif
