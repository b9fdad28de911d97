#include "verify/executor.h"

#include "base/random.h"
#include "unit.h"

#include <string.h>

enum { MOST_TERMS = 1000 };

typedef struct {
    uint64_t randoms[MOST_TERMS];
    uint64_t elements[MOST_TERMS][2];
    uint64_t expected[2];
    size_t count;
} Terms;

static Terms make_terms(OperationKind kind, size_t count, uint64_t seed)
{
    Terms terms = {.count = count};
    for (size_t i = 0; i < count; i++) {
        terms.randoms[i] = random_next(&seed);
        operation_fill(kind, &terms.randoms[i], 1, (int64_t)count, terms.elements[i]);
        operation_expect(kind, i == 0, &terms.randoms[i], 1, (int64_t)count, terms.expected);
    }
    return terms;
}

/* Combines neighbours, in pairs chosen at random, until one element is left. */
static void combine_in_pairs(OperationKind kind, Terms *terms, uint64_t seed)
{
    for (size_t left = terms->count; left > 1; left--) {
        size_t i = random_next(&seed) % (left - 1);
        if (random_next(&seed) % 2) {
            combine_table[kind].combine(terms->elements[i], terms->elements[i + 1], 1, false);
        } else {
            combine_table[kind].combine(terms->elements[i + 1], terms->elements[i], 1, true);
            memcpy(terms->elements[i], terms->elements[i + 1], sizeof *terms->elements);
        }
        memmove(terms->elements + i + 1, terms->elements + i + 2,
                (left - i - 2) * sizeof *terms->elements);
    }
}

static void shuffle(Terms *terms, uint64_t seed)
{
    for (size_t i = terms->count; i > 1; i--) {
        size_t j = random_next(&seed) % i;
        uint64_t swap[2];
        memcpy(swap, terms->elements[j], sizeof swap);
        memcpy(terms->elements[j], terms->elements[i - 1], sizeof swap);
        memcpy(terms->elements[i - 1], swap, sizeof swap);
    }
}

static bool agrees(OperationKind kind, const Terms *terms)
{
    return operation_agrees(kind, terms->elements[0], 1, terms->expected, (int64_t)terms->count,
                            (int64_t)terms->count);
}

/* Many elements at once are what they are one by one; a wrong one among them shows. */
START_TEST(elements_are_made_together)
{
    enum { MANY = 150, RANKS = 3 };
    const OperationKind kind = (OperationKind)_i;
    const size_t words = combine_table[kind].words, expected_words = operation_expected_words(kind);
    uint64_t seed = 7, randoms[RANKS][MANY], elements[2 * MANY] = {0}, sum[2 * MANY] = {0};
    uint64_t expected[2 * MANY], alone[2 * MANY];
    for (int r = 0; r < RANKS; r++) {
        for (int i = 0; i < MANY; i++) {
            randoms[r][i] = random_next(&seed);
            operation_expect(kind, r == 0, &randoms[r][i], 1, RANKS,
                             alone + (size_t)i * expected_words);
        }
        operation_fill(kind, randoms[r], MANY, RANKS, elements);
        operation_expect(kind, r == 0, randoms[r], MANY, RANKS, expected);
        if (r == 0)
            memcpy(sum, elements, sizeof sum);
        else
            combine_table[kind].combine(sum, elements, MANY, false);
    }
    ck_assert_mem_eq(expected, alone, MANY * expected_words * sizeof *expected);
    ck_assert(operation_agrees(kind, sum, MANY, expected, RANKS, RANKS));
    sum[(MANY - 1) * words] ^= (uint64_t)1 << 62;
    ck_assert(!operation_agrees(kind, sum, MANY, expected, RANKS, RANKS));
}
END_TEST

