/* What the memory of GPUs holds at the end, beside what it should hold. */
#ifndef COLLCOST_VERIFY_GPU_RESULT_H
#define COLLCOST_VERIFY_GPU_RESULT_H

#include "verify/gpu_state.h"

/* False after gpu_run_fail. Right too where nothing is known of the result. */
bool gpu_run_check(Run *run);

#endif
