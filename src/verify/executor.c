#include "verify/executor.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* -O2 leaves most of these loops scalar */
#endif

/* a and b: an element of `into`, and of `from`. */
#define COMBINE(name, result)                                                                      \
    static void combine_##name(uint64_t *restrict into, const uint64_t *restrict from,             \
                               size_t elements, bool from_is_left)                                 \
    {                                                                                              \
        (void)from_is_left;                                                                        \
        for (size_t i = 0; i < elements; i++) {                                                    \
            const uint64_t a = into[i], b = from[i];                                               \
            into[i] = (result);                                                                    \
        }                                                                                          \
    }
COMBINE(sum, a + b)
COMBINE(prod, a *b)
COMBINE(max, (int64_t)b > (int64_t)a ? b : a)
COMBINE(min, (int64_t)b < (int64_t)a ? b : a)

static double read_double(const uint64_t *word)
{
    double value;
    memcpy(&value, word, sizeof value);
    return value;
}

static void write_double(uint64_t *word, double value)
{
    memcpy(word, &value, sizeof value);
}

static void combine_double(uint64_t *restrict into, const uint64_t *restrict from, size_t elements,
                           bool from_is_left)
{
    (void)from_is_left;
    for (size_t i = 0; i < elements; i++)
        write_double(&into[i], read_double(&into[i]) + read_double(&from[i]));
}

/* (a, b) is x -> a x + b; left after right is x -> aL aR x + aL bR + bL. */
static void combine_affine(uint64_t *into, const uint64_t *from, size_t elements, bool from_is_left)
{
    for (size_t i = 0; i < 2 * elements; i += 2) {
        const uint64_t *left = from_is_left ? from + i : into + i;
        const uint64_t *right = from_is_left ? into + i : from + i;
        uint64_t a = left[0] * right[0], b = left[0] * right[1] + left[1];
        into[i] = a;
        into[i + 1] = b;
    }
}

const CombineInfo combine_table[OPERATION_COUNT] = {
    [OPERATION_SUM] = {"SUM", 1, combine_sum, false},
    [OPERATION_PROD] = {"PROD", 1, combine_prod, false},
    [OPERATION_MAX] = {"MAX", 1, combine_max, false},
    [OPERATION_MIN] = {"MIN", 1, combine_min, false},
    [OPERATION_DOUBLE] = {"double SUM", 1, combine_double, false},
    [OPERATION_AFFINE] = {"affine maps", 2, combine_affine, true},
};

/* Terms of the sum of doubles are whole numbers below 2^bits, scaled by 2^-bits, so that the exact
   sum of `ranks` of them, and of their absolute values, fits 64 bits. */
static int term_bits(int64_t ranks)
{
    int bits = 62;
    for (int64_t n = 1; n < ranks; n *= 2)
        bits--;
    return bits < 52 ? bits : 52;
}

static int64_t whole_term(uint64_t random, int bits)
{
    int64_t size = (int64_t)(random >> (64 - bits));
    return random & 1 ? size : -size;
}

void operation_fill(OperationKind kind, const uint64_t *randoms, size_t count, int64_t ranks,
                    uint64_t *elements)
{
    switch (kind) {
    case OPERATION_DOUBLE: {
        int bits = term_bits(ranks);
        const double unit = 1 / (double)((uint64_t)1 << bits);
        for (size_t j = 0; j < count; j++)
            write_double(&elements[j], (double)whole_term(randoms[j], bits) * unit);
    } break;
    case OPERATION_PROD:
        for (size_t i = 0; i < count; i++)
            elements[i] = randoms[i] | 1;
        break;
    case OPERATION_AFFINE:
        for (size_t i = 0; i < count; i++) {
            elements[2 * i] = randoms[i] | 1;
            elements[2 * i + 1] = randoms[i] * 0x9E3779B97F4A7C15u + 1;
        }
        break;
    default:
        memcpy(elements, randoms, count * sizeof *elements);
    }
}

size_t operation_expected_words(OperationKind kind)
{
    return kind == OPERATION_DOUBLE ? 2 : combine_table[kind].words;
}

