/* The port steps of a schedule while its messages are added chunk by chunk.

   Where few chunks are sent as if there were no others (sched/chunkwise.h), port step t of the
   schedule of k chunks is that of the most chunks without the messages of chunk k and behind it.
   With each chunk more, links carry more and no message gets faster, so what is the slowest is kept
   while messages are added, and one expansion gives the profiles of all numbers of chunks: the same
   as those that are derived one by one, entry by entry. */
#ifndef COLLCOST_COST_DERIVE_CHUNKS_H
#define COLLCOST_COST_DERIVE_CHUNKS_H

#include "cost/derive_memo.h"
#include "cost/derive_windows.h"
#include "sched/chunkwise.h"

typedef struct ChunkCosts ChunkCosts;

/* `chunkwise` must live as long. grows: few enough messages to be added one by one. */
ChunkCosts *chunk_costs_create(Arena *arena, const Chunkwise *chunkwise, bool grows);
/* With how many chunks the schedule is to be expanded: `chunks`, or the first ones alone. */
int64_t chunk_costs_first(const ChunkCosts *costs, int64_t chunks);
/* Are the first ones enough? Then rounds are kept as they come. False where one is not of this
   form. */
bool chunk_costs_keeps_firsts(const ChunkCosts *costs);
bool chunk_costs_keep_firsts(ChunkCosts *costs, const Round *round, const int64_t *combines);
/* Else takes a round that is one port step, `count` of which are messages. Adding n messages with l
   links each takes O(n l), and as much again for each message whose links they load. False after a
   report, or silently where the round is not of this form. */
bool chunk_costs_add(ChunkCosts *costs, const LoadContext *context, Arena *scratch,
                     const Round *round, const PortStep *step, Diag *diag);
/* Behind the last round; `instance` is that of all chunks. Where the first chunks were kept, the
   rounds of all are put together here: chunk by chunk where each is one port step, else one by one
   (derive_windows.h). False as above. */
bool chunk_costs_repeat(ChunkCosts *costs, PortStepMemo *memo, const LoadContext *context,
                        const Instance *instance, const RoundCosting *costing, Diag *diag);
/* Chunk c + chunks is sent as chunk c is; 0: that is not known. The first ones have so many
   messages, whose receivers combine so many blocks. */
typedef struct {
    int64_t chunks, messages, combined;
} ChunkPeriod;
ChunkPeriod chunk_costs_period(const ChunkCosts *costs);
/* The profile of k chunks, as far as times depend on it, once all rounds are added: entry by entry
   that which is derived, or where it is tallied, with one entry for each kind of port step. */
const Profile *chunk_costs_profile(const ChunkCosts *costs, const Rules *rules, int64_t k);
/* For tests. */
bool chunk_costs_are_tallied(const ChunkCosts *costs);

#endif
