/* The port steps of a schedule for all numbers of chunks, where it does the same for later chunks
   (ChunkShift) and a round may take several port steps.

       rank sends chunk t - v in pass t:    pass 5, 4 chunks     v = 0 1[2 3 4 5]6
                                            pass 6, 5 chunks     v = 0 1[2 3 4 5 6]
                                            pass 3, 2 chunks     v = 0 1[2 3]4 5 6

   The messages of a round are those of some chunks in a row of one round that has them all, far
   behind the first pass and before the last one: a window of it. Trees of some dozen levels have
   some hundred windows, whatever the number of chunks and passes; each is costed once. */
#ifndef COLLCOST_COST_DERIVE_WINDOWS_H
#define COLLCOST_COST_DERIVE_WINDOWS_H

#include "cost/chunk_kinds.h"
#include "cost/first_messages.h"
#include "cost/step_list.h"

/* Lists what a round costs, which says how many blocks move, not which. */
typedef struct {
    bool (*list)(void *context, const Round *round, Arena *arena, StepList *list);
    void *context;
} RoundCosting;

/* Fills `kinds` for up to chunkwise->chunks chunks; `firsts` are all messages of the first ones.
   False, silently, where the windows have too many messages to be looked at, or where nothing is
   proven. */
bool windows_cost(const Instance *instance, const Chunkwise *chunkwise, const FirstArray *firsts,
                  const RoundCosting *costing, ChunkKinds *kinds);

#endif
