/* A schedule as a program of GPUs: which thread block does what, at which addresses.

   A block of rank r is in its input buffer until something is written to it; from then on it has a
   place of its own: in the output buffer where it is a part of the result, else in scratch. One
   thread block sends to each rank, one receives from each, and one does local work. What a step
   must wait for follows from who wrote and read the same chunks before. */
#ifndef COLLCOST_EXCHANGE_GPU_PLAN_H
#define COLLCOST_EXCHANGE_GPU_PLAN_H

#include "exchange/schedule_text.h"
#include "sched/gpu_program.h"

typedef struct {
    GpuProgram program;              /* for calls out of place */
    int64_t messages, chunks, depth; /* of the schedule itself, to compare with */
} GpuPlan;

/* The schedule, whose messages are all of a collective with a label. False after a report: no
   label, or more steps, ranks or chunks than runtimes take. */
bool gpu_plan(Arena *arena, const ListedSchedule *schedule, GpuPlan *plan, Diag *diag);

#endif
