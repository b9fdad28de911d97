#include "lang/exact.h"

#include "base/random.h"
#include "unit.h"

static Exact fraction(int64_t numerator, int64_t denominator)
{
    return exact_divide(exact_from_int(numerator), exact_from_int(denominator));
}

static void assert_is(Exact value, int64_t numerator, int64_t denominator)
{
    ck_assert(value.exact);
    ck_assert_int_eq(value.numerator, numerator);
    ck_assert_int_eq(value.denominator, denominator);
    ck_assert_double_eq(value.real, (double)numerator / (double)denominator);
}

START_TEST(fractions_are_in_lowest_terms)
{
    assert_is(fraction(6, 4), 3, 2);
    assert_is(fraction(6, -4), -3, 2);
    assert_is(fraction(-6, -4), 3, 2);
    assert_is(fraction(0, -7), 0, 1);
    assert_is(exact_add(fraction(1, 3), fraction(1, 6)), 1, 2);
    assert_is(exact_subtract(fraction(1, 3), fraction(1, 3)), 0, 1);
    assert_is(exact_multiply(fraction(2, 3), fraction(-9, 4)), -3, 2);
    assert_is(exact_divide(fraction(2, 3), fraction(-4, 9)), -3, 2);
}
END_TEST

START_TEST(arithmetic_obeys_its_laws)
{
    uint64_t random = 7;
    for (int n = 0; n < 10000; n++) {
        int64_t parts[6];
        for (int i = 0; i < 6; i++)
            parts[i] = (int64_t)(random_next(&random) % 2001) - 1000;
        Exact a = fraction(parts[0], parts[1] ? parts[1] : 1);
        Exact b = fraction(parts[2], parts[3] ? parts[3] : 1);
        Exact c = fraction(parts[4] ? parts[4] : 1, parts[5] ? parts[5] : 1);
        ck_assert_int_eq(exact_compare(exact_subtract(exact_add(a, b), b), a), 0);
        ck_assert_int_eq(exact_compare(exact_divide(exact_multiply(a, c), c), a), 0);
        ck_assert_int_eq(exact_compare(exact_multiply(exact_add(a, b), c),
                                       exact_add(exact_multiply(a, c), exact_multiply(b, c))),
                         0);
        ck_assert_int_eq(exact_compare(a, b), -exact_compare(b, a));
    }
}
END_TEST

START_TEST(comparison_is_exact)
{
    Exact third = fraction(1, 3);
    Exact nearly = fraction(3333333333333333, 10000000000000000);
    ck_assert_int_eq(exact_compare(third, nearly), 1);
    ck_assert_int_eq(exact_compare(nearly, third), -1);
    ck_assert(!exact_equal(third, nearly));
    ck_assert(exact_equal(third, fraction(2, 6)));
    Exact largest = exact_from_int(INT64_MAX), next = exact_from_int(INT64_MAX - 1);
    ck_assert_int_eq(exact_compare(largest, next), 1);
    ck_assert(!exact_equal(largest, next));
}
END_TEST

/* 2^-70 and 3^-50 need more than 64 bits. */
START_TEST(large_fractions_are_told_apart)
{
    Exact small = exact_from_int(1), other = exact_from_int(1);
    for (int i = 0; i < 70; i++)
        small = exact_divide(small, exact_from_int(2));
    for (int i = 0; i < 50; i++)
        other = exact_divide(other, exact_from_int(3));
    Exact one = exact_from_int(1), sum = exact_add(one, small);
    ck_assert(!sum.exact);
    ck_assert_double_eq(sum.real, 1);
    ck_assert(!exact_equal(sum, one));
    ck_assert(!exact_equal(one, sum));
    ck_assert(!exact_equal(sum, exact_subtract(one, small)));
    ck_assert(exact_equal(exact_subtract(sum, small), one));
    ck_assert(exact_subtract(sum, small).exact);
    ck_assert(exact_equal(exact_add(exact_add(one, other), small),
                          exact_add(exact_add(one, small), other)));
    ck_assert(exact_equal(exact_divide(sum, other), exact_divide(exact_add(one, small), other)));
    ck_assert(
        exact_equal(exact_divide(exact_multiply(fraction(-3, 7), small), small), fraction(-3, 7)));
}
END_TEST

