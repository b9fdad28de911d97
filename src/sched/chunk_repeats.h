/* Whether more chunks only repeat what one does, so that there is nothing to pipeline.

       repeat: c in 0 .. k - 1              k = 1   0 -> 1 -> 2                  m bytes each
         send chunk c along the ranks       k = 2   0 -> 1 -> 2   0 -> 1 -> 2    m / 2 bytes each

   With k chunks there are as many rounds as with one, or k times as many with a k-th of the bytes:
   one chunk is no worse, where nothing overlaps and a byte costs the same in messages of all
   sizes. */
#ifndef COLLCOST_SCHED_CHUNK_REPEATS_H
#define COLLCOST_SCHED_CHUNK_REPEATS_H

#include "sched/schedule.h"

/* Does each part of the schedule, and of what it uses, do the same for one chunk after the other,
   or once for all of them, for 1 .. `most` chunks? The number of chunks of `instance` does not
   count. False, silently, where that is not proven from the program: nothing is expanded. Blocks
   are cut for each number of chunks: O(most). Keeps nothing. */
bool chunks_only_repeat(const Instance *instance, int64_t most);

#endif
