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

/* The model chooses `b`, which takes 3 s where `a` takes 2; the library 2.5 s, and with a file 2.2.
   At 64 bytes it chooses `a`, the fastest, and nobody knows what the library does. */
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
        decisions_find(fixture->arena, &rows.list, rows.predicted, rows.is_tuned);
    ck_assert_uint_eq(decisions.count, 2);
    const Decision *small = &decisions.items[0], *large = &decisions.items[1];
    ck_assert_ptr_eq(small->fastest, &rows.rows[0]);
    ck_assert_ptr_eq(small->chosen, &rows.rows[2]);
    ck_assert_ptr_eq(small->library, &rows.rows[4]);
    ck_assert_ptr_eq(small->tuned, &rows.rows[5]);
    assert_near(small->chosen_loss, 0.5, 1e-12);
    assert_near(small->library_loss, 0.25, 1e-12);
    assert_near(small->tuned_loss, 0.1, 1e-12);
    ck_assert_ptr_eq(large->chosen, &rows.rows[1]);
    ck_assert(large->chosen_loss == 0 && !large->library && !large->tuned);
    MeanLoss mean = decisions_mean(&decisions);
    ck_assert_uint_eq(mean.sizes, 2);
    ck_assert_uint_eq(mean.known, 1);
    ck_assert_uint_eq(mean.tuned_sizes, 1);
    assert_near(mean.chosen, 0.25, 1e-12);
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
        decisions_find(fixture->arena, &rows.list, rows.predicted, rows.is_tuned);
    ck_assert_uint_eq(decisions.count, 0);
    MeanLoss mean = decisions_mean(&decisions);
    ck_assert(isnan(mean.chosen) && isnan(mean.library) && isnan(mean.tuned) &&
              isnan(mean.untuned));
    rows.predicted[5] = 4.5; /* of `c`, with the file: the second */
    decisions = decisions_find(fixture->arena, &rows.list, rows.predicted, rows.is_tuned);
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
        decisions_find(fixture->arena, &rows.list, rows.predicted, rows.is_tuned);
    ck_assert_uint_eq(decisions.count, 1);
    const Decision *decision = &decisions.items[0];
    ck_assert_ptr_eq(decision->chosen, &rows.rows[0]);
    ck_assert_ptr_eq(decision->library, &rows.rows[4]);
    ck_assert_ptr_eq(decision->tuned, &rows.rows[2]);
    ck_assert_ptr_eq(decision->fastest, &rows.rows[5]);
    rows.is_tuned[2] = rows.is_tuned[3] = false;
    decisions = decisions_find(fixture->arena, &rows.list, rows.predicted, rows.is_tuned);
    ck_assert_ptr_eq(decisions.items[0].tuned, &rows.rows[4]);
    decisions = decisions_find(fixture->arena, &rows.list, rows.predicted, NULL);
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
    suite_add_tcase(suite, losses);
    return suite;
}
