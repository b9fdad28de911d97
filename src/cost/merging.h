/* Switches that copy a message to several ranks, and that combine several for one.

   Messages of one round with the same blocks from one rank (`multicasts`), or that are combined
   into the same blocks at one rank (`combines`), load each link of the union of their routes once,
   and the port of that rank once. A switch merges whose level has that key in the machine. Behind
   the last one that copies, or before the first that combines, each message is on its own; they are
   one bundle if the first one that copies them, or the last that combines them, is the same:

       r0 --\                    up:    r0, r1, r2 send a block each, which the switch combines
       r1 ----- switch --- r3    down:  one block; the port of r3 receives one, and combines one
       r2 --/

   M. Klenk and others, An In-Network Architecture for Accelerating Shared-Memory Multiprocessor
   Collectives, ISCA 2020; R. L. Graham and others, SHARP, COMHPC 2016. */
#ifndef COLLCOST_COST_MERGING_H
#define COLLCOST_COST_MERGING_H

#include "cost/routes.h"
#include "sched/schedule.h"

/* Which switches do so, by node. */
typedef struct Merging {
    const Network *network;
    const bool *merges[MERGING_COUNT];
} Merging;

/* NULL where no switch of the network merges. */
const Merging *merging_find(Arena *arena, const Rules *rules, const Network *network);
/* Can costs by these rules be told where switches merge? False after a report. */
bool merging_is_possible(const Rules *rules, Diag *diag);
/* The bundle of each transfer of a round, from 0: transfers of one bundle merge. -1: it is alone;
   NULL: all are. O(blocks + n (l + log n)) for n transfers over l links, of those that share an end
   with others. False after a report, and without one where `by` ranks stand for all and transfers
   may merge. */
bool merging_bundle(Arena *arena, const Merging *merging, const Round *round, int64_t by,
                    const int64_t **bundles, Diag *diag);
/* Does crossing i repeat one of a message of the same bundle, so that it loads nothing? `from`: the
   senders of the messages, and their bundles. O(crossings). */
const bool *merging_repeats(Arena *arena, const Merging *merging, const int64_t *bundles,
                            const int64_t *from, const Crossings *crossings);
/* At which end do messages of the bundle share a port: where they leave, or where they arrive? */
static inline bool bundle_arrives(const int64_t *bundles, size_t i)
{
    return bundles[i] % MERGING_COUNT == MERGING_COMBINES;
}

#endif
