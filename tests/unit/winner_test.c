#include "choose/winner.h"

#include "unit.h"

#include <math.h>

/* a equals b and b equals c to 12 digits, but a is below c. */
static const double chain[] = {1 + 1.6e-12, 1 + 0.8e-12, 1};

START_TEST(the_first_near_the_least_time_wins)
{
    const double rounded[] = {3.1920000000000001e-06, 3.1919999999999997e-06, 4e-6};
    const double apart[] = {1 + 3e-12, 1, 1};
    const double free_of_cost[] = {1e-300, 0, 0};
    ck_assert_uint_eq(winner_find(rounded, 3), 0);
    ck_assert_uint_eq(winner_find(apart, 3), 1);
    ck_assert_uint_eq(winner_find(free_of_cost, 3), 1);
}
END_TEST

START_TEST(equality_is_to_the_least_time_not_from_one_to_the_next)
{
    bool tied[3];
    ck_assert(time_is_equal(chain[0], chain[1]));
    ck_assert(time_is_equal(chain[1], chain[2]));
    ck_assert(time_is_below(chain[2], chain[0]));
    ck_assert_uint_eq(winner_find(chain, 3), 1);
    ck_assert_uint_eq(winner_find_tied(chain, 3, tied), 1);
    ck_assert(!tied[0] && !tied[1] && tied[2]);
}
END_TEST

START_TEST(missing_candidates_never_win)
{
    const double some[] = {NAN, 2, NAN, 1}, none[] = {NAN, NAN}, endless[] = {NAN, INFINITY, 5};
    bool tied[4];
    ck_assert_uint_eq(winner_find(some, 4), 3);
    ck_assert_uint_eq(winner_find_tied(some, 4, tied), 0);
    ck_assert_uint_eq(winner_find(none, 2), 2);
    ck_assert_uint_eq(winner_find(none, 0), 0);
    ck_assert_uint_eq(winner_find(endless, 3), 2);
    ck_assert_uint_eq(winner_find(endless, 2), 1);
    ck_assert_uint_eq(winner_find_tied(endless, 3, tied), 0);
}
END_TEST

START_TEST(tables_list_the_winner_and_then_the_winner_of_the_rest)
{
    const double seconds[] = {3, NAN, 1, 2 + 1e-12, 2, 1, INFINITY, NAN};
    const size_t expected[] = {2, 5, 3, 4, 0, 6, 1, 7};
    size_t order[8];
    winner_order(seconds, 8, order);
    for (size_t i = 0; i < 8; i++)
        ck_assert_uint_eq(order[i], expected[i]);
    const size_t expected_chain[] = {1, 2, 0};
    winner_order(chain, 3, order);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(order[i], expected_chain[i]);
}
END_TEST

Suite *winner_suite(void)
{
    Suite *suite = suite_create("winner");
    TCase *tests = tcase_create("winner");
    tcase_add_test(tests, the_first_near_the_least_time_wins);
    tcase_add_test(tests, equality_is_to_the_least_time_not_from_one_to_the_next);
    tcase_add_test(tests, missing_candidates_never_win);
    tcase_add_test(tests, tables_list_the_winner_and_then_the_winner_of_the_rest);
    suite_add_tcase(suite, tests);
    return suite;
}
