/* What chunks of GPU memory hold: sums of input chunks of ranks, by name. */
#ifndef COLLCOST_VERIFY_GPU_VALUES_H
#define COLLCOST_VERIFY_GPU_VALUES_H

#include "sched/gpu_program.h"
#include "sched/gpu_stepper.h"

/* Terms rise by rank, then chunk. Values are never changed. NULL stands for what was never
   written. */
typedef struct {
    int32_t depth; /* the most messages that its terms came through, one behind the other */
    int32_t count;
    const GpuTerm *terms;
} GpuValue;

/* Not a copy. */
const GpuValue *gpu_value_held(Arena *arena, const GpuSum *sum);
const GpuValue *gpu_value_input(Arena *arena, int32_t rank, int32_t chunk);
/* Neither may be NULL. O(terms). */
const GpuValue *gpu_value_sum(Arena *arena, const GpuValue *a, const GpuValue *b);
/* The value where it arrives, one message later. */
const GpuValue *gpu_value_sent(Arena *arena, const GpuValue *value);
/* What it has beside, or lacks of, a sum, in words; NULL: it is that. The value may be NULL. */
const char *gpu_value_differs_from(Arena *arena, const GpuValue *value, const GpuSum *sum);
/* What it has beside, or lacks of, each chunk `chunk` of ranks from .. to once, in words; NULL: it
   is that. The value may be NULL. */
const char *gpu_value_differs(Arena *arena, const GpuValue *value, int32_t from, int32_t to,
                              int32_t chunk);

/* What runtimes refuse of a program of GPUs, before it runs. */

/* What the memory of GPUs holds at the end, beside what it should hold. */

typedef struct {
    const GpuProgram *program;
    GpuLabel label;       /* in place of the program's */
    const int32_t *sizes; /* of input and output */
    const GpuValue *(*held_at)(const void *context, int32_t rank, GpuBuffer buffer, int32_t chunk);
    const void *context;
} GpuEnd;

/* What is wrong first, in words, and the last step that wrote it; NULL: nothing, or nothing is
   known of the result. *root: of a rooted collective that is right. */
const char *gpu_result_fault(Arena *arena, const GpuEnd *end, int32_t *root, Span *span);

/* What is wrong, with its place; NULL: nothing. Input and output have so many chunks. */
const char *gpu_check(Arena *arena, const GpuStepper *stepper, const int32_t sizes[2], Span *span);

#endif