START_TEST(every_bracketing_agrees)
{
    OperationKind kind = (OperationKind)_i;
    for (size_t count = 1; count <= MOST_TERMS; count = count * 3 + 1) {
        Terms terms = make_terms(kind, count, count);
        combine_in_pairs(kind, &terms, count + 1);
        ck_assert_msg(agrees(kind, &terms), "%s of %zu terms", combine_table[kind].name, count);
    }
}
END_TEST

START_TEST(every_order_agrees_where_order_does_not_count)
{
    OperationKind kind = (OperationKind)_i;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Terms terms = make_terms(kind, 100, seed);
        shuffle(&terms, seed);
        combine_in_pairs(kind, &terms, seed);
        ck_assert_msg(agrees(kind, &terms) == !combine_table[kind].needs_order, "%s",
                      combine_table[kind].name);
    }
}
END_TEST

START_TEST(a_missing_or_doubled_term_shows)
{
    static const OperationKind kinds[] = {OPERATION_SUM, OPERATION_DOUBLE, OPERATION_AFFINE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t count = 2; count <= MOST_TERMS; count = count * 3 + 1) {
            Terms missing = make_terms(kinds[k], count, 5),
                  doubled = make_terms(kinds[k], count, 5);
            missing.count--;
            combine_in_pairs(kinds[k], &missing, 6);
            missing.count++;
            ck_assert_msg(!agrees(kinds[k], &missing), "%s of %zu terms, one missing",
                          combine_table[kinds[k]].name, count);
            memcpy(doubled.elements[0], doubled.elements[1], sizeof *doubled.elements);
            combine_in_pairs(kinds[k], &doubled, 6);
            ck_assert_msg(!agrees(kinds[k], &doubled), "%s of %zu terms, one twice",
                          combine_table[kinds[k]].name, count);
        }
}
END_TEST

START_TEST(affine_maps_do_not_commute)
{
    Terms terms = make_terms(OPERATION_AFFINE, 2, 9);
    uint64_t swapped[2];
    memcpy(swapped, terms.elements[0], sizeof swapped);
    combine_table[OPERATION_AFFINE].combine(terms.elements[0], terms.elements[1], 1, false);
    ck_assert(agrees(OPERATION_AFFINE, &terms));
    combine_table[OPERATION_AFFINE].combine(swapped, terms.elements[1], 1, true);
    ck_assert(!operation_agrees(OPERATION_AFFINE, swapped, 1, terms.expected, 2, 2));
}
END_TEST

START_TEST(operations_do_what_their_names_say)
{
    uint64_t into[4] = {3, (uint64_t)-4, 3, (uint64_t)-4};
    const uint64_t from[4] = {(uint64_t)-5, 2, (uint64_t)-5, 2};
    combine_table[OPERATION_MAX].combine(into, from, 2, false);
    ck_assert(into[0] == 3 && into[1] == 2 && into[2] == 3);
    combine_table[OPERATION_MIN].combine(into, from, 1, false);
    ck_assert_int_eq((int64_t)into[0], -5);
    combine_table[OPERATION_PROD].combine(into + 1, from, 1, false);
    ck_assert_int_eq((int64_t)into[1], -10);
    combine_table[OPERATION_SUM].combine(into + 3, from + 3, 1, false);
    ck_assert_int_eq((int64_t)into[3], -2);
}
END_TEST

Suite *operation_suite(void)
{
    Suite *suite = suite_create("operation");
    TCase *combining = tcase_create("combining");
    tcase_add_loop_test(combining, elements_are_made_together, 0, OPERATION_COUNT);
    tcase_add_loop_test(combining, every_bracketing_agrees, 0, OPERATION_COUNT);
    tcase_add_loop_test(combining, every_order_agrees_where_order_does_not_count, 0,
                        OPERATION_COUNT);
    tcase_add_test(combining, a_missing_or_doubled_term_shows);
    tcase_add_test(combining, affine_maps_do_not_commute);
    tcase_add_test(combining, operations_do_what_their_names_say);
    suite_add_tcase(suite, combining);
    return suite;
}
