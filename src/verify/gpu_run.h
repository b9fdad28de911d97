/* Programs of GPUs run on names: does each end, without a race, with the right result?

   The order in which thread blocks run does not matter: what happens before what follows from their
   order of steps, their waits and their messages, by vector clocks. So one run says all, and two
   accesses of one chunk that nothing orders are a race even where they happened to come out well.
 */
#ifndef COLLCOST_VERIFY_GPU_RUN_H
#define COLLCOST_VERIFY_GPU_RUN_H

#include "verify/gpu_verdict.h"

extern const char *const gpu_verdict_names[GPU_VERDICT_COUNT];

/* Of a program that runs in this mode, with so many slots. */
GpuMemory gpu_run_memory(Arena *arena, const GpuProgram *program, bool in_place, int32_t slots,
                         int32_t rank);
/* Runs it in place, out of place, or both, as the program says; the first verdict that is not right
   counts. `label` in place of that of the program. */
GpuRun gpu_run(Arena *arena, const GpuProgram *program, GpuLabel label);

#endif
