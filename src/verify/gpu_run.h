/* Programs of GPUs run on names: does each end, without a race, with the right result?

   The order in which thread blocks run does not matter: what happens before what follows from their
   order of steps, their waits and their messages, by vector clocks. So one run says all, and two
   accesses of one chunk that nothing orders are a race even where they happened to come out well.
 */
#ifndef COLLCOST_VERIFY_GPU_RUN_H
#define COLLCOST_VERIFY_GPU_RUN_H

#include "sched/gpu_program.h"

/* Thread blocks times steps that can be followed: the vector clocks of all messages. */
enum { MOST_GPU_CLOCKS = 1 << 26 };

typedef enum {
    GPU_RIGHT,
    GPU_RUNS, /* to its end; what the result should be is not known */
    GPU_WRONG,
    GPU_UNINITIALISED,
    GPU_RACE,
    GPU_DEADLOCK,
    GPU_INVALID, /* runtimes would not take it */
    GPU_VERDICT_COUNT
} GpuVerdict;

typedef struct {
    GpuVerdict verdict;
    const char *text; /* what is wrong; NULL: nothing */
    Span span;        /* of what is wrong */
    int64_t thread_blocks, steps, waits, channels;
    int64_t messages, chunks; /* chunks: in all messages */
    int64_t depth; /* of the longest chain of messages, each of data from the one before */
    int64_t slots; /* with which it ends: 1, 2, 4, ..; 0: with none */
    int32_t root;  /* of a rooted collective that is right; else 0 */
} GpuRun;

/* The memory of a rank, in chunks (gpu_cell): what is there before, and after. */
typedef struct {
    int32_t rank;
    int32_t sizes[2]; /* of input and output */
    int64_t count;
    const GpuSum *before, *after; /* without terms: never written */
} GpuMemory;

extern const char *const gpu_verdict_names[GPU_VERDICT_COUNT];

/* Of a program that runs in this mode, with so many slots. */
GpuMemory gpu_run_memory(Arena *arena, const GpuProgram *program, bool in_place, int32_t slots,
                         int32_t rank);
/* Runs it in place, out of place, or both, as the program says; the first verdict that is not right
   counts. `label` in place of that of the program. */
GpuRun gpu_run(Arena *arena, const GpuProgram *program, GpuLabel label);

#endif
