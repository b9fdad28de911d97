/* Safe points of long work: may it go on, and how far is it?

   Work calls watch_poll where it holds nothing but arenas and what workspace_hold knows of: at a
   round of a schedule, an algorithm, a step of a search. There, and nowhere else, cancelled work
   ends, and there its progress is told. `arena` is any one that the work uses: it leads to the
   workspace. */
#ifndef COLLCOST_BASE_WATCH_H
#define COLLCOST_BASE_WATCH_H

#include "base/arena.h"

/* Returns, or ends the innermost run. Costs some nanoseconds. */
void watch_poll(const Arena *arena);
/* A safe point at which work on something begins: the first of `total` has number 0. total 0: not
   known. */
void watch_step(const Arena *arena, const char *what, int64_t number, int64_t total);

#endif
