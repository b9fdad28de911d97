/* Steps that move nothing: signals, waits, barriers, and posts to ports. */
#ifndef COLLCOST_VERIFY_GPU_SYNC_H
#define COLLCOST_VERIFY_GPU_SYNC_H

#include "verify/gpu_state.h"

/* Has the next step of a thread block to wait? */
bool gpu_sync_is_held(const Run *run, const Runner *runner);
/* What the next step of a thread block waits for: a thread block or -1, and in words; NULL: for
   nothing. */
const char *gpu_sync_obstacle(const Run *run, const Runner *runner, int32_t *other);
/* Does the next step of thread block b; those behind a barrier go on at once. */
void gpu_sync_do(Run *run, int32_t b);
/* Can it be run at all? False after gpu_run_fail. */
bool gpu_sync_check(Run *run, const Runner *runner, const GpuStep *step);

#endif
