/* The port steps of a schedule for all numbers of chunks (cost/derive_chunks.h), also where it is a
   sequence of stages that each send the whole vector: then they are those of its stages, one after
   the other.

   A stage may find more or less in a sequence than it starts from alone, and then sends more or
   less: what a rank has not got is not sent. Each stage does with chunk c + w what it does with
   chunk c (ChunkShift), and so does who holds which chunk when it ends. So the schedule of w
   chunks, w a common multiple for all stages, tells: they are as they are alone if it has as many
   messages as they have, and the same port steps. */
#ifndef COLLCOST_COST_DERIVE_STAGES_H
#define COLLCOST_COST_DERIVE_STAGES_H

#include "cost/derive_chunks.h"

typedef struct StageCosts StageCosts;

/* For up to instance->k chunks. grows: the schedule of so many is small enough to be added message
   by message. NULL where it is not known to be of this form. Reports nothing. */
StageCosts *stage_costs_find(Arena *arena, PortStepMemo *memo, const Instance *instance,
                             const Network *network, const Rules *rules, bool grows);
/* The number of chunks whose derived profile is to confirm the costs; 0: they need none. */
int64_t stage_costs_asked(const StageCosts *stages);
bool stage_costs_confirm(StageCosts *stages, const Profile *derived);
/* The profile of k chunks, as far as times depend on it. */
const Profile *stage_costs_profile(StageCosts *stages, int64_t k);

#endif