void operation_expect(OperationKind kind, bool first, const uint64_t *randoms, size_t count,
                      int64_t ranks, uint64_t *expected)
{
    enum { TOGETHER = 64 };
    if (kind == OPERATION_DOUBLE) {
        if (first)
            memset(expected, 0, 2 * count * sizeof *expected);
        int bits = term_bits(ranks);
        for (size_t i = 0; i < count; i++) {
            int64_t term = whole_term(randoms[i], bits);
            expected[2 * i] += (uint64_t)term;
            expected[2 * i + 1] += (uint64_t)(term < 0 ? -term : term);
        }
        return;
    }
    if (first) {
        operation_fill(kind, randoms, count, ranks, expected);
        return;
    }
    uint64_t elements[2 * TOGETHER];
    for (size_t done = 0, some; done < count; done += some) {
        some = count - done < TOGETHER ? count - done : TOGETHER;
        operation_fill(kind, randoms + done, some, ranks, elements);
        combine_table[kind].combine(expected + done * combine_table[kind].words, elements, some,
                                    false);
    }
}

bool operation_agrees(OperationKind kind, const uint64_t *elements, size_t count,
                      const uint64_t *expected, int64_t terms, int64_t ranks)
{
    if (kind != OPERATION_DOUBLE)
        return memcmp(elements, expected, count * combine_table[kind].words * sizeof *elements) ==
               0;
    /* Any order of n - 1 additions has an error of at most gamma sum|x|, gamma = (n-1) u / (1 -
       (n-1) u) (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., eq. 4.4). */
    const long double unit = (long double)((uint64_t)1 << term_bits(ranks));
    const long double steps = (long double)(terms - 1) * 0x1p-53L;
    const long double error = steps / (1 - steps) * (1 + 0x1p-50L);
    bool agree = true;
    for (size_t i = 0; i < count; i++) {
        long double exact = (long double)(int64_t)expected[2 * i];
        long double scaled = (long double)read_double(&elements[i]) * unit;
        agree &= fabsl(scaled - exact) <= error * (long double)expected[2 * i + 1];
    }
    return agree;
}

/* Times the elements of a block with weight 1: no block has more. */
enum { MOST_BYTES = 1 << 27, MOST_TIMES = 16 };

struct Executor {
    FailureSite site;

    int64_t chunks, block_count;
    const int64_t *begins; /* of each block of a rank, its first element, and where the last ends */
    int operation_count;
    OperationKind operations[OPERATION_COUNT];
    size_t words, expected_words; /* of an element, for all operations */
    uint64_t seed;
    uint64_t *randoms; /* room for those of the elements of a rank */
    size_t rank_words;
    uint64_t *data;    /* p x rank_words */
    bool *held;        /* p x block_count */
    uint32_t *read_in; /* p x block_count: the last round, from 1, that reads the block */
    int32_t *first;    /* p x block_count: the first rank whose contribution is in the block */
};

static size_t block_elements(const Executor *executor, int64_t block)
{
    return (size_t)(executor->begins[block + 1] - executor->begins[block]);
}

static size_t block_words(const Executor *executor, int64_t block)
{
    return block_elements(executor, block) * executor->words;
}

static uint64_t *block_data(const Executor *executor, int64_t rank, int64_t block)
{
    return executor->data + (size_t)rank * executor->rank_words +
           (size_t)executor->begins[block] * executor->words;
}

static size_t place_of(const Executor *executor, int64_t rank, int64_t block)
{
    return (size_t)rank * (size_t)executor->block_count + (size_t)block;
}

/* Draws the random words of the elements of a whole block, chunk by chunk. A block that is only
   moved is one value wherever it lies; in a combination each rank contributes its own. */
static void draw_randoms(const Executor *executor, int64_t rank, int64_t whole_block,
                         uint64_t *randoms)
{
    const int64_t *begins = executor->begins + whole_block * executor->chunks;
    const uint64_t origin = executor->site.contract->combines ? (uint64_t)rank + 1 : 0;
    uint64_t state =
        random_hash(executor->seed ^ random_hash(origin ^ random_hash((uint64_t)whole_block)));
    for (int64_t e = begins[0]; e < begins[executor->chunks]; e++)
        *randoms++ = random_next(&state);
}

