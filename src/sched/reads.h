/* Which variables parts of schedule programs read, told from their trees: where a part does not
   read k, it does the same with all numbers of chunks.

   `slot` is that of a name in the scope of a program: SCHEDULE_K, or that of a loop. Nothing is
   evaluated, nothing allocated, and programs that are not there (NULL) read nothing. O(size of the
   part). */
#ifndef COLLCOST_SCHED_READS_H
#define COLLCOST_SCHED_READS_H

#include "model/algorithm.h"

/* The values of names. */
bool lets_read(const LetList *lets, int slot);
/* Conditions, bounds of loops and indices of blocks; `but_last`: but for the last index of each
   block, which is its chunk. What `all` stands for does not count. */
bool sets_read(const SetList *sets, int slot, bool but_last);
/* Is some set `all`? */
bool sets_name_all(const SetList *sets);
/* The bounds of the loops of a transfer. */
bool loops_read(const ScheduleStep *step, int slot);

#endif
