/* Schedules in streams: their messages do not wait for one another, but for what they pass on.

   A rank sends in a channel when it has received what that channel brought in earlier rounds, while
   its own earlier messages are still on their way, as libraries do that have several buffers for
   each connection. So startups and hops are not paid round by round, but once along the longest
   chain of messages, each of which is sent by the receiver of one before it in the channel:

       ring of 3 in 2 rounds    0 -> 1, 1 -> 2, 2 -> 0; the same again: a chain has 2 messages
       pipelined chain 0, 1, 2  k chunks, k + 1 rounds: a chain has 2 messages too

   What is combined on its way up a tree does not wait for what comes down: a message that combines
   goes on from others that do, one that does not from such as do not, or where its sender has
   received none of them, from those that combine. In scans, where ranks combine different parts, a
   message goes on from all. The longest chain is that with the most messages at the highest level
   of links, of these that with the most at the next one. Each further round
   takes the overhead of a message, or its gap; where a rank takes longer with as many messages of
   the highest level as the chain has of them, and a gap for each further one that it sends, than
   the chain, that counts in place of it. Bytes take what rounds in which all is posted together
   take. */
#ifndef COLLCOST_COST_CHAINS_H
#define COLLCOST_COST_CHAINS_H

#include "cost/derive_step.h"
#include "sched/rotation.h"

typedef struct Chains Chains;

/* So many messages, each with this latency. */
typedef struct {
    int64_t count;
    PathCost latency;
} ChainPart;

/* Of all ranks, or (NULL: of all) those that stand for all. `are_alike`: a message goes on from
   all, combining or not. */
Chains *chains_open(Arena *arena, const LoadContext *context, const Rotation *rotation,
                    bool are_alike);
/* Adds the messages of a port step of this round. False after a report. */
bool chains_add(Chains *chains, Arena *scratch, const Round *round, const PortStep *step,
                Diag *diag);
/* The longest one, level by level, and what further rounds take. */
const ChainPart *chains_longest(const Chains *chains, Arena *arena, size_t *count);

#endif
