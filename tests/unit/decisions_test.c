/* What choices lose, counted by hand. */
#include "exchange/decisions.h"

#include "unit.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *algorithm;
    double bytes, seconds, predicted;
    Finish finish;
    bool is_tuned;
} Row;

enum { MOST_ROWS = 16 };

typedef struct {
    Measurement rows[MOST_ROWS];
    double predicted[MOST_ROWS];
    bool is_tuned[MOST_ROWS];
    MeasurementArray list;
} Rows;

static void fill(Rows *rows, const Row *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rows->rows[i] = (Measurement){.collective = "allreduce",
                                      .algorithm = from[i].algorithm,
                                      .system = "",
                                      .p = 8,
                                      .bytes = from[i].bytes,
                                      .seconds = from[i].seconds,
                                      .finish = from[i].finish,
                                      .repeats = 1};
        rows->predicted[i] = from[i].predicted;
        rows->is_tuned[i] = from[i].is_tuned;
    }
    rows->list = (MeasurementArray){.items = rows->rows, .count = count};
}

/* By the model times what it was off at the other size, `a` takes 5 * 10 / 6 s at 8 bytes and `b` 4
   * 12 / 7; but what the library takes at another size nobody knows, so its choice stays: 2.5 s
   where `a` takes 2, and 2.2 with a file. At 64 bytes `a` is expected to take 6 * 2 / 5 s and `b` 7
   * 3 / 4: `a` is the fastest, and there is no row of the library. */
static const Row usual[] = {
    {"a", 8, 2, 5, FINISH_MEAN, false},           {"a", 64, 10, 6, FINISH_MEAN, false},
    {"b", 8, 3, 4, FINISH_MEAN, false},           {"b", 64, 12, 7, FINISH_MEAN, false},
    {"default", 8, 2.5, NAN, FINISH_MEAN, false}, {"default_tuned", 8, 2.2, NAN, FINISH_MEAN, true},
};

START_TEST(losses_are_above_the_fastest)
{
    Fixture *fixture = fixture_open();
    Rows rows;
    fill(&rows, usual, sizeof usual / sizeof *usual);
    DecisionArray decisions =
        decisions_find(fixture->arena, &rows.list,
                       &(DecisionBasis){.predicted = rows.predicted, .is_tuned = rows.is_tuned});
    ck_assert_uint_eq(decisions.count, 2);
    const Decision *small = &decisions.items[0], *large = &decisions.items[1];
    ck_assert_ptr_eq(small->fastest, &rows.rows[0]);
    ck_assert_ptr_eq(small->chosen, &rows.rows[4]);
    ck_assert_ptr_eq(small->library, &rows.rows[4]);
    ck_assert_ptr_eq(small->tuned, &rows.rows[5]);
    assert_near(small->chosen_loss, 0.25, 1e-12);
    assert_near(small->library_loss, 0.25, 1e-12);
    assert_near(small->tuned_loss, 0.1, 1e-12);
    ck_assert_ptr_eq(large->chosen, &rows.rows[1]);
    ck_assert(large->chosen_loss == 0 && !large->library && !large->tuned);
    MeanLoss mean = decisions_mean(&decisions);
    ck_assert_uint_eq(mean.sizes, 2);
    ck_assert_uint_eq(mean.known, 1);
    ck_assert_uint_eq(mean.tuned_sizes, 1);
    assert_near(mean.chosen, 0.125, 1e-12);
    assert_near(mean.library, 0.25, 1e-12);
    assert_near(mean.tuned, 0.1, 1e-12);
    assert_near(mean.untuned, 0.25, 1e-12);
    fixture_close(fixture);
}
END_TEST

/* One prediction is no choice, and a stream of messages no time of one of them. */
START_TEST(without_alternatives_there_is_no_decision)
{
    static const Row lonely[] = {
        {"a", 8, 2, 5, FINISH_MEAN, false},       {"a", 64, 2, 5, FINISH_STREAM, false},
        {"b", 8, 3, NAN, FINISH_MEAN, false},     {"b", 8, 3, 4, FINISH_LAST, false},
        {"b", 64, 3, 4, FINISH_STREAM, false},    {"c", 8, 3, 4, FINISH_MEAN, true},
        {"default", 8, 1, 4, FINISH_LAST, false},
    };
    Fixture *fixture = fixture_open();
    Rows rows;
    fill(&rows, lonely, sizeof lonely / sizeof *lonely);
    rows.predicted[5] = NAN;
    DecisionArray decisions =
        decisions_find(fixture->arena, &rows.list,
                       &(DecisionBasis){.predicted = rows.predicted, .is_tuned = rows.is_tuned});
    ck_assert_uint_eq(decisions.count, 0);
    MeanLoss mean = decisions_mean(&decisions);
    ck_assert(isnan(mean.chosen) && isnan(mean.library) && isnan(mean.tuned) &&
              isnan(mean.untuned));
    rows.predicted[5] = 4.5; /* of `c`, with the file: the second */
    decisions =
        decisions_find(fixture->arena, &rows.list,
                       &(DecisionBasis){.predicted = rows.predicted, .is_tuned = rows.is_tuned});
    ck_assert_uint_eq(decisions.count, 1);
    ck_assert_ptr_eq(decisions.items[0].chosen, &rows.rows[5]);
    ck_assert_ptr_eq(decisions.items[0].fastest, &rows.rows[0]);
    ck_assert_ptr_eq(decisions.items[0].tuned, &rows.rows[5]);
    ck_assert_ptr_null(decisions.items[0].library);
    assert_near(decisions.items[0].chosen_loss, 0.5, 1e-12);
    /* what the library does without the file is not known here */
    ck_assert_uint_eq(decisions_mean(&decisions).tuned_sizes, 0);
    fixture_close(fixture);
}
END_TEST

