/* A program of GPUs as a model file of this program: the same messages, with blocks in place of
   addresses, in rounds.

   Thread blocks send in successive rounds; a message is in the first round behind all that its
   sender waits for. Values that lie in several places of a rank, or are no part of the result, are
   in arrays. The model is for as many ranks as the program, and any root. */
#ifndef COLLCOST_EXCHANGE_PROGRAM_MODEL_H
#define COLLCOST_EXCHANGE_PROGRAM_MODEL_H

#include "base/buffer.h"
#include "base/diag.h"
#include "sched/gpu_program.h"

/* Appends the model of a program that was found right, or that runs, with this root, to `text`;
   `from` is the name of its file; a number above 1 is put behind the model's name. A program with a
   contract is taken as one in place, whose addresses are chunks of the larger buffer, and has the
   root with which its label is right then. Where that is not so, or the label says nothing, the
   model of a collective of its own follows, whose blocks are chunks (program_contract). Returns the
   full name of the algorithm. NULL after a report: no collective asks for that, or a rank holds
   more values of one block at once than there are arrays. */
const char *program_model(Arena *arena, const GpuProgram *program, int32_t root, const char *from,
                          int64_t number, Buffer *text, Diag *diag);

#endif
