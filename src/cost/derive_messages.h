/* The messages of a derivation, kept one by one where rules have no barriers. */
#ifndef COLLCOST_COST_DERIVE_MESSAGES_H
#define COLLCOST_COST_DERIVE_MESSAGES_H

#include "cost/derive_step.h"
#include "cost/derive_timeline.h"

/* A timeline without messages; NULL where rules have barriers. block_count: of the blocks that are
   followed, -1 where none are. False: it could not be run by these rules. */
bool timeline_start(Arena *arena, const Rules *rules, int64_t p, int64_t block_count,
                    Timeline **timeline, Diag *diag);
/* Adds the messages and the local work of a port step whose paths are known; their paths go to
   `paths`. marks: of the round's destination blocks, ~number if combined, else the number; NULL
   where blocks are not followed. */
bool timeline_note(Timeline *timeline, Arena *arena, const LoadContext *context, PathList *paths,
                   const Round *round, const PortStep *step, const int32_t *marks, bool ends_round,
                   Diag *diag);

#endif
