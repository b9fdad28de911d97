#include "sched/schedule.h"

#include <string.h>

size_t rounds_keep(Arena *arena, RoundArray *rounds, const Round *round)
{
    const size_t blocks = round_block_count(round);
    size_t bytes = sizeof *round;
    const ScheduledTransfer *transfers = NULL;
    const Round *last = rounds->count ? &rounds->items[rounds->count - 1] : NULL;
    /* In rings and trees that run again and again, round after round sends alike, but for the
       blocks: such rounds share their transfers. */
    if (last && round->count && last->count == round->count &&
        memcmp(last->transfers, round->transfers, round->count * sizeof *transfers) == 0) {
        transfers = last->transfers;
    } else {
        transfers = ARENA_COPY(arena, ScheduledTransfer, round->transfers, round->count);
        bytes += round->count * sizeof *transfers;
    }
    Round *copy = ARRAY_PUSH(arena, rounds);
    *copy = *round;
    copy->transfers = transfers;
    if (round->blocks)
        copy->blocks = ARENA_COPY(arena, int64_t, round->blocks, blocks);
    if (round->packed)
        copy->packed = ARENA_COPY(arena, int32_t, round->packed, round->packed_count);
    if (round->destination)
        copy->destination = ARENA_COPY(arena, int64_t, round->destination, blocks);
    if (round->channels)
        copy->ends = ARENA_COPY(arena, size_t, round->ends, round->channels);
    if (round->had)
        copy->had = ARENA_COPY(arena, int64_t, round->had, round->count);
    copy->products = ARENA_COPY(arena, ScheduledProduct, round->products, round->product_count);
    return bytes + (size_t)(round->blocks != NULL) * blocks * sizeof *round->blocks +
           (size_t)(round->destination != NULL) * blocks * sizeof *round->destination +
           round->packed_count * sizeof *round->packed +
           (size_t)(round->had != NULL) * round->count * sizeof *round->had +
           round->product_count * sizeof *round->products;
}
