/* Algorithms that are sequences of stages (use.h), in a file or typed in one line. */
#ifndef COLLCOST_MODEL_SEQUENCE_H
#define COLLCOST_MODEL_SEQUENCE_H

#include "model/algorithm.h"

/* Appends a stage written as text (use.h) to the steps of `algorithm`. False after a report. */
bool sequence_add_stage(const Resolver *resolver, Arena *arena, Algorithm *algorithm, Text stage,
                        Diag *diag);
/* Reads the key `grid` of a sequence: its stages then run along these dimensions, not along those
   of the network. False after a report. */
bool sequence_read_grid(Arena *arena, const Node *map, Algorithm *algorithm, Diag *diag);
/* "allreduce", "{x: 3, y: p div 3}" or nothing, and the stages, of an algorithm typed in one line.
   False where there is no colon before stages. */
bool sequence_split(Text text, Text *collective, Text *grid, Text *stages);
/* Takes the word `pipelined` from before the first stage; false where it is not there. */
bool sequence_take_pipelined(Text *stages);
/* An algorithm typed in one line, named by its stages: `allreduce: ["pipelined"] STAGE, STAGE`, or
   on a grid of its own, `allreduce {x: 3, y: p div 3}: STAGE, STAGE`. NULL after a report. */
Algorithm *sequence_typed(const Resolver *resolver, Arena *arena, Text text, Diag *diag);

#endif
