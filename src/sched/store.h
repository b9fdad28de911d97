/* Schedules that are expanded once and visited often: by who runs them on data, by who derives a
   cost from them, on each topology and with each number of ports.

   Kept are the rounds of whole expansions, by what they depend on: the algorithm, the number of
   ranks, the root, the target, the number of chunks and, where the program reads them, the grid and
   the number of ports; not n.
   What was not expanded to its end, rounds without blocks, and those of a few ranks that stand for
   all are not kept. Who only counts blocks visits rounds that are kept, with their blocks. */
#ifndef COLLCOST_SCHED_STORE_H
#define COLLCOST_SCHED_STORE_H

#include "sched/schedule.h"

typedef struct ScheduleStore ScheduleStore;

/* It lives as long as `arena`, and takes some 64 MB of it at most; then no more is kept. */
ScheduleStore *store_create(Arena *arena);
/* schedule_expand, with the instance's store if it has one: rounds that are there are visited
   again. */
bool store_expand(const Instance *instance, RoundVisitor visit, void *context, Diag *diag);
/* schedule_expand_as likewise. */
bool store_expand_as(const Instance *instance, const RoundsWanted *wanted, RoundVisitor visit,
                     void *context, Diag *diag);

#endif
