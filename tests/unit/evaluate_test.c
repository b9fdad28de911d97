/* Both evaluators on chosen points: each case says what exact.h and program.h must give. */
#include "lang/check.h"
#include "lang/circulant.h"
#include "lang/program.h"

#include "unit.h"

#include <math.h>

static const struct {
    const char *text;
    int64_t value;
} wholes[] = {
    {"2 ^ 3 ^ 2", 512},
    {"-2 ^ 2", -4},
    {"7 - 3 - 2", 2},
    {"1 + 2 * 3", 7},
    {"7 mod 3", 1},
    {"-7 mod 3", 2},
    {"7 mod -3", -2},
    {"-7 mod -3", -1},
    {"6 mod -3", 0},
    {"-6 mod 3", 0},
    {"0 mod -3", 0},
    {"7 div 3", 2},
    {"(-7) div 3", -3},
    {"7 div -3", -3},
    {"(-7) div -3", 2},
    {"(-6) div 3", -2},
    {"6 div -3", -2},
    {"-7 div 3", -3},
    {"5 div -1", -5},
    {"5 mod -1", 0},
    {"4294967295 mod 65536", 65535},
    {"4294967296 mod 65537", 1},
    {"9223372036854775807 mod 4294967296", 4294967295},
    {"9223372036854775807 div 4294967296", 2147483647},
    {"(-9223372036854775807) div 2", -4611686018427387904},
    {"6 xor 3", 5},
    {"6 xor 3 + 1", 2},
    {"-1 xor 1", -2},
    {"clog2(1)", 0},
    {"clog2(2)", 1},
    {"clog2(3)", 2},
    {"clog2(2^62)", 62},
    {"clog2(2^62 + 1)", 63},
    {"clog2(2^62 - 1)", 62},
    {"clog2(9223372036854775807)", 63},
    {"flog2(1)", 0},
    {"flog2(2^62)", 62},
    {"flog2(2^62 - 1)", 61},
    {"flog2(9223372036854775807)", 62},
    {"ceil(log2(2^29))", 29},
    {"ceil(log2(2^29 + 1))", 30},
    {"ceil(log2(2^31))", 31},
    {"ceil(log2(2^31 - 1))", 31},
    {"ceil(log2(2^31 + 1))", 32},
    {"ceil(log2(2^47))", 47},
    {"ceil(log2(2^47 + 1))", 48},
    {"ceil(log2(2^49))", 49},
    {"ceil(log2(2^49 + 1))", 50},
    {"floor(log2(2^49 - 1))", 48},
    {"floor(log2(2^49))", 49},
    {"bit(5, 0)", 1},
    {"bit(5, 1)", 0},
    {"bit(5, 2)", 1},
    {"bit(2^62, 62)", 1},
    {"bit(5, 63)", 0},
    {"bit(-1, 63)", 1},
    {"bit(5, 1000)", 0},
    {"popcount(0)", 0},
    {"popcount(9223372036854775807)", 63},
    /* the receive schedule of 17 ranks, in 5 rounds, as MPICH's circ_graph.c lists it */
    {"circulant(17, 1 * 5)", 0},
    {"circulant(17, 1 * 5 + 1)", -4},
    {"circulant(17, 3 * 5 + 2)", 2},
    {"circulant(17, 4 * 5)", -3},
    {"circulant(17, 4 * 5 + 2)", 0},
    {"circulant(17, 8 * 5 + 3)", 2},
    {"circulant(17, 12 * 5 + 2)", -1},
    {"circulant(17, 14 * 5 + 4)", 3},
    {"circulant(17, 16 * 5)", -5},
    {"circulant(17, 16 * 5 + 2)", -3},
    {"circulant(17, 16 * 5 + 4)", 1},
    {"circulant(17, 0)", 0},
    {"circulant(2, 1)", 0},
    /* p changes from term to term */
    {"sum(i, 0, 59, circulant(5 + (7 * i) mod 19, i mod 15) * (i + 1))", -2206},
    {"sum(i, 1, 10, i)", 55},
    {"sum(i, 1, 0, i)", 0},
    {"sum(i, -3, 3, i)", 0},
    {"sum(i, 1, 4, sum(j, 1, i, j))", 20},
    {"sum(i, 1, 3, i) * sum(i, 1, 4, i)", 60},
    {"largest(i, 1, 5, 10 - (i - 3) ^ 2)", 10},
    {"largest(i, 1, 0, 7)", 0},
    {"largest(i, 1, 3, -i)", 0},
    {"2 ^ 62", 4611686018427387904},
    {"3 ^ 39", 4052555153018976267},
    {"(-2) ^ 3", -8},
    {"0 ^ 0", 1},
    {"(-1) ^ 1000000001", -1},
    {"1 ^ 4611686018427387904", 1},
    {"min(3, 1, 2)", 1},
    {"max(3, 1, 2)", 3},
    {"abs(-5)", 5},
    {"ceil(7 / 2)", 4},
    {"floor(-7 / 2)", -4},
    {"ceil(-7 / 2)", -3},
    {"ceil(6 / 2)", 3},
    {"9223372036854775806 + 1", 9223372036854775807},
    {"-9223372036854775806 - 1", -9223372036854775807},
    {"when(1 < 2, 3, 4)", 3},
    {"when(power_of_two(8), 1, 0) + when(power_of_two(6), 10, 0)", 1},
    {"when(power_of_two(0) or power_of_two(-2), 1, 0)", 0},
    {"when(is_square(49) and not is_square(50), 1, 0)", 1},
    {"when(is_square(9223372030926249001), 1, 0)", 1},
    {"when(is_square(9223372030926249000) or is_square(-4), 1, 0)", 0},
    {"when(is_cube(27) and not is_cube(28) and is_cube(-8), 1, 0)", 1},
    {"when(is_cube(9223358842721533951) and not is_cube(9223372036854775807), 1, 0)", 1},
    {"sum(i, 1, 10000, when(cbrt(i^3) == i, 1, 0))", 10000},
    {"when(is_square(0) and power_of_two(1), 1, 0)", 1},
};

