#include "verify/executor.h"

#include "base/random.h"

#include <string.h>

/* Times the elements of a block with weight 1: no block has more. */
enum { MOST_BYTES = 1 << 27, MOST_TIMES = 16 };

struct Executor {
    Arena *arena;
    const Contract *contract;
    const BlockSpace *space;
    int64_t chunks, block_count;
    const int64_t *begins; /* of each block of a rank, its first element, and where the last ends */
    OperationKind kind;
    uint64_t seed;
    size_t rank_words;
    uint64_t *data;    /* p x rank_words */
    bool *held;        /* p x block_count */
    uint32_t *read_in; /* p x block_count: the last round, from 1, that reads the block */
    int32_t *first;    /* p x block_count: the first rank whose contribution is in the block */
    int64_t round_number;
    size_t bytes;
};

static int64_t first_element(const Executor *executor, int64_t whole_block)
{
    return executor->begins[whole_block * executor->chunks];
}

static size_t block_words(const Executor *executor, int64_t block)
{
    return (size_t)(executor->begins[block + 1] - executor->begins[block]) *
           combine_table[executor->kind].words;
}

static uint64_t *block_data(const Executor *executor, int64_t rank, int64_t block)
{
    return executor->data + (size_t)rank * executor->rank_words +
           (size_t)executor->begins[block] * combine_table[executor->kind].words;
}

static size_t place_of(const Executor *executor, int64_t rank, int64_t block)
{
    return (size_t)rank * (size_t)executor->block_count + (size_t)block;
}

/* What the random words of a block begin with. A block that is only moved is one value wherever it
   lies; in a combination each rank contributes its own. */
static uint64_t random_start(const Executor *executor, int64_t rank, int64_t whole_block)
{
    uint64_t origin = executor->contract->combines ? (uint64_t)rank + 1 : 0;
    return random_hash(executor->seed ^ random_hash(origin ^ random_hash((uint64_t)whole_block)));
}

static void fill_block(Executor *executor, int64_t rank, int64_t whole_block)
{
    uint64_t *data = block_data(executor, rank, whole_block * executor->chunks);
    uint64_t state = random_start(executor, rank, whole_block);
    size_t words = combine_table[executor->kind].words;
    int64_t count = first_element(executor, whole_block + 1) - first_element(executor, whole_block);
    for (int64_t e = 0; e < count; e++)
        operation_fill(executor->kind, random_next(&state), executor->contract->p,
                       data + (size_t)e * words);
    for (int64_t h = 0; h < executor->chunks; h++) {
        size_t place = place_of(executor, rank, whole_block * executor->chunks + h);
        executor->held[place] = true;
        executor->first[place] = executor->contract->combines ? (int32_t)rank : 0;
    }
}

/* How many elements the whole block b has. */
static int64_t elements_of(const Weights *weights, int64_t unit, int64_t elements, int64_t b)
{
    return weights ? (weights->values[b % weights->count] * elements + unit - 1) / unit : elements;
}

/* Where each block begins: chunk h of n elements at floor(h n / k). */
static const int64_t *list_begins(Arena *arena, const Weights *weights, int64_t elements,
                                  int64_t count, int64_t chunks)
{
    int64_t *begins = ARENA_ROOM(arena, int64_t, (size_t)(count * chunks) + 1), largest = 1;
    int64_t at = 0, *next = begins;
    for (int64_t b = 0; weights && b < weights->count; b++)
        largest = weights->values[b] > largest ? weights->values[b] : largest;
    int64_t unit = (largest + MOST_TIMES - 1) / MOST_TIMES;
    for (int64_t b = 0; b < count; b++) {
        int64_t size = elements_of(weights, unit, elements, b);
        for (int64_t h = 0; h < chunks; h++)
            *next++ = at + (int64_t)((__int128)h * size / chunks);
        at += size;
    }
    *next = at;
    return begins;
}

