/* Blocks of messages, packed. Most are runs, or single ones:

       7                          block 7, which lands as itself
       ~4, 1, 6, 4, 1             6 blocks 4, 5, ..., 9, which land as 4, 5, ..., 9
       ~3, 2, 3, 0, 0             blocks 3, 5, 7, which all land in block 0

   A number is itself, five are a run: ~first, stride, count, where the first lands, stride
   there. */
#ifndef COLLCOST_SCHED_PACKED_H
#define COLLCOST_SCHED_PACKED_H

#include "sched/block_rows.h"
#include "sched/schedule.h"

typedef struct {
    int64_t first, stride, count, to, to_stride;
} BlockRun;

ARRAY_TYPE(PackedArray, int32_t);

/* The blocks of messages while they are packed, one message after the other. */
typedef struct {
    PackedArray numbers;
    size_t last; /* where the run begins that may go on; SIZE_MAX: none may */
    size_t row;  /* single blocks at the end that follow one another by `stride` */
    int64_t stride;
} Packing;

/* Begins the blocks of the next message; returns where they will be. */
size_t packing_start(Packing *packing);
/* The next `count` blocks of the message: first, first + 1, ..., which land as to, to + 1, ... */
void packing_add(Arena *arena, Packing *packing, int64_t first, int64_t count, int64_t to);
void packing_add_run(Arena *arena, Packing *packing, const BlockRun *run);
/* All blocks of a lane, in any order. Returns how many they are. */
size_t packing_add_rows(Arena *arena, Packing *packing, const BlockRows *rows, size_t lane);

/* Reads a run, or a block. Returns what is behind it. */
static inline const int32_t *packed_next(const int32_t *packed, BlockRun *run)
{
    if (*packed >= 0) {
        *run = (BlockRun){*packed, 1, 1, *packed, 1};
        return packed + 1;
    }
    *run = (BlockRun){~packed[0], packed[1], packed[2], packed[3], packed[4]};
    return packed + 5;
}

/* The run at hand, of those of a transfer: for (PackedBlocks at = packed_blocks(...);
   packed_more(&at);) use at.run */
typedef struct {
    const int32_t *next;
    int64_t left; /* blocks that were not read */
    BlockRun run;
} PackedBlocks;

/* The only block of a transfer, which lands as itself; -1: it has others. */
static inline int64_t packed_single(const Round *round, const ScheduledTransfer *transfer)
{
    return transfer->block_count == 1 && round->packed[transfer->first_block] >= 0
               ? round->packed[transfer->first_block]
               : -1;
}

static inline PackedBlocks packed_blocks(const Round *round, const ScheduledTransfer *transfer)
{
    return (PackedBlocks){.next = round->packed + transfer->first_block,
                          .left = (int64_t)transfer->block_count};
}

static inline bool packed_more(PackedBlocks *blocks)
{
    if (blocks->left <= 0)
        return false;
    blocks->next = packed_next(blocks->next, &blocks->run);
    blocks->left -= blocks->run.count;
    return true;
}

/* The packed blocks of a round, in `arena`, with both ends of their way swapped: where they are
   from and where they land. */
int32_t *packed_turn(Arena *arena, const Round *round);

#endif
