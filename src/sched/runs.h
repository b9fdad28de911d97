/* The messages of a round as runs: ranks that follow one another in equal steps do the same.

       if: r >= i and r < p - 1
       to: r + 1                      first i, stride 1, count p - 1 - i, shift 1
       send: t for t in r .. p - 1    blocks p - i, slope -1

   So a round takes as long as its program, for any number of ranks. That messages are these is read
   off the expressions (lang/linear.h). */
#ifndef COLLCOST_SCHED_RUNS_H
#define COLLCOST_SCHED_RUNS_H

#include "lang/linear.h"
#include "sched/schedule.h"

/* Message i of a run is that of rank `from.first + i * from.stride`, which sends `blocks + i *
   slope` blocks to (rank xor mask) + shift; to itself: it combines one of its blocks with another
   one. No two have one receiver. Where blocks are named, each message has one, block + i *
   block_step, which lands as goal + i * goal_step. */
typedef struct MessageRun {
    Progression from;
    int64_t mask, shift, blocks, slope;
    Verb verb;
    int64_t block, block_step, goal, goal_step;
} MessageRun;

static inline bool run_is_local(const MessageRun *run)
{
    return run->mask == 0 && run->shift == 0;
}

static inline int64_t run_sender(const MessageRun *run, int64_t i)
{
    return run->from.first + i * run->from.stride;
}

static inline int64_t run_receiver(const MessageRun *run, int64_t i)
{
    return (run_sender(run, i) ^ run->mask) + run->shift;
}

static inline int64_t run_blocks(const MessageRun *run, int64_t i)
{
    return run->blocks + i * run->slope;
}

/* A round: steps in their order, and of each its senders in runs that rise, one behind the other.
   False ends the expansion. */
typedef bool (*RunVisitor)(void *context, const MessageRun *runs, size_t count, Arena *arena);

/* May the rounds of this schedule be runs? Most of those that runs_expand does not take are told
   from their head, before who holds what is laid out. */
bool runs_are_possible(const Instance *instance);
/* schedule_expand where all rounds are runs, also of a dual. False, silently, where they are not,
   where something is wrong with the program, or the visitor said so. `named`: blocks are to be
   named. Where they are too much work, and so is what schedule_expand would do, *too_large says at
   which step. */
bool runs_expand(const Instance *instance, bool named, RunVisitor visit, void *context,
                 Span *too_large);

#endif