START_TEST(whole_numbers_are_exact)
{
    Fixture *fixture = fixture_open();
    assert_whole(fixture, wholes[_i].text, wholes[_i].value);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    int64_t numerator, denominator;
} fractions[] = {
    {"7 / 2", 7, 2},
    {"1 / 3 + 1 / 6", 1, 2},
    {"2 * (3 / 4)", 3, 2},
    {"(2 / 3) ^ 2", 4, 9},
    {"2.0 ^ 3", 8, 1},
    {"sqrt(49)", 7, 1},
    {"sqrt(9 / 4)", 3, 2},
    {"cbrt(27)", 3, 1},
    {"cbrt(-8 / 27)", -2, 3},
    {"log2(8)", 3, 1},
    {"log2(2^40)", 40, 1},
    {"min(1 / 2, 1 / 3)", 1, 3},
    {"abs(1 / 2 - 3)", 5, 2},
    {"sum(i, 1, 4, i / 2)", 5, 1},
    {"largest(i, 1, 4, (i - 2) / 4)", 1, 2},
    {"largest(i, 1, 4, -i / 2)", 0, 1},
    {"when(1 / 2 < 2 / 3, 5 / 2, 0)", 5, 2},
    {"3 > 2", 1, 1},
    {"3 > 2 and 2 > 3", 0, 1},
    {"3 > 2 or 2 > 3", 1, 1},
    {"not 3 > 2", 0, 1},
    {"1 / 2 == 2 / 4", 1, 1},
    {"3 != 3.0", 0, 1},
    {"floor(7 B / 2) / (1 B)", 3, 1},
};

