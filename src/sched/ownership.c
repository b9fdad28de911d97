#include "sched/ownership.h"

enum { MOST_BYTES = 64 << 20 };

static uint64_t *word_of(const Holdings *holdings, int64_t rank, int64_t block)
{
    return &holdings->bits[(size_t)rank * holdings->words + (size_t)block / 64];
}

static uint64_t bit_of(int64_t block)
{
    return (uint64_t)1 << (block % 64);
}

bool holdings_has(const Holdings *holdings, int64_t rank, int64_t block)
{
    return (*word_of(holdings, rank, block) & bit_of(block)) != 0;
}

static int64_t size_of(const Holdings *holdings, int64_t block)
{
    return holdings->sizes ? holdings->sizes[block] : 1;
}

void holdings_put(Holdings *holdings, int64_t rank, int64_t block)
{
    if (!holdings_has(holdings, rank, block))
        holdings->counts[rank] += size_of(holdings, block);
    *word_of(holdings, rank, block) |= bit_of(block);
    if (holdings->counts[rank] > holdings->peaks[rank])
        holdings->peaks[rank] = holdings->counts[rank];
}

static void take(Holdings *holdings, int64_t rank, int64_t block)
{
    if (holdings_has(holdings, rank, block))
        holdings->counts[rank] -= size_of(holdings, block);
    *word_of(holdings, rank, block) &= ~bit_of(block);
}

bool holdings_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                     int64_t chunks, const int64_t *sizes, Holdings *holdings)
{
    int64_t p = contract->p, blocks = space->count;
    size_t words = (size_t)blocks / 64 + 1;
    if (words > (size_t)MOST_BYTES / 8 / (size_t)p)
        return false;
    *holdings = (Holdings){p,
                           blocks,
                           ARENA_ARRAY(arena, uint64_t, words * (size_t)p),
                           ARENA_ARRAY(arena, int64_t, (size_t)p),
                           ARENA_ARRAY(arena, int64_t, (size_t)p),
                           words,
                           sizes};
    const Holding *before = &contract->before;
    for (int64_t r = 0; r < p; r++)
        for (int64_t i = before->starts[r]; i < before->starts[r + 1]; i++)
            for (int64_t h = 0; h < chunks; h++)
                holdings_put(holdings, r, before->blocks[i] * chunks + h);
    return true;
}

void holdings_list(const Holdings *holdings, int64_t rank, Arena *arena, IntArray *blocks)
{
    for (size_t w = 0; w < holdings->words; w++) {
        uint64_t word = holdings->bits[(size_t)rank * holdings->words + w];
        for (; word; word &= word - 1)
            *ARRAY_PUSH(arena, blocks) = (int64_t)w * 64 + __builtin_ctzll(word);
    }
}

void holdings_depart(Holdings *holdings, const Round *round)
{
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count && !verb_info[transfer->verb].keeps; i++)
            take(holdings, transfer->from, round->blocks[transfer->first_block + i]);
    }
}

int64_t holdings_arrive(Holdings *holdings, const Round *round, const ScheduledTransfer *transfer)
{
    int64_t had = 0;
    for (size_t i = 0; i < transfer->block_count; i++) {
        int64_t block = round_landing(round, transfer->first_block + i);
        had += holdings_has(holdings, transfer->to, block) ? size_of(holdings, block) : 0;
        holdings_put(holdings, transfer->to, block);
    }
    return had;
}

void holdings_apply(Holdings *holdings, const Round *round)
{
    holdings_depart(holdings, round);
    for (size_t t = 0; t < round->count; t++)
        holdings_arrive(holdings, round, &round->transfers[t]);
    for (size_t i = 0; i < round->product_count; i++)
        holdings_put(holdings, round->products[i].rank, round->products[i].blocks[ARRAY_RESULT]);
}
