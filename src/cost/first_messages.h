/* The messages of the first chunks of a schedule that does the same for later ones (ChunkShift). */
#ifndef COLLCOST_COST_FIRST_MESSAGES_H
#define COLLCOST_COST_FIRST_MESSAGES_H

#include "base/wide_hash.h"
#include "sched/chunkwise.h"

/* combines: blocks, at its receiver. */
typedef struct {
    ScheduledTransfer transfer;
    int64_t pass, chunk, combines;
} FirstMessage;

ARRAY_TYPE(FirstArray, FirstMessage);

/* By pass and chunk: those of pass t, chunk c are
   items[starts[i] .. starts[i + 1] - 1], i = (t - least) chunks + c, as they come in their round.
 */
typedef struct {
    int64_t least, passes; /* from pass `least` on */
    int64_t chunks;
    int32_t *starts;
    const FirstMessage **items;
} FirstParts;

/* Appends those of a round, which comes in the schedule of shift.chunks chunks. False: some have
   more than one block, or are local work. */
bool first_messages_keep(Arena *arena, const Chunkwise *chunkwise, const Round *round,
                         const int64_t *combines, FirstArray *firsts);
/* Are these all, and is each of them, and each that follows in its way, sent in a pass that there
   is? */
bool first_messages_suffice(const Chunkwise *chunkwise, const FirstArray *firsts);
FirstParts first_messages_order(Arena *arena, const Chunkwise *chunkwise, const FirstArray *firsts);
/* Of all that the messages of all chunks follow from, but for their order in a round. */
WideHash first_messages_hash(const Chunkwise *chunkwise, const FirstArray *firsts);

#endif
