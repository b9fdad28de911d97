#include "verify/operation.h"

#include <math.h>
#include <string.h>

#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* -O2 leaves most of these loops scalar */
#endif

static void combine_sum(uint64_t *restrict into, const uint64_t *restrict from, size_t elements,
                        bool from_is_left)
{
    (void)from_is_left;
    for (size_t i = 0; i < elements; i++)
        into[i] += from[i];
}

static void combine_prod(uint64_t *restrict into, const uint64_t *restrict from, size_t elements,
                         bool from_is_left)
{
    (void)from_is_left;
    for (size_t i = 0; i < elements; i++)
        into[i] *= from[i];
}

static void combine_max(uint64_t *restrict into, const uint64_t *restrict from, size_t elements,
                        bool from_is_left)
{
    (void)from_is_left;
    for (size_t i = 0; i < elements; i++)
        into[i] = (int64_t)from[i] > (int64_t)into[i] ? from[i] : into[i];
}

static void combine_min(uint64_t *restrict into, const uint64_t *restrict from, size_t elements,
                        bool from_is_left)
{
    (void)from_is_left;
    for (size_t i = 0; i < elements; i++)
        into[i] = (int64_t)from[i] < (int64_t)into[i] ? from[i] : into[i];
}

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

static void fill_doubles(const uint64_t *randoms, size_t count, int bits, uint64_t *elements)
{
    const double unit = ldexp(1, -bits);
    for (size_t i = 0; i < count; i++)
        write_double(&elements[i], (double)whole_term(randoms[i], bits) * unit);
}

void operation_fill(OperationKind kind, const uint64_t *randoms, size_t count, int64_t ranks,
                    uint64_t *elements)
{
    switch (kind) {
    case OPERATION_DOUBLE:
        fill_doubles(randoms, count, term_bits(ranks), elements);
        break;
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

static void add_terms(const uint64_t *randoms, size_t count, int bits, uint64_t *expected)
{
    for (size_t i = 0; i < count; i++) {
        int64_t term = whole_term(randoms[i], bits);
        expected[2 * i] += (uint64_t)term;
        expected[2 * i + 1] += (uint64_t)(term < 0 ? -term : term);
    }
}

void operation_expect(OperationKind kind, bool first, const uint64_t *randoms, size_t count,
                      int64_t ranks, uint64_t *expected)
{
    enum { TOGETHER = 64 };
    if (kind == OPERATION_DOUBLE) {
        if (first)
            memset(expected, 0, 2 * count * sizeof *expected);
        add_terms(randoms, count, term_bits(ranks), expected);
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

/* Any order of n - 1 additions has an error of at most gamma sum|x|, gamma = (n-1) u / (1 - (n-1)
   u) (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., eq. 4.4). */
static bool doubles_agree(const uint64_t *computed, size_t count, const uint64_t *expected,
                          int64_t terms, int64_t ranks)
{
    const long double unit = ldexpl(1, term_bits(ranks));
    const long double steps = (long double)(terms - 1) * 0x1p-53L;
    const long double error = steps / (1 - steps) * (1 + 0x1p-50L);
    bool agree = true;
    for (size_t i = 0; i < count; i++) {
        long double exact = (long double)(int64_t)expected[2 * i];
        long double scaled = (long double)read_double(&computed[i]) * unit;
        agree &= fabsl(scaled - exact) <= error * (long double)expected[2 * i + 1];
    }
    return agree;
}

bool operation_agrees(OperationKind kind, const uint64_t *elements, size_t count,
                      const uint64_t *expected, int64_t terms, int64_t ranks)
{
    if (kind == OPERATION_DOUBLE)
        return doubles_agree(elements, count, expected, terms, ranks);
    return memcmp(elements, expected, count * combine_table[kind].words * sizeof *elements) == 0;
}
