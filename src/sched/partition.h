/* Which rank owns which part of a matrix: rows, columns or both cut into blocks.

       balanced   block:    0 0 0 1 1 1 2 2 2 2      10 in 3 parts that differ by one at most
       block 1    cyclic:   0 1 2 0 1 2 0 1 2 0      block by block, round and round
       block 2    cyclic:   0 0 1 1 2 2 0 0 1 1                                             */
#ifndef COLLCOST_SCHED_PARTITION_H
#define COLLCOST_SCHED_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

/* One dimension: `size` elements among `parts`. */
typedef struct {
    int64_t size, parts;
    int64_t block; /* 0: balanced; else the length of a block that is dealt out round and round */
} Partition;

/* Where a part begins of a size cut into parts that differ by one at most. */
int64_t partition_start(int64_t size, int64_t parts, int64_t part);
int64_t partition_owner(const Partition *partition, int64_t element);
/* How many elements a part has. */
int64_t partition_share(const Partition *partition, int64_t part);
/* The first element of `part` at or behind `from`, and the end of that run; false: there is none.
 */
bool partition_run(const Partition *partition, int64_t part, int64_t from, int64_t *start,
                   int64_t *end);

#endif
