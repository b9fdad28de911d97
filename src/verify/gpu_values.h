/* What chunks of GPU memory hold: sums of input chunks of ranks, by name. */
#ifndef COLLCOST_VERIFY_GPU_VALUES_H
#define COLLCOST_VERIFY_GPU_VALUES_H

#include "sched/gpu_program.h"

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

#endif
