/* Which rank holds which blocks while a schedule runs: a bit for each. */
#ifndef COLLCOST_SCHED_OWNERSHIP_H
#define COLLCOST_SCHED_OWNERSHIP_H

#include "sched/schedule.h"

typedef struct {
    int64_t p, block_count;
    uint64_t *bits;                  /* block_count bits a rank, padded to words */
    int64_t *counts;                 /* blocks that a rank holds now */
    int64_t *peaks;                  /* and the most that it ever held */
    size_t words;                    /* a rank */
    const int64_t *sizes;            /* what each block counts; NULL: 1 */
    const struct Rotation *rotation; /* the first ranks stand for all; NULL: each for itself */
} Ownership;

/* As the contract says it is before; `sizes` and `rotation` stay alive, or are NULL; false,
 * silently, if the bits would need over 64 MiB. */
bool ownership_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                      int64_t chunks, const int64_t *sizes, const struct Rotation *rotation,
                      Ownership *ownership);
/* A copy in which ranks can hold as many blocks; false, silently, if the bits would need over
   64 MiB. */
bool ownership_widen(Arena *arena, const Ownership *ownership, int64_t block_count,
                     Ownership *wide);
/* Each rank holds of the first blocks what it does in `wide`. */
void ownership_narrow(const Ownership *wide, Ownership *ownership);
/* The rank has this block now. */
void ownership_put(Ownership *ownership, int64_t rank, int64_t block);
/* The rank has all blocks now, each of which counts 1. */
void ownership_fill(Ownership *ownership, int64_t rank);
static inline uint64_t *ownership_word(const Ownership *ownership, int64_t rank, int64_t block)
{
    return &ownership->bits[(size_t)rank * ownership->words + (size_t)block / 64];
}
static inline bool ownership_has(const Ownership *ownership, int64_t rank, int64_t block)
{
    return *ownership_word(ownership, rank, block) >> (size_t)block % 64 & 1;
}
/* The rank loses a block that counts 1. */
static inline void ownership_lose(Ownership *ownership, int64_t rank, int64_t block)
{
    uint64_t *word = ownership_word(ownership, rank, block);
    const uint64_t bit = (uint64_t)1 << (size_t)block % 64;
    ownership->counts[rank] -= (*word & bit) != 0;
    *word &= ~bit;
}
/* The rank gets a block that counts 1; had it the block already? */
static inline bool ownership_gain(Ownership *ownership, int64_t rank, int64_t block)
{
    uint64_t *word = ownership_word(ownership, rank, block);
    const uint64_t bit = (uint64_t)1 << (size_t)block % 64;
    const bool had = (*word & bit) != 0;
    *word |= bit;
    ownership->counts[rank] += !had;
    if (ownership->counts[rank] > ownership->peaks[rank])
        ownership->peaks[rank] = ownership->counts[rank];
    return had;
}
/* Which of blocks[i] + shift a rank holds, written to `held`, which has room for `count`.
   Returns how many these are. */
size_t ownership_select(const Ownership *ownership, int64_t rank, int64_t shift,
                        const int64_t *blocks, size_t count, int64_t *held);
/* The first block from `block` on, before `end`, that a rank holds, or does not; `end`: none. */
int64_t ownership_seek(const Ownership *ownership, int64_t rank, int64_t block, int64_t end,
                       bool held);
/* The blocks that a rank holds, rising, appended to `blocks`. */
void ownership_list(const Ownership *ownership, int64_t rank, Arena *arena, IntArray *blocks);
/* Departures of one round: of the blocks that their senders do not keep. */
void ownership_depart(Ownership *ownership, const Round *round);
/* One transfer's arrival. Returns how many of its blocks (by size) the receiver had already. */
int64_t ownership_arrive(Ownership *ownership, const Round *round,
                         const ScheduledTransfer *transfer);
/* Departures, then arrivals, of one round. */
void ownership_apply(Ownership *ownership, const Round *round);

#endif
