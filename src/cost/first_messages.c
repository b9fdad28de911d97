#include "cost/first_messages.h"

bool first_messages_keep(Arena *arena, const Chunkwise *chunkwise, const Round *round,
                         const int64_t *combines, FirstArray *firsts)
{
    for (size_t i = 0; i < round->count; i++) {
        const ScheduledTransfer *transfer = &round->transfers[i];
        if (transfer->block_count != 1 || transfer_is_local(transfer))
            return false;
        const int64_t block = round->blocks[transfer->first_block];
        *ARRAY_PUSH_ALONE(arena, firsts) =
            (FirstMessage){*transfer, round->pass, block % chunkwise->shift.chunks, combines[i]};
    }
    return true;
}

bool first_messages_suffice(const Chunkwise *chunkwise, const FirstArray *firsts)
{
    const ChunkPasses *passes = &chunkwise->passes[0];
    const ChunkShift *shift = &chunkwise->shift;
    bool all = (int64_t)firsts->count == shift->transfers;
    for (size_t i = 0; i < firsts->count; i++) {
        const FirstMessage *first = &firsts->items[i];
        const int64_t times = (chunkwise->chunks - 1 - first->chunk) / shift->chunks;
        all &= first->pass + times * shift->passes < passes->least + passes->count;
    }
    return all;
}

FirstParts first_messages_order(Arena *arena, const Chunkwise *chunkwise, const FirstArray *firsts)
{
    const FirstMessage *items = firsts->items;
    FirstParts parts = {.least = INT64_MAX,
                        .chunks = chunkwise->shift.chunks,
                        .items = ARENA_ROOM(arena, const FirstMessage *, firsts->count)};
    int64_t most = INT64_MIN;
    for (size_t i = 0; i < firsts->count; i++) {
        parts.least = items[i].pass < parts.least ? items[i].pass : parts.least;
        most = items[i].pass > most ? items[i].pass : most;
    }
    parts.passes = firsts->count ? most - parts.least + 1 : 0;
    const size_t count = (size_t)(parts.passes * parts.chunks);
    int32_t *starts = parts.starts = ARENA_ARRAY(arena, int32_t, count + 2);
    for (size_t i = 0; i < firsts->count; i++)
        starts[(items[i].pass - parts.least) * parts.chunks + items[i].chunk + 2]++;
    for (size_t i = 2; i < count + 2; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < firsts->count; i++) {
        const int64_t part = (items[i].pass - parts.least) * parts.chunks + items[i].chunk;
        parts.items[starts[part + 1]++] = &items[i];
    }
    return parts;
}

WideHash first_messages_hash(const Chunkwise *chunkwise, const FirstArray *firsts)
{
    const ChunkPasses *passes = &chunkwise->passes[0];
    const ChunkShift *shift = &chunkwise->shift;
    WideHash hash = {(uint64_t)firsts->count, (uint64_t)chunkwise->chunks};
    hash = hash_add(hash, (uint64_t)shift->passes, (uint64_t)shift->chunks);
    hash = hash_add(hash, (uint64_t)passes->least, (uint64_t)passes->count);
    for (int64_t n = 0; n < passes->count; n++)
        hash = hash_add(hash, (uint64_t)passes->first_chunks[n], 0);
    for (size_t i = 0; i < firsts->count; i++) {
        const FirstMessage *first = &firsts->items[i];
        hash = hash_add(hash, (uint64_t)first->transfer.from << 32 | (uint64_t)first->transfer.to,
                        (uint64_t)first->pass);
        hash = hash_add(hash, (uint64_t)first->chunk, (uint64_t)first->combines);
    }
    return hash;
}
