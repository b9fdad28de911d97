/* Schedules of other programs, read to programs of GPUs: one reader for each format.

   msccl_xml: `algo`, `gpu`, `tb`, `step`, as microsoft/msccl and Azure/msccl-executor-nccl run
   them. The local reading of the interpreters counts: `rrc`, `rrs` and `rrcs` add what is at their
   srcoff of their own rank. Comments, `copy` elements of older compilers, and attributes that say
   nothing of the result are passed over. Needs expat.

   msccl_json: what `msccl solve` and TACCL write, whose ranks send what is at an address to the
   same address of others, step by step. Of all chunks at an address, a rank has the sum; what
   arrives takes the place of a part of itself, and is added to all else. Each rank has a thread
   block for each rank that it sends to, and for each that it receives from; a step waits for what
   wrote and read its addresses before, and for nothing else. The file says itself what the result
   is. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_READERS_H
#define COLLCOST_EXCHANGE_PROGRAM_READERS_H

#include "base/diag.h"
#include "sched/gpu_program.h"

/* Files for more ranks are not read. */
enum { MOST_GPU_RANKS = 4096 };

/* Each gives false after reports: no such file, or numbers that are none. What runtimes would
   refuse is read. */
bool read_msccl_xml(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);
bool read_msccl_json(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);

#endif
