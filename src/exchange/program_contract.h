/* What a program does whose label says nothing of it, or that says it itself, as a collective of
   its own.

       o[0] of rank 1 = i[0] of rank 0             a block for each input chunk: rank 0 holds 0
                                                   before, rank 1 must hold it after

       o[2] of rank 1 = i[2] of ranks 0, 1         input chunks that are combined somewhere are one
       o[2] of rank 2 = i[2] of ranks 0, 1, 2      block: rank r must combine it of ranks 0 .. r.
                                                   So is i[2] of rank 3, which is in no result

   A collective says for each rank, not for each block, whose contributions are combined: what is
   not so has none. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_CONTRACT_H
#define COLLCOST_EXCHANGE_PROGRAM_CONTRACT_H

#include "base/buffer.h"
#include "base/diag.h"
#include "exchange/program_blocks.h"

/* Of a program that was found right, or that runs. Appends all keys but name and summary of the
   collective to `text`. False after a report. O(p) runs of a program without a contract. */
bool program_contract(Arena *arena, const GpuProgram *program, ProgramBlocks *blocks, Buffer *text,
                      Diag *diag);

#endif