START_TEST(fractions_and_conditions)
{
    Fixture *fixture = fixture_open();
    assert_fraction(fixture, fractions[_i].text, fractions[_i].numerator,
                    fractions[_i].denominator);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t column;
} without_value[] = {
    {"9223372036854775807 + 1", 1},
    {"-9223372036854775807 - 2", 1},
    {"3037000500 * 3037000500", 1},
    {"2 ^ 63", 1},
    {"10 ^ 19", 1},
    {"2 ^ -1", 1},
    {"1 mod 0", 1},
    {"1 div 0", 1},
    {"1 + (2 mod (3 - 3))", 5},
    {"1 / 0", 1},
    {"1 + 1 / (2 - 2)", 5},
    {"clog2(0)", 1},
    {"1 + clog2(-5)", 5},
    {"flog2(0)", 1},
    {"bit(1, -1)", 1},
    {"popcount(-1)", 1},
    {"circulant(17, 85)", 1},
    {"circulant(1, 0)", 1},
    {"circulant(4, -1)", 1},
    {"sqrt(-1)", 1},
    {"log2(0)", 1},
    {"log2(-1)", 1},
    {"1e300 * 1e300", 1},
    {"sum(i, 1, 3, 1 div (i - 2))", 14},
    {"sum(i, 0, 1, 9223372036854775807)", 1},
    {"largest(i, 1, 3, 1 mod (i - 3))", 18},
    {"sum(i, 0, 100000000, 1)", 1},
    {"when(1 mod 0 == 0, 1, 2)", 6},
    {"3 > 2 and 1 mod 0 == 0", 11},
    {"sum(i, 1 div 0, 5, i)", 8},
    {"sum(i, 0, 5 mod 0, i)", 11},
};

START_TEST(what_has_no_value_is_reported)
{
    Fixture *fixture = fixture_open();
    assert_no_value(fixture, without_value[_i].text, without_value[_i].column);
    fixture_close(fixture);
}
END_TEST

/* For all ranks and rounds, twice, in place; of each p in turn, the last too large to be
 * remembered. */
START_TEST(remembered_blocks_of_circulant_graphs_are_the_same)
{
    static const int64_t ranks[] = {17, 2, 1000, 17, 1, 100000, 1000000};
    enum { MOST = 20000 };
    Arena *arena = arena_create(NULL);
    CirculantTable *table = circulant_table(arena);
    int64_t *blocks = ARENA_ARRAY(arena, int64_t, MOST);
    for (size_t p = 0; p < sizeof ranks / sizeof *ranks; p++)
        for (int turn = 0; turn < 2; turn++) {
            for (int64_t n = 0; n < MOST; n++)
                blocks[n] = n - 2;
            circulant_blocks(table, ranks[p], blocks, MOST, blocks);
            for (int64_t n = 0; n < MOST; n++)
                ck_assert_int_eq(blocks[n], circulant_block(ranks[p], n - 2));
        }
    arena_destroy(arena);
}
END_TEST

/* An infinite intermediate result must not come back as a finite one. */
static const struct {
    const char *text;
    size_t column;
} hidden_infinities[] = {
    {"1 / (1 / 0)", 5},         {"min(1 / 0, 5)", 5},
    {"max(-1 / 0, 5)", 5},      {"2 ^ log2(0)", 5},
    {"sqrt(-1) ^ 0", 1},        {"1.0 ^ sqrt(-1)", 7},
    {"1 / (1e300 * 1e300)", 5}, {"largest(i, 0, 1, -1 / 0)", 18},
};

