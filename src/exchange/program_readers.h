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
   is.

   execution_plan: plans of MSCCL++, as its executor runs them (src/executor, and
   execution_kernel.hpp): put, get, copy, re, res, rre, rres, signal, wait and their relaxed forms,
   pws, pwsf, flush, barrier and nop, over memory and port channels. Other operations are refused by
   name. What a port is told to do is done by a thread block of its own, one for each port that a
   thread block uses, after those of the plan: it follows the order in which it was told, and
   `flush` waits for it. Of two ranks, the k-th channel of a kind from the one to the other belongs
   to the k-th channel back. Operations with several sources or targets are as many steps. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_READERS_H
#define COLLCOST_EXCHANGE_PROGRAM_READERS_H

#include "model/node.h"
#include "sched/gpu_program.h"

/* Files for more ranks are not read. */
enum { MOST_GPU_RANKS = 4096 };

/* Each gives false after reports: no such file, or numbers that are none. What runtimes would
   refuse is read. */
bool read_msccl_xml(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);
bool read_msccl_json(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);
/* JSON that is read already. */
bool read_execution_plan(Arena *arena, const Node *root, GpuProgram *program, Diag *diag);

/* The formats in which schedules are imported. */

/* Has the name of a file an ending of these formats? */
bool program_has_ending(Text name);
/* The format is known by the first character of the file. False after reports, also where none has
   it. */
bool program_read(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);

#endif
