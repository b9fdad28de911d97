/* What runtimes refuse of a program of GPUs, before it runs. */
#ifndef COLLCOST_VERIFY_GPU_CHECK_H
#define COLLCOST_VERIFY_GPU_CHECK_H

#include "sched/gpu_stepper.h"

/* What is wrong, with its place; NULL: nothing. Input and output have so many chunks. */
const char *gpu_check(Arena *arena, const GpuStepper *stepper, const int32_t sizes[2], Span *span);

#endif