START_TEST(an_infinite_step_is_no_value)
{
    Fixture *fixture = fixture_open();
    assert_no_value(fixture, hidden_infinities[_i].text, hidden_infinities[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(an_infinite_step_decides_no_condition)
{
    Fixture *fixture = fixture_open();
    assert_no_value(fixture, "when(1 / 0 > 5, 1, 2)", 6);
    fixture_close(fixture);
}
END_TEST

/* The least 64-bit number stands for "no value" in programs. */
static const char *const least_numbers[] = {"(-2) ^ 63",     "9223372036854775807 xor -1",
                                            "-((-2) ^ 63)",  "abs(9223372036854775807 xor -1)",
                                            "0 - (-2) ^ 63", "((-2) ^ 63) div -1"};

START_TEST(the_least_number_is_too_large_for_both)
{
    Fixture *fixture = fixture_open();
    Expr *expr = checked(fixture, least_numbers[_i]);
    Exact exact;
    double computed;
    ck_assert(!exact_value(fixture, expr, &exact));
    assert_error(fixture);
    ck_assert(!program_value(fixture, expr, &computed));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

static const char *const wide_sums[] = {
    "sum(i, -4611686018427387904, 4611686018427387904, 1)",
    "largest(i, -9223372036854775807, 9223372036854775807, i)",
};

START_TEST(a_sum_over_too_much_is_refused)
{
    Fixture *fixture = fixture_open();
    assert_no_value(fixture, wide_sums[_i], 1);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_sum_may_end_at_the_largest_number)
{
    Fixture *fixture = fixture_open();
    assert_whole(fixture, "sum(i, 9223372036854775806, 9223372036854775807, i mod 2)", 1);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    int64_t value;
} untaken[] = {
    {"when(zero == 0, 7, 1 div zero)", 7},
    {"when(zero != 0, 1 mod zero, 7)", 7},
    {"when(zero == 0 or 1 div zero > 0, 7, 8)", 7},
    {"when(zero != 0 and 1 div zero > 0, 7, 8)", 8},
    {"when(zero == 0, 7, 9223372036854775807 + one)", 7},
    {"when(zero == 0, 7, clog2(zero))", 7},
    {"floor(when(zero == 0, 7.5, 1 / zero))", 7},
    {"floor(when(zero == 0, 7.5, sqrt(-one)))", 7},
    {"when(zero == 0, 7, sum(i, 0, 1 div zero, i))", 7},
    {"sum(i, 0, 3, when(i > 0, 6 div i, 0))", 11},
    {"when(zero == 0, 7, sum(i, 0, 2^40, i))", 7},
};

START_TEST(only_the_branch_that_counts_must_have_a_value)
{
    Fixture *fixture = fixture_open();
    name_whole(fixture, "zero", 0);
    name_whole(fixture, "one", 1);
    assert_whole(fixture, untaken[_i].text, untaken[_i].value);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_sum_hides_an_outer_name)
{
    Fixture *fixture = fixture_open();
    name_whole(fixture, "i", 100);
    assert_whole(fixture, "sum(i, 1, 3, i) + i", 106);
    fixture_close(fixture);
}
END_TEST

START_TEST(quantities_are_in_seconds_and_bytes)
{
    Fixture *fixture = fixture_open();
    double value;
    name_real(fixture, "m", DIMENSION_BYTES, 8192);
    ck_assert(program_value(fixture, checked(fixture, "m / (64 GB/s)"), &value));
    assert_near(value, 8192 / 64e9, 1e-15);
    ck_assert(program_value(fixture, checked(fixture, "7 * (1 us + m * (1.5e-05 s/B))"), &value));
    assert_near(value, 7 * (1e-6 + 8192 * 1.5e-5), 1e-15);
    ck_assert(program_value(fixture, checked(fixture, "m / (4 KiB)"), &value));
    ck_assert_double_eq(value, 2);
    fixture_close(fixture);
}
END_TEST

Suite *evaluate_suite(void)
{
    Suite *suite = suite_create("evaluate");
    TCase *values = tcase_create("values");
    tcase_add_loop_test(values, whole_numbers_are_exact, 0, sizeof wholes / sizeof *wholes);
    tcase_add_loop_test(values, fractions_and_conditions, 0, sizeof fractions / sizeof *fractions);
    tcase_add_loop_test(values, only_the_branch_that_counts_must_have_a_value, 0,
                        sizeof untaken / sizeof *untaken);
    tcase_add_test(values, a_sum_hides_an_outer_name);
    tcase_add_test(values, a_sum_may_end_at_the_largest_number);
    tcase_add_test(values, quantities_are_in_seconds_and_bytes);
    suite_add_tcase(suite, values);
    TCase *errors = tcase_create("errors");
    tcase_add_loop_test(errors, what_has_no_value_is_reported, 0,
                        sizeof without_value / sizeof *without_value);
    tcase_add_test(errors, remembered_blocks_of_circulant_graphs_are_the_same);
    tcase_add_loop_test(errors, an_infinite_step_is_no_value, 0,
                        sizeof hidden_infinities / sizeof *hidden_infinities);
    tcase_add_test(errors, an_infinite_step_decides_no_condition);
    tcase_add_loop_test(errors, the_least_number_is_too_large_for_both, 0,
                        sizeof least_numbers / sizeof *least_numbers);
    tcase_add_loop_test(errors, a_sum_over_too_much_is_refused, 0,
                        sizeof wide_sums / sizeof *wide_sums);
    suite_add_tcase(suite, errors);
    return suite;
}
