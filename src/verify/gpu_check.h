/* What runtimes refuse of a program of GPUs, before it runs. */
#ifndef COLLCOST_VERIFY_GPU_CHECK_H
#define COLLCOST_VERIFY_GPU_CHECK_H

#include "sched/gpu_stepper.h"
#include "verify/gpu_values.h"

/* What the memory of GPUs holds at the end, beside what it should hold. */

typedef struct {
    const GpuProgram *program;
    GpuLabel label;       /* in place of the program's */
    const int32_t *sizes; /* of input and output */
    const GpuValue *(*held_at)(const void *context, int32_t rank, GpuBuffer buffer, int32_t chunk);
    const void *context;
} GpuEnd;

/* What is wrong first, in words; NULL: nothing, or nothing is known of the result. *root: of a
   rooted collective that is right. */
const char *gpu_result_fault(Arena *arena, const GpuEnd *end, int32_t *root);

/* What is wrong, with its place; NULL: nothing. Input and output have so many chunks. */
const char *gpu_check(Arena *arena, const GpuStepper *stepper, const int32_t sizes[2], Span *span);

#endif
