#include "choose/sweep.h"

#include "unit.h"

#include <math.h>

/* Candidate 1 runs on powers of two only. */
static const double by_ranks[][3] = {
    {4, 3, 6},   /* p = 2: 1 wins, second 0 */
    {5, NAN, 5}, /* p = 3: 0 wins, 2 is tied */
    {6, 3, 6},   /* p = 4: 1 wins by most, second 0 */
    {7, NAN, 7}, /* p = 5: 0 */
    {9, NAN, 8}, /* p = 6: 2 */
};
enum { POINTS = sizeof by_ranks / sizeof *by_ranks, CANDIDATES = 3 };

static SweepPointArray points_of(Fixture *fixture)
{
    SweepPointArray points = {0};
    for (size_t i = 0; i < POINTS; i++)
        *ARRAY_PUSH(fixture->arena, &points) = (SweepPoint){(int64_t)i + 2, by_ranks[i]};
    return points;
}

static void assert_row(const SweepRow *row, size_t winner, size_t first, size_t last, size_t covers)
{
    ck_assert_uint_eq(row->winner, winner);
    ck_assert_uint_eq(row->first, first);
    ck_assert_uint_eq(row->last, last);
    ck_assert_uint_eq(row->covers.count, covers);
}

START_TEST(rows_go_on_past_points_of_a_restricted_candidate)
{
    Fixture *fixture = fixture_open();
    SweepPointArray points = points_of(fixture);
    SweepRowArray rows = sweep_rows(fixture->arena, &points, CANDIDATES, SWEEP_JOIN_RESTRICTED);
    ck_assert_uint_eq(rows.count, 3);
    assert_row(&rows.items[0], 1, 0, 2, 2);
    assert_row(&rows.items[1], 0, 1, 3, 2);
    assert_row(&rows.items[2], 2, 4, 4, 1);
    ck_assert_int_eq(rows.items[0].covers.items[1], 4);
    ck_assert_uint_eq(rows.items[0].second.candidate, 0);
    ck_assert_int_eq(rows.items[0].second.at, 4);
    ck_assert_double_eq(rows.items[0].second.loss, 1);
    ck_assert(!rows.items[1].tied[0] && !rows.items[1].tied[1] && rows.items[1].tied[2]);
    ck_assert(rows.items[1].second.loss == -INFINITY);
    ck_assert_uint_eq(rows.items[2].second.candidate, 0);
    fixture_close(fixture);
}
END_TEST

START_TEST(rows_of_neighbours_end_with_any_other_winner)
{
    static const size_t winners[] = {1, 0, 1, 0, 2};
    Fixture *fixture = fixture_open();
    SweepPointArray points = points_of(fixture);
    SweepRowArray rows = sweep_rows(fixture->arena, &points, CANDIDATES, SWEEP_JOIN_NEIGHBOURS);
    ck_assert_uint_eq(rows.count, POINTS);
    for (size_t i = 0; i < POINTS; i++)
        assert_row(&rows.items[i], winners[i], i, i, 1);
    points.items[1] = (SweepPoint){3, by_ranks[0]};
    rows = sweep_rows(fixture->arena, &points, CANDIDATES, SWEEP_JOIN_NEIGHBOURS);
    ck_assert_uint_eq(rows.count, 3);
    assert_row(&rows.items[0], 1, 0, 2, 3);
    fixture_close(fixture);
}
END_TEST

/* Candidate 0 wins up to 101, 1 up to 999, 2 up to 4999, and 0 again. */
static bool times_of_lines(void *context, int64_t at, double *seconds)
{
    int64_t *calls = context;
    ++*calls;
    seconds[0] = at < 5000 ? 200 + 2 * (double)at : 0;
    seconds[1] = 301 + (double)at;
    seconds[2] = at < 1000 ? INFINITY : 1300;
    return *calls < 1000;
}

START_TEST(changes_are_found_to_the_unit)
{
    static const int64_t begins[] = {1, 102, 1000, 5000};
    static const size_t winners[] = {0, 1, 2, 0};
    Fixture *fixture = fixture_open();
    SweepPointArray changes = {0};
    int64_t calls = 0;
    ChoiceAxis axis = {fixture->arena,   3, 1, 1 << 20, &fixture->diag, .times = times_of_lines,
                       .context = &calls};
    ck_assert(sweep_find_changes(&axis, &changes));
    ck_assert_uint_eq(changes.count, 4);
    for (size_t i = 0; i < changes.count; i++) {
        ck_assert_int_eq(changes.items[i].at, begins[i]);
        ck_assert_uint_eq(winner_find(changes.items[i].seconds, 3), winners[i]);
    }
    ck_assert_int_lt(calls, 300);
    calls = 990;
    changes = (SweepPointArray){0};
    ck_assert(!sweep_find_changes(&axis, &changes));
    changes = (SweepPointArray){0};
    axis.count = 0;
    ck_assert(sweep_find_changes(&axis, &changes));
    ck_assert_uint_eq(changes.count, 0);
    fixture_close(fixture);
}
END_TEST

Suite *sweep_suite(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tests = tcase_create("sweep");
    tcase_add_test(tests, rows_go_on_past_points_of_a_restricted_candidate);
    tcase_add_test(tests, rows_of_neighbours_end_with_any_other_winner);
    tcase_add_test(tests, changes_are_found_to_the_unit);
    suite_add_tcase(suite, tests);
    return suite;
}
