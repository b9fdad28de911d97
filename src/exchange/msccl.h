/* MSCCL's XML, as microsoft/msccl and Azure/msccl-executor-nccl run it: `algo`, `gpu`, `tb`,
   `step`.

   The local reading of the interpreters counts: `rrc`, `rrs` and `rrcs` add what is at their srcoff
   of their own rank. Comments, `copy` elements of older compilers, and attributes that say nothing
   of the result are passed over. */
#ifndef COLLCOST_EXCHANGE_MSCCL_H
#define COLLCOST_EXCHANGE_MSCCL_H

#include "base/diag.h"
#include "sched/gpu_program.h"

/* Files for more ranks are not read. */
enum { MOST_GPU_RANKS = 4096 };

/* Was collcost built with expat? Else false after a report. */
bool msccl_is_there(Diag *diag);
/* Needs expat. False after reports: no XML, no such elements, numbers that are none. What runtimes
   would refuse is read. */
bool msccl_read(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);

#endif
