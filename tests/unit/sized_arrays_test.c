/* Arrays with an index in front: as many copies of the main array. */
#include "sched/expander.h"
#include "verify/verify.h"

#include "unit.h"

static Instance made(Fixture *fixture, const char *program, int64_t p)
{
    use_models(fixture,
               arena_printf(fixture->arena, "algorithm: mine\ncollective: allreduce\n%s", program));
    return instance_of(fixture, "allreduce/mine", p, 0, 2);
}

/* a has p = 3 copies behind the main array, b one behind them, c two (d = 2 ports). */
START_TEST(copies_follow_one_another)
{
    Fixture *fixture = fixture_open();
    Instance instance = made(fixture,
                             "chunks: 2\n"
                             "arrays: {a: p, b: 1, c: d}\n"
                             "schedule:\n"
                             "  - combine: a(2, 1) += 1\n"
                             "  - combine: c(1, 0) += 0\n",
                             3);
    instance.ports = 2;
    BlockSpace space;
    ck_assert(schedule_blocks(&instance, &space, &fixture->diag));
    ck_assert_int_eq(space.array_blocks, 2);
    ck_assert_int_eq(space.count, 2 * (1 + 3 + 1 + 2));
    static const char *const names[] = {"0",       "1",       "a(0, 0)", "a(0, 1)", "a(1, 0)",
                                        "a(1, 1)", "a(2, 0)", "a(2, 1)", "b(0, 0)", "b(0, 1)",
                                        "c(0, 0)", "c(0, 1)", "c(1, 0)", "c(1, 1)"};
    for (int64_t block = 0; block < space.count; block++)
        ck_assert_str_eq(blockspace_name(fixture->arena, &space, block), names[block]);
    ck_assert_int_eq(blockspace_start(&space, 0), 0);
    ck_assert_int_eq(blockspace_start(&space, 1), 2);
    ck_assert_int_eq(blockspace_start(&space, 2), 8);
    ck_assert_int_eq(blockspace_start(&space, 3), 10);
    RoundArray rounds = {0};
    ck_assert(expander_collect(fixture->arena, &instance, &(RoundsWanted){0}, &(int64_t){0},
                               &rounds, &fixture->diag));
    ck_assert_uint_eq(rounds.count, 2);
    ck_assert_int_eq(round_destination(&rounds.items[0], 0), 7);
    ck_assert_int_eq(round_destination(&rounds.items[1], 0), 12);
    fixture_close(fixture);
}
END_TEST

/* Everybody keeps the vectors of all, taken from the left and from the right alternately. */
static const char everybody[] = "arrays: {from: p}\n"
                                "schedule:\n"
                                "  - combine: from(r, 0) += 0\n"
                                "  - repeat: i in 1 .. p - 1\n"
                                "    steps:\n"
                                "      - send: from(r, 0)\n"
                                "        to: (r + i) mod p\n"
                                "  - combine: 0 += from(s, 0) for s in 0 .. p - 1 if s != r\n";

START_TEST(vectors_of_all_are_kept_apart)
{
    for (int64_t p = 1; p < 10; p++) {
        Fixture *fixture = fixture_open();
        Instance instance = made(fixture, everybody, p);
        Verification result = verify_schedule(fixture->arena, &instance, &fixture->diag);
        ck_assert_msg(result.right && result.on_data, "%s", result.failure.text);
        fixture_close(fixture);
    }
}
END_TEST

static const struct {
    const char *program;
    size_t line, column;
} mistakes[] = {
    {"arrays: {a: p}\nschedule:\n  - send: a(0)\n    to: 0\n", 5, 11},
    {"arrays: {a: p}\nschedule:\n  - send: a(0, 0, 0)\n    to: 0\n", 5, 11},
    {"arrays: {a: p}\nschedule:\n  - send: 0\n    as: a\n    to: 0\n", 6, 9},
    {"arrays: {a: p}\nschedule:\n  - combine: a(0) += 0\n", 5, 14},
    {"arrays: {a: p, r: p}\nschedule: []\n", 3, 16},
    {"arrays: {a: r}\nschedule: []\n", 3, 13},
    {"arrays: {a: [p]}\nschedule: []\n", 3, 13},
    {"arrays: [a, b, c, e, f, g, h, i, j, l, n, o, q, s, t, u, v]\nschedule: []\n", 3, 9},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    assert_program_error_at(fixture, "allreduce", mistakes[_i].program, mistakes[_i].line,
                            mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

/* Sizes and indices that fail for some number of ranks only. */
static const struct {
    const char *program;
    size_t line, column;
} failures[] = {
    {"arrays: {a: p / 8}\nschedule:\n  - combine: a(0, 0) += 0\n", 3, 13},
    {"arrays: {a: p - 4}\nschedule:\n  - combine: a(0, 0) += 0\n", 3, 13},
    {"arrays: {a: 2}\nschedule:\n  - combine: a(r, 0) += 0\n", 5, 14},
    {"arrays: {a: 2^62, b: 2^62}\nschedule:\n  - combine: a(r, 0) += 0\n", 1, 12},
};

START_TEST(failures_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    Instance instance = made(fixture, failures[_i].program, 4);
    RoundArray rounds = {0};
    ck_assert(!expander_collect(fixture->arena, &instance, &(RoundsWanted){0}, &(int64_t){0},
                                &rounds, &fixture->diag));
    assert_error_at(fixture, "user.yaml", failures[_i].line, failures[_i].column);
    fixture_close(fixture);
}
END_TEST

/* What an algorithm gives back at its end is there for the next line of ranks. */
START_TEST(they_run_along_dimensions)
{
    Fixture *fixture = fixture_open();
    Shape shape = {.p = 1};
    shape_add(&shape, NULL, 2), shape_add(&shape, NULL, 4);
    Instance instance =
        made(fixture, "sequence: allgather-combine-doubling along every dimension\n", 8);
    instance.shape = &shape;
    Verification result = verify_schedule(fixture->arena, &instance, &fixture->diag);
    ck_assert_msg(result.right && result.on_data, "%s", result.failure.text);
    fixture_close(fixture);
}
END_TEST

Suite *sized_arrays_suite(void)
{
    Suite *suite = suite_create("sized arrays");
    TCase *tests = tcase_create("arrays");
    tcase_add_test(tests, copies_follow_one_another);
    tcase_add_test(tests, vectors_of_all_are_kept_apart);
    tcase_add_test(tests, they_run_along_dimensions);
    tcase_add_loop_test(tests, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(tests, failures_are_reported_at_their_place, 0,
                        sizeof failures / sizeof *failures);
    suite_add_tcase(suite, tests);
    return suite;
}