/* `a` took half of the library's time at 8 and 512 bytes, and is expected to at 64: 10 s of
   prediction times the root of 1.1 * 0.9, where the library is expected to take the root of 4 * 400
   = 40. With 35 s at 64 it would lose there, and does; where it was slower beside it, or the
   library has no smaller size, or expectations are far off, the library's choice stays. At the ends
   `a` gained a factor of 2 at 64 bytes or less than that. */
START_TEST(the_librarys_choice_is_left_where_it_is_safe)
{
    static const Row rows_of[] = {
        {"a", 8, 2.2, 2, FINISH_MEAN, false},
        {"a", 64, 11, 10, FINISH_MEAN, false},
        {"a", 512, 180, 200, FINISH_MEAN, false},
        {"b", 8, 30, 30, FINISH_MEAN, false},
        {"b", 64, 60, 60, FINISH_MEAN, false},
        {"b", 512, 900, 900, FINISH_MEAN, false},
        {"default", 8, 4, NAN, FINISH_MEAN, false},
        {"default", 64, 22, NAN, FINISH_MEAN, false},
        {"default", 512, 400, NAN, FINISH_MEAN, false},
    };
    Fixture *fixture = fixture_open();
    Rows rows;
    fill(&rows, rows_of, sizeof rows_of / sizeof *rows_of);
    const DecisionBasis basis = {.predicted = rows.predicted};
    DecisionArray decisions = decisions_find(fixture->arena, &rows.list, &basis);
    ck_assert_uint_eq(decisions.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_ptr_eq(decisions.items[i].chosen, &rows.rows[i]);
    rows.rows[0].seconds = 5; /* slower than the library beside 64 bytes */
    decisions = decisions_find(fixture->arena, &rows.list, &basis);
    ck_assert_ptr_eq(decisions.items[1].chosen, &rows.rows[7]);
    rows.rows[0].seconds = 2.2;
    rows.predicted[0] = 0.4; /* expectations at 8 and 64 bytes are off by a factor of 2 and more */
    decisions = decisions_find(fixture->arena, &rows.list, &basis);
    ck_assert_ptr_eq(decisions.items[1].chosen, &rows.rows[7]);
    rows.predicted[0] = 2;
    rows.rows[7].seconds = 12; /* at 64 bytes `a` gains 9 % only */
    decisions = decisions_find(fixture->arena, &rows.list, &basis);
    ck_assert_ptr_eq(decisions.items[0].chosen, &rows.rows[6]);
    ck_assert_ptr_eq(decisions.items[2].chosen, &rows.rows[8]);
    /* `a` as new: 10 s are expected at 64 bytes, where 12 were measured: twice the deviation is
     * more */
    const DecisionBasis is_new = {.predicted = rows.predicted, .is_new = true};
    rows.predicted[1] = 1;
    decisions = decisions_find(fixture->arena, &rows.list, &is_new);
    ck_assert_uint_eq(decisions.count, 6);
    ck_assert_ptr_eq(decisions.items[2].chosen, &rows.rows[7]);
    fixture_close(fixture);
}
END_TEST

/* Of equal predictions the first row counts; so it does of the library's rows, and of those with
   the file, but there one that runs a certain algorithm goes before them. */
START_TEST(of_several_the_first_counts)
{
    static const Row several[] = {
        {"a", 8, 4, 5, FINISH_MEAN, false},        {"b", 8, 3, 5, FINISH_MEAN, false},
        {"c", 8, 2, 6, FINISH_MEAN, true},         {"d", 8, 5, 7, FINISH_MEAN, true},
        {"default", 8, 6, NAN, FINISH_MEAN, true}, {"default-2", 8, 1, NAN, FINISH_MEAN, true},
    };
    Fixture *fixture = fixture_open();
    Rows rows;
    fill(&rows, several, sizeof several / sizeof *several);
    DecisionArray decisions =
        decisions_find(fixture->arena, &rows.list,
                       &(DecisionBasis){.predicted = rows.predicted, .is_tuned = rows.is_tuned});
    ck_assert_uint_eq(decisions.count, 1);
    const Decision *decision = &decisions.items[0];
    ck_assert_ptr_eq(decision->chosen, &rows.rows[4]); /* the library's own */
    ck_assert_ptr_eq(decision->library, &rows.rows[4]);
    ck_assert_ptr_eq(decision->tuned, &rows.rows[2]);
    ck_assert_ptr_eq(decision->fastest, &rows.rows[5]);
    rows.is_tuned[2] = rows.is_tuned[3] = false;
    decisions =
        decisions_find(fixture->arena, &rows.list,
                       &(DecisionBasis){.predicted = rows.predicted, .is_tuned = rows.is_tuned});
    ck_assert_ptr_eq(decisions.items[0].tuned, &rows.rows[4]);
    decisions =
        decisions_find(fixture->arena, &rows.list, &(DecisionBasis){.predicted = rows.predicted});
    ck_assert_ptr_null(decisions.items[0].tuned);
    fixture_close(fixture);
}
END_TEST

Suite *decisions_suite(void)
{
    Suite *suite = suite_create("decisions");
    TCase *losses = tcase_create("losses");
    tcase_add_test(losses, losses_are_above_the_fastest);
    tcase_add_test(losses, without_alternatives_there_is_no_decision);
    tcase_add_test(losses, of_several_the_first_counts);
    tcase_add_test(losses, the_librarys_choice_is_left_where_it_is_safe);
    suite_add_tcase(suite, losses);
    return suite;
}
