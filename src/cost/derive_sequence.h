/* The port steps of a schedule for all numbers of chunks (cost/derive_chunks.h), also where it is a
   sequence of stages that each send the whole vector: then they are those of its stages, one after
   the other.

   A stage may find less in a sequence than it starts from alone: what a rank has not got it does
   not send, and what meets nothing is not combined. Alone it sends all that its program says
   (first_messages_suffice). Each stage does with chunk c + w what it does with chunk c
   (ChunkShift), and so does who holds which chunk when it ends. So the schedule of w chunks, w a
   common multiple for all stages, tells: stages do what they do alone if it has as many messages as
   they have, combines as many blocks, and has the same port steps. */
#ifndef COLLCOST_COST_DERIVE_SEQUENCE_H
#define COLLCOST_COST_DERIVE_SEQUENCE_H

#include "cost/derive_chunks.h"

typedef struct SequenceCosts SequenceCosts;

/* For up to instance->k chunks. grows: the schedule of so many is small enough to be added message
   by message. NULL where it is not known to be of this form. Reports nothing. */
SequenceCosts *sequence_costs_find(Arena *arena, PortStepMemo *memo, const Instance *instance,
                                   const Network *network, const Rules *rules, bool grows);
/* The number of chunks whose derived profile is to confirm the costs; 0: they need none. */
int64_t sequence_costs_asked(const SequenceCosts *sequence);
bool sequence_costs_confirm(SequenceCosts *sequence, const Profile *derived);
/* The profile of k chunks, as far as times depend on it. */
const Profile *sequence_costs_profile(SequenceCosts *sequence, int64_t k);

#endif
