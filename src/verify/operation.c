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

static int64_t whole_term(uint64_t random, int64_t ranks)
{
    int64_t size = (int64_t)(random >> (64 - term_bits(ranks)));
    return random & 1 ? size : -size;
}

void operation_fill(OperationKind kind, uint64_t random, int64_t ranks, uint64_t *element)
{
    if (kind == OPERATION_DOUBLE)
        write_double(element, ldexp((double)whole_term(random, ranks), -term_bits(ranks)));
    else
        element[0] = kind == OPERATION_PROD || kind == OPERATION_AFFINE ? random | 1 : random;
    if (kind == OPERATION_AFFINE)
        element[1] = random * 0x9E3779B97F4A7C15u + 1;
}

size_t operation_expected_words(OperationKind kind)
{
    return kind == OPERATION_DOUBLE ? 2 : combine_table[kind].words;
}

void operation_expect(OperationKind kind, bool first, uint64_t random, int64_t ranks,
                      uint64_t *expected)
{
    if (kind == OPERATION_DOUBLE) {
        int64_t term = whole_term(random, ranks);
        expected[0] = (first ? 0 : expected[0]) + (uint64_t)term;
        expected[1] = (first ? 0 : expected[1]) + (uint64_t)(term < 0 ? -term : term);
        return;
    }
    uint64_t element[2];
    operation_fill(kind, random, ranks, element);
    if (first)
        memcpy(expected, element, combine_table[kind].words * sizeof *element);
    else
        combine_table[kind].combine(expected, element, 1, false);
}

/* Any order of n - 1 additions has an error of at most gamma sum|x|, gamma = (n-1) u / (1 - (n-1)
   u) (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., eq. 4.4). */
static bool double_agrees(double computed, const uint64_t *expected, int64_t terms, int64_t ranks)
{
    long double scaled = ldexpl((long double)computed, term_bits(ranks));
    long double exact = (long double)(int64_t)expected[0];
    long double steps = (long double)(terms - 1) * 0x1p-53L;
    long double bound = steps / (1 - steps) * (long double)expected[1];
    return fabsl(scaled - exact) <= bound * (1 + 0x1p-50L);
}

bool operation_agrees(OperationKind kind, const uint64_t *element, const uint64_t *expected,
                      int64_t terms, int64_t ranks)
{
    if (kind == OPERATION_DOUBLE)
        return double_agrees(read_double(element), expected, terms, ranks);
    return memcmp(element, expected, combine_table[kind].words * sizeof *element) == 0;
}
