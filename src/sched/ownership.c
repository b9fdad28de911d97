#include "sched/ownership.h"

#include "sched/packed.h"
#include "sched/rotation.h"

#include <string.h>

enum { MOST_BYTES = 64 << 20 };

static uint64_t bit_of(int64_t block)
{
    return (uint64_t)1 << (block % 64);
}

static void note_peak(Ownership *ownership, int64_t rank)
{
    if (ownership->counts[rank] > ownership->peaks[rank])
        ownership->peaks[rank] = ownership->counts[rank];
}

/* The rank gets, or loses, blocks that follow one another. Returns how many of them it had. */
static inline int64_t change_row(uint64_t *bits, int64_t first, int64_t count, bool gets)
{
    int64_t had = 0;
    if (count == 1) {
        uint64_t *word = &bits[(size_t)first / 64];
        had = (int64_t)(*word >> (size_t)first % 64 & 1);
        *word = gets ? *word | bit_of(first) : *word & ~bit_of(first);
        return had;
    }
    for (int64_t block = first, end = first + count; block < end;) {
        const int64_t rest = 64 - block % 64, some = rest < end - block ? rest : end - block;
        const uint64_t mask = (some < 64 ? bit_of(some) - 1 : UINT64_MAX) << block % 64;
        uint64_t *word = &bits[block / 64];
        had += __builtin_popcountll(*word & mask);
        *word = gets ? *word | mask : *word & ~mask;
        block += some;
    }
    return had;
}

/* The rank gets, or loses, a block. Returns its size where it had it, else 0. */
static int64_t change_block(Ownership *ownership, int64_t rank, int64_t block, bool gets)
{
    const int64_t had = change_row(ownership_word(ownership, rank, 0), block, 1, gets);
    const int64_t size = ownership->sizes ? ownership->sizes[block] : 1;
    ownership->counts[rank] += gets ? (1 - had) * size : -had * size;
    note_peak(ownership, rank);
    return had * size;
}

void ownership_put(Ownership *ownership, int64_t rank, int64_t block)
{
    change_block(ownership, rank, block, true);
}

void ownership_fill(Ownership *ownership, int64_t rank)
{
    change_row(ownership_word(ownership, rank, 0), 0, ownership->block_count, true);
    ownership->counts[rank] = ownership->block_count;
    note_peak(ownership, rank);
}

bool ownership_widen(Arena *arena, const Ownership *ownership, int64_t block_count, Ownership *wide)
{
    const size_t p = (size_t)ownership->p, words = (size_t)block_count / 64 + 1;
    if (words > (size_t)MOST_BYTES / 8 / p)
        return false;
    *wide = *ownership;
    wide->block_count = block_count;
    wide->words = words;
    wide->bits = ARENA_ARRAY(arena, uint64_t, words * p);
    wide->counts = ARENA_COPY(arena, int64_t, ownership->counts, p);
    wide->peaks = ARENA_COPY(arena, int64_t, ownership->peaks, p);
    for (int64_t r = 0; r < wide->p; r++)
        memcpy(ownership_word(wide, r, 0), ownership_word(ownership, r, 0),
               ownership->words * sizeof *wide->bits);
    return true;
}

void ownership_narrow(const Ownership *wide, Ownership *ownership)
{
    for (int64_t r = 0; r < ownership->p; r++) {
        uint64_t *bits = ownership_word(ownership, r, 0);
        memcpy(bits, ownership_word(wide, r, 0), ownership->words * sizeof *bits);
        bits[ownership->block_count / 64] &= bit_of(ownership->block_count) - 1;
        ownership->counts[r] = 0;
        for (size_t w = 0; w < ownership->words; w++)
            ownership->counts[r] += __builtin_popcountll(bits[w]);
    }
}

bool ownership_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                      int64_t chunks, const int64_t *sizes, const Rotation *rotation,
                      Ownership *ownership)
{
    int64_t p = rotation ? rotation->by : contract->p, blocks = space->count;
    size_t words = (size_t)blocks / 64 + 1;
    if (words > (size_t)MOST_BYTES / 8 / (size_t)p)
        return false;
    *ownership = (Ownership){p,
                             blocks,
                             ARENA_ARRAY(arena, uint64_t, words * (size_t)p),
                             ARENA_ARRAY(arena, int64_t, (size_t)p),
                             ARENA_ARRAY(arena, int64_t, (size_t)p),
                             words,
                             sizes,
                             rotation};
    for (int64_t r = 0; r < p; r++) {
        const Holding *before = &contract->before;
        const int64_t count = holding_count(before, r);
        if (count && !before->blocks && before->stride == 1 && !sizes) {
            change_row(ownership_word(ownership, r, 0), holding_block(before, r, 0) * chunks,
                       count * chunks, true);
            ownership->counts[r] = ownership->peaks[r] = count * chunks;
            continue;
        }
        for (int64_t i = 0; i < count; i++)
            for (int64_t h = 0; h < chunks; h++)
                ownership_put(ownership, r, holding_block(before, r, i) * chunks + h);
    }
    return true;
}