Executor *executor_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                          int64_t chunks, OperationKind kind, int64_t elements,
                          const Weights *weights, uint64_t seed)
{
    size_t p = (size_t)contract->p, rank_words, words;
    int64_t count = space->count / chunks, all;
    if ((size_t)space->count > MOST_BYTES / 8 / p || __builtin_mul_overflow(count, elements, &all))
        return NULL;
    const int64_t *begins = list_begins(arena, weights, elements, count, chunks);
    all = begins[count * chunks];
    if (__builtin_mul_overflow((size_t)all, combine_table[kind].words, &rank_words) ||
        __builtin_mul_overflow(rank_words, p, &words) || words > MOST_BYTES / 8)
        return NULL;
    Executor *executor = ARENA_NEW(arena, Executor);
    *executor = (Executor){.arena = arena,
                           .contract = contract,
                           .space = space,
                           .chunks = chunks,
                           .block_count = space->count,
                           .begins = begins,
                           .kind = kind,
                           .seed = seed,
                           .rank_words = rank_words,
                           .data = ARENA_ARRAY(arena, uint64_t, words),
                           .held = ARENA_ARRAY(arena, bool, p *(size_t)space->count),
                           .read_in = ARENA_ARRAY(arena, uint32_t, p * (size_t)space->count),
                           .first = ARENA_ARRAY(arena, int32_t, p * (size_t)space->count)};
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = 0, held = holding_count(&contract->before, r); i < held; i++)
            fill_block(executor, r, holding_block(&contract->before, r, i));
    return executor;
}

static bool fail(Executor *executor, const ScheduledTransfer *transfer, int64_t block,
                 Failure *failure, const char *what)
{
    *failure = failure_of_transfer(executor->arena, executor->contract, executor->space,
                                   executor->round_number, transfer, block, what);
    return false;
}

/* Marks what the round reads, and takes it from senders that do not keep it. */
static bool note_reads(Executor *executor, const Round *round, Failure *failure)
{
    uint32_t stamp = (uint32_t)(round->number + 1);
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count; i++) {
            int64_t block = round->blocks[transfer->first_block + i];
            size_t place = place_of(executor, transfer->from, block);
            if (!executor->held[place])
                return fail(executor, transfer, block, failure, failure_not_held(transfer));
            executor->read_in[place] = stamp;
        }
    }
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count && !verb_info[transfer->verb].keeps; i++)
            executor->held[place_of(executor, transfer->from,
                                    round->blocks[transfer->first_block + i])] = false;
    }
    return true;
}

/* Does the round write a block that it also reads? Returns the words to stage then, else 0. */
static size_t staging_words(const Executor *executor, const Round *round)
{
    uint32_t stamp = (uint32_t)(round->number + 1);
    size_t words = 0;
    bool hazard = false;
    for (size_t t = 0; t < round->count; t++)
        for (size_t i = 0; i < round->transfers[t].block_count; i++) {
            int64_t block = round_destination(round, round->transfers[t].first_block + i);
            hazard |= executor->read_in[place_of(executor, round->transfers[t].to, block)] == stamp;
            words += block_words(executor, block);
        }
    return hazard ? words : 0;
}

/* One block on its way. */
typedef struct {
    const uint64_t *data;
    int32_t first;
} Sent;

static Sent read_block(const Executor *executor, int64_t rank, int64_t block)
{
    return (Sent){block_data(executor, rank, block),
                  executor->first[place_of(executor, rank, block)]};
}

/* A copy of all that the round sends, in the order of its transfers and their blocks. */
static const Sent *stage(const Executor *executor, const Round *round, size_t words)
{
    uint64_t *next = ARENA_ARRAY(executor->arena, uint64_t, words);
    size_t blocks = 0;
    for (size_t t = 0; t < round->count; t++)
        blocks += round->transfers[t].block_count;
    Sent *staged = ARENA_ROOM(executor->arena, Sent, blocks), *sent = staged;
    for (size_t t = 0; t < round->count; t++)
        for (size_t i = 0; i < round->transfers[t].block_count; i++) {
            int64_t block = round->blocks[round->transfers[t].first_block + i];
            size_t count = block_words(executor, block);
            *sent = read_block(executor, round->transfers[t].from, block);
            memcpy(next, sent->data, count * 8);
            sent++->data = next;
            next += count;
        }
    return staged;
}

/* Some data depend on how equal contributions were combined: doubles on where the brackets were,
   affine maps on their order, which counts where the contract says so. */
static bool must_be_same(const Executor *executor)
{
    return executor->kind != OPERATION_DOUBLE &&
           (!combine_table[executor->kind].needs_order || executor->contract->rank_order);
}