START_TEST(what_does_not_fit_becomes_inexact)
{
    Exact largest = exact_from_int(INT64_MAX);
    Exact sum = exact_add(largest, exact_from_int(1));
    ck_assert(!sum.exact);
    ck_assert_double_eq(sum.real, 0x1p63);
    ck_assert(!exact_multiply(largest, exact_from_int(2)).exact);
    Exact tiny = exact_divide(fraction(1, INT64_MAX), exact_from_int(2));
    ck_assert(!tiny.exact);
    assert_near(tiny.real, 0x1p-64, 1e-15);
    Exact difference = exact_subtract(fraction(1, INT64_MAX), fraction(1, INT64_MAX - 1));
    ck_assert(!difference.exact);
    ck_assert(!exact_subtract(exact_from_int(-INT64_MAX), exact_from_int(2)).exact);
    assert_is(exact_subtract(exact_from_int(-INT64_MAX + 1), exact_from_int(1)), -INT64_MAX, 1);
    assert_is(exact_multiply(fraction(INT64_MAX, 3), fraction(3, INT64_MAX)), 1, 1);
}
END_TEST

START_TEST(inexact_values_are_equal_to_12_digits)
{
    Exact root = exact_from_double(1.4142135623730951);
    ck_assert(!root.exact);
    ck_assert(exact_equal(root, exact_from_double(1.4142135623730951 * (1 + 1e-14))));
    ck_assert(!exact_equal(root, exact_from_double(1.4142135623730951 * (1 + 1e-10))));
    ck_assert(!exact_add(root, exact_from_int(1)).exact);
    ck_assert_double_eq(exact_multiply(root, exact_from_int(2)).real, 2 * 1.4142135623730951);
    ck_assert_int_eq(exact_compare(root, fraction(3, 2)), -1);
}
END_TEST

START_TEST(doubles_are_exact_where_they_are_whole)
{
    assert_is(exact_from_double(-3), -3, 1);
    assert_is(exact_from_double(0x1p53 - 1), (INT64_C(1) << 53) - 1, 1);
    ck_assert(!exact_from_double(0x1p53).exact);
    ck_assert(!exact_from_double(0.5).exact);
}
END_TEST

START_TEST(values_are_shown)
{
    Fixture *fixture = fixture_open();
    ck_assert_str_eq(exact_show(fixture->arena, fraction(7, 8)), "7/8");
    ck_assert_str_eq(exact_show(fixture->arena, fraction(-3, 1)), "-3");
    ck_assert_str_eq(exact_show(fixture->arena, exact_from_double(2.585)), "2.585");
    fixture_close(fixture);
}
END_TEST

START_TEST(slots_are_counted_with_the_indices_of_sums)
{
    Fixture *fixture = fixture_open();
    name_whole(fixture, "p", 8);
    name_whole(fixture, "r", 3);
    ck_assert_int_eq(expr_slot_count(checked(fixture, "1 + 2")), 0);
    ck_assert_int_eq(expr_slot_count(checked(fixture, "p")), 1);
    ck_assert_int_eq(expr_slot_count(checked(fixture, "r")), 2);
    ck_assert_int_eq(expr_slot_count(checked(fixture, "sum(i, 0, 1, sum(j, 0, 1, 1))")), 4);
    fixture_close(fixture);
}
END_TEST

Suite *exact_suite(void)
{
    Suite *suite = suite_create("exact");
    TCase *arithmetic = tcase_create("arithmetic");
    tcase_add_test(arithmetic, fractions_are_in_lowest_terms);
    tcase_add_test(arithmetic, arithmetic_obeys_its_laws);
    tcase_add_test(arithmetic, comparison_is_exact);
    tcase_add_test(arithmetic, large_fractions_are_told_apart);
    tcase_add_test(arithmetic, what_does_not_fit_becomes_inexact);
    tcase_add_test(arithmetic, inexact_values_are_equal_to_12_digits);
    tcase_add_test(arithmetic, doubles_are_exact_where_they_are_whole);
    suite_add_tcase(suite, arithmetic);
    TCase *forms = tcase_create("forms");
    tcase_add_test(forms, values_are_shown);
    tcase_add_test(forms, slots_are_counted_with_the_indices_of_sums);
    suite_add_tcase(suite, forms);
    return suite;
}
