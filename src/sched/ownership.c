#include "sched/ownership.h"

#include "sched/rotation.h"

enum { MOST_BYTES = 64 << 20 };

static uint64_t *word_of(const Ownership *ownership, int64_t rank, int64_t block)
{
    return &ownership->bits[(size_t)rank * ownership->words + (size_t)block / 64];
}

static uint64_t bit_of(int64_t block)
{
    return (uint64_t)1 << (block % 64);
}

bool ownership_has(const Ownership *ownership, int64_t rank, int64_t block)
{
    return (*word_of(ownership, rank, block) & bit_of(block)) != 0;
}

static int64_t size_of(const Ownership *ownership, int64_t block)
{
    return ownership->sizes ? ownership->sizes[block] : 1;
}

void ownership_put(Ownership *ownership, int64_t rank, int64_t block)
{
    if (!ownership_has(ownership, rank, block))
        ownership->counts[rank] += size_of(ownership, block);
    *word_of(ownership, rank, block) |= bit_of(block);
    if (ownership->counts[rank] > ownership->peaks[rank])
        ownership->peaks[rank] = ownership->counts[rank];
}

static void take(Ownership *ownership, int64_t rank, int64_t block)
{
    if (ownership_has(ownership, rank, block))
        ownership->counts[rank] -= size_of(ownership, block);
    *word_of(ownership, rank, block) &= ~bit_of(block);
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
    const Holding *before = &contract->before;
    for (int64_t r = 0; r < p; r++)
        for (int64_t i = 0, count = holding_count(before, r); i < count; i++)
            for (int64_t h = 0; h < chunks; h++)
                ownership_put(ownership, r, holding_block(before, r, i) * chunks + h);
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

/* Blocks that all count 1, as most do. */
static void take_alike(Ownership *ownership, int64_t rank, const int64_t *blocks, size_t count)
{
    uint64_t *bits = word_of(ownership, rank, 0);
    int64_t had = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t block = (size_t)blocks[i];
        had += (int64_t)(bits[block / 64] >> block % 64 & 1);
        bits[block / 64] &= ~bit_of(blocks[i]);
    }
    ownership->counts[rank] -= had;
}

/* Returns how many of them the rank had. */
static int64_t put_alike(Ownership *ownership, int64_t rank, const int64_t *blocks, size_t count)
{
    uint64_t *bits = word_of(ownership, rank, 0);
    int64_t had = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t block = (size_t)blocks[i];
        had += (int64_t)(bits[block / 64] >> block % 64 & 1);
        bits[block / 64] |= bit_of(blocks[i]);
    }
    ownership->counts[rank] += (int64_t)count - had;
    if (ownership->counts[rank] > ownership->peaks[rank])
        ownership->peaks[rank] = ownership->counts[rank];
    return had;
}

size_t ownership_select(const Ownership *ownership, int64_t rank, int64_t shift,
                        const int64_t *blocks, size_t count, int64_t *held)
{
    const uint64_t *bits = word_of(ownership, rank, 0);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t block = (size_t)(blocks[i] + shift);
        held[kept] = (int64_t)block;
        kept += bits[block / 64] >> block % 64 & 1;
    }
    return kept;
}

void ownership_depart(Ownership *ownership, const Round *round)
{
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        const int64_t *blocks = round->blocks + transfer->first_block;
        if (verb_info[transfer->verb].keeps)
            continue;
        if (!ownership->sizes)
            take_alike(ownership, transfer->from, blocks, transfer->block_count);
        for (size_t i = 0; i < transfer->block_count && ownership->sizes; i++)
            take(ownership, transfer->from, blocks[i]);
    }
}

int64_t ownership_arrive(Ownership *ownership, const Round *round,
                         const ScheduledTransfer *transfer)
{
    int64_t had = 0, to = transfer->to, behind = 0;
    if (ownership->rotation)
        to = rotation_stand_in(ownership->rotation, to, &behind);
    if (!behind && !ownership->sizes)
        return put_alike(ownership, to,
                         (round->destination ? round->destination : round->blocks) +
                             transfer->first_block,
                         transfer->block_count);
    for (size_t i = 0; i < transfer->block_count; i++) {
        int64_t block = round_destination(round, transfer->first_block + i);
        if (behind)
            block = rotation_turn(ownership->rotation, block, -behind);
        had += ownership_has(ownership, to, block) ? size_of(ownership, block) : 0;
        ownership_put(ownership, to, block);
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
