/* What the memory of GPUs holds at the end, beside what it should hold. */
#ifndef COLLCOST_VERIFY_GPU_RESULT_H
#define COLLCOST_VERIFY_GPU_RESULT_H

#include "verify/gpu_values.h"

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

#endif