static void fill_block(Executor *executor, int64_t rank, int64_t whole_block)
{
    const uint64_t *randoms = executor->randoms;
    draw_randoms(executor, rank, whole_block, executor->randoms);
    for (int64_t h = 0; h < executor->chunks; h++) {
        const int64_t block = whole_block * executor->chunks + h;
        const size_t count = block_elements(executor, block),
                     place = place_of(executor, rank, block);
        uint64_t *data = block_data(executor, rank, block);
        for (int i = 0; i < executor->operation_count; i++) {
            operation_fill(executor->operations[i], randoms, count, executor->site.contract->p,
                           data);
            data += count * combine_table[executor->operations[i]].words;
        }
        randoms += count;
        executor->held[place] = true;
        executor->first[place] = executor->site.contract->combines ? (int32_t)rank : 0;
    }
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
        /* How many elements the whole block b has. */
        int64_t size =
            weights ? (weights->values[b % weights->count] * elements + unit - 1) / unit : elements;
        for (int64_t h = 0; h < chunks; h++)
            *next++ = at + (int64_t)((__int128)h * size / chunks);
        at += size;
    }
    *next = at;
    return begins;
}

Executor *executor_create(Arena *arena, const Contract *contract, const BlockSpace *space,
                          int64_t chunks, unsigned operations, int64_t elements,
                          const Weights *weights, uint64_t seed)
{
    size_t p = (size_t)contract->p;
    int64_t count = space->count / chunks, all;
    if ((size_t)space->count > MOST_BYTES / 8 / p || __builtin_mul_overflow(count, elements, &all))
        return NULL;
    Executor *executor = ARENA_NEW(arena, Executor);
    *executor = (Executor){.site = {arena, contract, space, 0},
                           .chunks = chunks,
                           .block_count = space->count,
                           .begins = list_begins(arena, weights, elements, count, chunks),
                           .seed = seed};
    size_t most = 1; /* words of the operation whose elements are largest */
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        if (!(operations >> kind & 1))
            continue;
        executor->operations[executor->operation_count++] = kind;
        executor->words += combine_table[kind].words;
        executor->expected_words += operation_expected_words(kind);
        if (combine_table[kind].words > most)
            most = combine_table[kind].words;
    }
    all = executor->begins[count * chunks];
    if ((size_t)all > MOST_BYTES / 8 / most / p)
        return NULL;
    executor->rank_words = (size_t)all * executor->words;
    executor->randoms = ARENA_ROOM(arena, uint64_t, (size_t)all + 1);
    executor->data = ARENA_ARRAY(arena, uint64_t, p * executor->rank_words);
    executor->held = ARENA_ARRAY(arena, bool, p *(size_t)space->count);
    executor->read_in = ARENA_ARRAY(arena, uint32_t, p * (size_t)space->count);
    executor->first = ARENA_ARRAY(arena, int32_t, p * (size_t)space->count);
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = 0, held = holding_count(&contract->before, r); i < held; i++)
            fill_block(executor, r, holding_block(&contract->before, r, i));
    return executor;
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
                return failure_of_transfer(&executor->site, transfer, block, failure,
                                           failure_not_held(transfer));
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

/* A copy of all that the round sends, in the order of its transfers and their blocks, if it writes
   a block that it also reads; else NULL. */
static const Sent *stage(const Executor *executor, const Round *round)
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
    if (!hazard)
        return NULL;
    uint64_t *next = ARENA_ARRAY(executor->site.arena, uint64_t, words);
    Sent *staged = ARENA_ROOM(executor->site.arena, Sent, round_block_count(round)), *sent = staged;
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

/* Do values depend on the order of contributions, where the contract leaves it open? */
static bool is_order_free(const Executor *executor, OperationKind kind)
{
    return combine_table[kind].needs_order && !executor->site.contract->rank_order;
}

static bool receive(Executor *executor, const ScheduledTransfer *transfer, int64_t block, Sent sent,
                    Failure *failure)
{
    uint64_t *data = block_data(executor, transfer->to, block);
    const size_t count = block_elements(executor, block);
    const size_t place = place_of(executor, transfer->to, block);
    int32_t *first = &executor->first[place];
    if (executor->held[place] && verb_info[transfer->verb].combines) {
        /* What begins with the lower rank goes to the left. */
        uint64_t *into = data;
        const uint64_t *from = sent.data;
        for (int i = 0; i < executor->operation_count; i++) {
            const CombineInfo *operation = &combine_table[executor->operations[i]];
            operation->combine(into, from, count, sent.first < *first);
            into += count * operation->words;
            from += count * operation->words;
        }
        *first = sent.first < *first ? sent.first : *first;
        return true;
    }
    /* What is written over must be the same. Doubles also depend on where the brackets were. */
    size_t done = 0;
    for (int i = 0; i < executor->operation_count && executor->held[place]; i++) {
        const OperationKind kind = executor->operations[i];
        const size_t words = count * combine_table[kind].words;
        if (kind != OPERATION_DOUBLE && !is_order_free(executor, kind) &&
            memcmp(data + done, sent.data + done, words * sizeof *data) != 0)
            return failure_of_transfer(&executor->site, transfer, block, failure,
                                       failure_overwrites(transfer));
        done += words;
    }
    memcpy(data, sent.data, count * executor->words * sizeof *data);
    executor->held[place] = true;
    *first = sent.first;
    return true;
}