static bool receive(Executor *executor, const ScheduledTransfer *transfer, int64_t block, Sent sent,
                    Failure *failure)
{
    const CombineInfo *operation = &combine_table[executor->kind];
    uint64_t *data = block_data(executor, transfer->to, block);
    size_t words = block_words(executor, block);
    size_t place = place_of(executor, transfer->to, block);
    executor->bytes += words * 8;
    if (!executor->held[place]) {
        memcpy(data, sent.data, words * 8);
        executor->held[place] = true;
        executor->first[place] = sent.first;
        return true;
    }
    if (verb_info[transfer->verb].combines) {
        /* What begins with the lower rank goes to the left. */
        operation->combine(data, sent.data, words / operation->words,
                           sent.first < executor->first[place]);
        if (sent.first < executor->first[place])
            executor->first[place] = sent.first;
        return true;
    }
    if (memcmp(data, sent.data, words * 8) == 0)
        return true;
    if (must_be_same(executor))
        return fail(executor, transfer, block, failure, failure_overwrites(transfer));
    memcpy(data, sent.data, words * 8);
    executor->first[place] = sent.first;
    return true;
}

bool executor_apply(Executor *executor, const Round *round, Failure *failure)
{
    executor->round_number = round->number;
    if (!note_reads(executor, round, failure))
        return false;
    ArenaMark mark = arena_mark(executor->arena);
    size_t words = staging_words(executor, round);
    const Sent *staged = words ? stage(executor, round, words) : NULL;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count; i++) {
            size_t at = transfer->first_block + i;
            Sent sent =
                staged ? *staged++ : read_block(executor, transfer->from, round->blocks[at]);
            if (!receive(executor, transfer, round_destination(round, at), sent, failure))
                return false;
        }
    }
    arena_release(executor->arena, mark);
    return true;
}

/* What blocks hold that combine ranks from .. to, extended as `to` grows. */
typedef struct {
    int64_t from, to;
    uint64_t *values; /* block_count x elements x words */
} Expected;

static void expect_rank(const Executor *executor, Expected *expected, int64_t rank, bool first)
{
    size_t words = operation_expected_words(executor->kind);
    uint64_t *value = expected->values;
    for (int64_t b = 0; b < executor->contract->block_count; b++) {
        uint64_t state = random_start(executor, rank, b);
        for (int64_t e = first_element(executor, b); e < first_element(executor, b + 1);
             e++, value += words)
            operation_expect(executor->kind, first, random_next(&state), executor->contract->p,
                             value);
    }
}

static void expect(const Executor *executor, Expected *expected, int64_t from, int64_t to)
{
    bool extends = expected->from == from && expected->to <= to;
    if (!extends) {
        expect_rank(executor, expected, from, true);
        expected->from = expected->to = from;
    }
    while (expected->to < to)
        expect_rank(executor, expected, ++expected->to, false);
}

static bool check_block(const Executor *executor, const Expected *expected, int64_t rank,
                        int64_t block, Failure *failure)
{
    size_t words = combine_table[executor->kind].words;
    size_t expected_words = operation_expected_words(executor->kind);
    int64_t first = executor->begins[block];
    const uint64_t *data = block_data(executor, rank, block);
    bool held = executor->held[place_of(executor, rank, block)];
    bool right = held;
    for (size_t e = 0; right && e < block_words(executor, block) / words; e++)
        right = operation_agrees(executor->kind, data + e * words,
                                 expected->values + ((size_t)first + e) * expected_words,
                                 expected->to - expected->from + 1, executor->contract->p);
    if (!right)
        failure->text = arena_printf(
            executor->arena, "block %s of rank %lld %s after the last round (%s, %s)",
            blockspace_name(executor->arena, executor->space, block), (long long)rank,
            held ? "has a wrong value" : "is missing", combine_table[executor->kind].name,
            contract_describe(executor->arena, executor->contract));
    return right;
}

bool executor_check(const Executor *executor, Failure *failure)
{
    const Contract *contract = executor->contract;
    const Holding *after = &contract->after;
    size_t words = (size_t)first_element(executor, contract->block_count) *
                   operation_expected_words(executor->kind);
    Expected expected = {-1, -1, ARENA_ARRAY(executor->arena, uint64_t, words)};
    failure->span = NOWHERE;
    for (int64_t r = 0; r < contract->p; r++) {
        if (holding_count(after, r) == 0)
            continue;
        expect(executor, &expected, contract->combines ? contract->contributors_from[r] : 0,
               contract->combines ? contract->contributors_to[r] : 0);
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++)
            for (int64_t h = 0; h < executor->chunks; h++)
                if (!check_block(executor, &expected, r,
                                 holding_block(after, r, i) * executor->chunks + h, failure))
                    return false;
    }
    return true;
}

size_t executor_bytes(const Executor *executor)
{
    return executor->bytes;
}