void ownership_list(const Ownership *ownership, int64_t rank, Arena *arena, IntArray *blocks)
{
    for (size_t w = 0; w < ownership->words; w++) {
        uint64_t word = ownership->bits[(size_t)rank * ownership->words + w];
        for (; word; word &= word - 1)
            *ARRAY_PUSH(arena, blocks) = (int64_t)w * 64 + __builtin_ctzll(word);
    }
}

/* The rank gets, or loses, blocks that all count 1, as most do. Returns how many it had. */
static inline int64_t change_listed(Ownership *ownership, int64_t rank, const int64_t *blocks,
                                    size_t count, bool gets)
{
    uint64_t *bits = ownership_word(ownership, rank, 0);
    int64_t had = 0;
    for (size_t i = 0; i < count; i++)
        had += change_row(bits, blocks[i], 1, gets);
    ownership->counts[rank] += gets ? (int64_t)count - had : -had;
    note_peak(ownership, rank);
    return had;
}

size_t ownership_select(const Ownership *ownership, int64_t rank, int64_t shift,
                        const int64_t *blocks, size_t count, int64_t *held)
{
    const uint64_t *bits = ownership_word(ownership, rank, 0);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t block = (size_t)(blocks[i] + shift);
        held[kept] = (int64_t)block;
        kept += bits[block / 64] >> block % 64 & 1;
    }
    return kept;
}

int64_t ownership_seek(const Ownership *ownership, int64_t rank, int64_t block, int64_t end,
                       bool held)
{
    const uint64_t *bits = ownership_word(ownership, rank, 0), other = held ? 0 : UINT64_MAX;
    while (block < end) {
        const uint64_t word = (bits[block / 64] ^ other) >> block % 64;
        if (word) {
            block += __builtin_ctzll(word);
            return block < end ? block : end;
        }
        block += 64 - block % 64;
    }
    return end;
}

/* The rank gets, or loses, blocks by `stride`. Returns how many it had. */
static int64_t change_run(uint64_t *bits, int64_t first, int64_t stride, int64_t count, bool gets)
{
    int64_t had = 0;
    if (stride == 1)
        return change_row(bits, first, count, gets);
    if (stride == 0) /* again and again */
        return change_row(bits, first, 1, gets) + (gets ? count - 1 : 0);
    for (int64_t i = 0; i < count; i++)
        had += change_row(bits, first + i * stride, 1, gets);
    return had;
}

void ownership_depart(Ownership *ownership, const Round *round)
{
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        if (verb_info[transfer->verb].keeps || transfer->block_count == 0)
            continue;
        if (round->packed) {
            uint64_t *bits = ownership_word(ownership, transfer->from, 0);
            int64_t *held = &ownership->counts[transfer->from];
            const int64_t single = packed_single(round, transfer);
            if (single >= 0)
                *held -= change_row(bits, single, 1, false);
            for (PackedBlocks at = packed_blocks(round, transfer); single < 0 && packed_more(&at);)
                *held -= change_run(bits, at.run.first, at.run.stride, at.run.count, false);
            continue;
        }
        const int64_t *blocks = round->blocks + transfer->first_block;
        if (!ownership->sizes)
            change_listed(ownership, transfer->from, blocks, transfer->block_count, false);
        for (size_t i = 0; i < transfer->block_count && ownership->sizes; i++)
            change_block(ownership, transfer->from, blocks[i], false);
    }
}

int64_t ownership_arrive(Ownership *ownership, const Round *round,
                         const ScheduledTransfer *transfer)
{
    int64_t had = 0, to = transfer->to, behind = 0;
    if (transfer->block_count == 0)
        return 0;
    if (round->packed) {
        uint64_t *bits = ownership_word(ownership, to, 0);
        const int64_t single = packed_single(round, transfer);
        if (single >= 0)
            had = change_row(bits, single, 1, true);
        for (PackedBlocks at = packed_blocks(round, transfer); single < 0 && packed_more(&at);)
            had += change_run(bits, at.run.to, at.run.to_stride, at.run.count, true);
        ownership->counts[to] += (int64_t)transfer->block_count - had;
        note_peak(ownership, to);
        return had;
    }
    if (ownership->rotation)
        to = rotation_stand_in(ownership->rotation, to, &behind);
    if (!behind && !ownership->sizes)
        return change_listed(ownership, to,
                             (round->destination ? round->destination : round->blocks) +
                                 transfer->first_block,
                             transfer->block_count, true);
    for (size_t i = 0; i < transfer->block_count; i++) {
        int64_t block = round_destination(round, transfer->first_block + i);
        if (behind)
            block = rotation_turn(ownership->rotation, block, -behind);
        had += change_block(ownership, to, block, true);
    }
    return had;
}

void ownership_apply(Ownership *ownership, const Round *round)
{
    ownership_depart(ownership, round);
    for (size_t t = 0; t < round->count; t++)
        ownership_arrive(ownership, round, &round->transfers[t]);
    for (size_t i = 0; i < round->product_count; i++)
        ownership_put(ownership, round->products[i].rank, round->products[i].blocks[ARRAY_RESULT]);
}