bool executor_apply(Executor *executor, const Round *round, Failure *failure)
{
    executor->site.round_number = round->number;
    if (!note_reads(executor, round, failure))
        return false;
    ArenaMark mark = arena_mark(executor->site.arena);
    const Sent *staged = stage(executor, round);
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
    arena_release(executor->site.arena, mark);
    return true;
}

/* What blocks hold that combine ranks from .. to, extended as `to` grows. */
typedef struct {
    int64_t from, to;
    uint64_t *values; /* of all elements of a rank for one operation, then for the next */
} Expected;

static void expect_rank(const Executor *executor, Expected *expected, int64_t rank, bool first)
{
    const int64_t blocks = executor->site.contract->block_count;
    const size_t count = (size_t)executor->begins[blocks * executor->chunks];
    uint64_t *value = expected->values;
    for (int64_t b = 0; b < blocks; b++)
        draw_randoms(executor, rank, b, executor->randoms + executor->begins[b * executor->chunks]);
    for (int i = 0; i < executor->operation_count; i++) {
        const OperationKind kind = executor->operations[i];
        operation_expect(kind, first, executor->randoms, count, executor->site.contract->p, value);
        value += count * operation_expected_words(kind);
    }
}

static bool check_block(const Executor *executor, const Expected *expected, int64_t rank,
                        int64_t block, bool *in_rank_order, Failure *failure)
{
    const size_t count = block_elements(executor, block);
    const bool held = executor->held[place_of(executor, rank, block)];
    const uint64_t *data = block_data(executor, rank, block);
    const size_t all =
        (size_t)executor->begins[executor->site.contract->block_count * executor->chunks];
    const size_t begin = (size_t)executor->begins[block];
    const uint64_t *values = expected->values;
    for (int i = 0; i < executor->operation_count; i++) {
        const OperationKind kind = executor->operations[i];
        const bool right =
            held &&
            operation_agrees(kind, data, count, values + begin * operation_expected_words(kind),
                             expected->to - expected->from + 1, executor->site.contract->p);
        *in_rank_order &= right;
        if (!right && !(held && is_order_free(executor, kind))) {
            failure->text = arena_printf(
                executor->site.arena, "block %s of rank %lld %s after the last round (%s, %s)",
                blockspace_name(executor->site.arena, executor->site.space, block), (long long)rank,
                held ? "has a wrong value" : "is missing", combine_table[kind].name,
                contract_describe(executor->site.arena, executor->site.contract));
            return false;
        }
        data += count * combine_table[kind].words;
        values += all * operation_expected_words(kind);
    }
    return true;
}

bool executor_check(const Executor *executor, bool *in_rank_order, Failure *failure)
{
    const Contract *contract = executor->site.contract;
    const Holding *after = &contract->after;
    size_t words = (size_t)executor->begins[contract->block_count * executor->chunks] *
                   executor->expected_words;
    Expected expected = {-1, -1, ARENA_ARRAY(executor->site.arena, uint64_t, words)};
    failure->span = NOWHERE;
    *in_rank_order = true;
    for (int64_t r = 0; r < contract->p; r++) {
        if (holding_count(after, r) == 0)
            continue;
        const int64_t from = contract->combines ? per_rank(&contract->contributors_from, r) : 0;
        const int64_t to = contract->combines ? per_rank(&contract->contributors_to, r) : 0;
        bool extends = expected.from == from && expected.to <= to;
        if (!extends) {
            expect_rank(executor, &expected, from, true);
            expected.from = expected.to = from;
        }
        while (expected.to < to)
            expect_rank(executor, &expected, ++expected.to, false);
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++)
            for (int64_t h = 0; h < executor->chunks; h++)
                if (!check_block(executor, &expected, r,
                                 holding_block(after, r, i) * executor->chunks + h, in_rank_order,
                                 failure))
                    return false;
    }
    return true;
}
