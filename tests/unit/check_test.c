#include "lang/check.h"

#include "unit.h"

static Fixture *open_with_names(void)
{
    Fixture *fixture = fixture_open();
    name_whole(fixture, "p", 8);
    name_whole(fixture, "r", 3);
    name_real(fixture, "m", DIMENSION_BYTES, 4096);
    name_real(fixture, "ts", DIMENSION_TIME, 1e-6);
    name_real(fixture, "tw", DIMENSION_TIME_PER_BYTE, 1e-9);
    return fixture;
}

static const struct {
    const char *text;
    Type type;
    int time, bytes;
} meanings[] = {
    {"p + 1", TYPE_INT, 0, 0},
    {"p / 2", TYPE_REAL, 0, 0},
    {"p ^ 2", TYPE_INT, 0, 0},
    {"p ^ 0.5", TYPE_REAL, 0, 0},
    {"ts + m * tw", TYPE_REAL, 1, 0},
    {"m / tw", TYPE_REAL, -1, 2},
    {"p * ts", TYPE_REAL, 1, 0},
    {"0 + ts", TYPE_REAL, 1, 0},
    {"max(0, m)", TYPE_REAL, 0, 1},
    {"when(p > 1, ts, 0)", TYPE_REAL, 1, 0},
    {"when(p > 1, 1, 2)", TYPE_INT, 0, 0},
    {"when(p > 1, 1, 2.5)", TYPE_REAL, 0, 0},
    {"when(p > 1, p > 2, p > 3)", TYPE_BOOL, 0, 0},
    {"sqrt(m * m)", TYPE_REAL, 0, 1},
    {"cbrt(m * m * m)", TYPE_REAL, 0, 1},
    {"log2(p)", TYPE_REAL, 0, 0},
    {"ceil(p / 3)", TYPE_INT, 0, 0},
    {"floor(m / 3)", TYPE_REAL, 0, 1},
    {"sum(i, 1, p, i)", TYPE_INT, 0, 0},
    {"sum(i, 1, p, ts)", TYPE_REAL, 1, 0},
    {"largest(i, 1, p, i * m)", TYPE_REAL, 0, 1},
    {"p > 1 and r == 0", TYPE_BOOL, 0, 0},
    {"ts == 0", TYPE_BOOL, 0, 0},
    {"power_of_two(p)", TYPE_BOOL, 0, 0},
    {"-ts", TYPE_REAL, 1, 0},
    {"abs(r - p)", TYPE_INT, 0, 0},
    {"1.5 us + ts", TYPE_REAL, 1, 0},
    {"m / (64 GB/s)", TYPE_REAL, 1, 0},
    {"3 == 3.0", TYPE_BOOL, 0, 0},
    {"p and r", TYPE_BOOL, 0, 0},
    {"8 / 2 mod 3", TYPE_INT, 0, 0},
};

START_TEST(types_and_dimensions_are_found)
{
    Fixture *fixture = open_with_names();
    Expr *expr = checked(fixture, meanings[_i].text);
    assert_no_error(fixture);
    ck_assert_int_eq(expr->type, meanings[_i].type);
    ck_assert_int_eq(expr->dimension.time, meanings[_i].time);
    ck_assert_int_eq(expr->dimension.bytes, meanings[_i].bytes);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t column;
} mistakes[] = {
    {"ts + m", 1},
    {"p + (ts + m)", 5},
    {"ts + 1", 1},
    {"max(ts, m)", 1},
    {"ts < m", 1},
    {"when(p > 1, ts, m)", 1},
    {"2 ^ ts", 5},
    {"ts ^ 2", 1},
    {"log2(ts)", 6},
    {"sqrt(ts)", 6},
    {"cbrt(ts * ts)", 6},
    {"clog2(m)", 7},
    {"m mod 2", 1},
    {"p + (r > 1)", 5},
    {"(p > 1) * 2", 1},
    {"not ts", 5},
    {"when(ts, 1, 2)", 6},
    {"rot + 1", 1},
    {"p + rott", 5},
    {"sum(i, 0, ts, 1)", 11},
    {"sum(i, i, 3, 1)", 8},
    {"sum(i, 0, 3, 1) + i", 19},
    {"sum(i, 0, 3, p > 1)", 14},
    {"-(p > 1)", 2},
    {"bit(p, ts)", 8},
    {"ts and p > 1", 1},
    {"1 us / (1 us) + 1 us", 1},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = open_with_names();
    ck_assert_ptr_null(checked(fixture, mistakes[_i].text));
    assert_error_at(fixture, "text", 1, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_failed_sum_leaves_no_name_behind)
{
    Fixture *fixture = open_with_names();
    size_t names = fixture->scope.count;
    ck_assert_ptr_null(checked(fixture, "sum(i, 0, 3, sum(j, 0, i, ts + m))"));
    assert_error(fixture);
    ck_assert_uint_eq(fixture->scope.count, names);
    fixture_close(fixture);
}
END_TEST

static Expr *checked_as(Fixture *fixture, const char *text, Type type, Dimension dimension)
{
    Expr *expr = parse_expression(fixture->arena, text_of(fixture, text), &fixture->diag);
    return check_expression(fixture->arena, expr, &fixture->scope, type, dimension, &fixture->diag);
}

START_TEST(values_are_converted_to_what_is_wanted)
{
    Fixture *fixture = open_with_names();
    Exact value;
    Expr *whole = checked_as(fixture, "p / 2", TYPE_INT, DIMENSION_NONE);
    ck_assert_int_eq(whole->type, TYPE_INT);
    ck_assert(exact_value(fixture, whole, &value));
    ck_assert_int_eq(value.numerator, 4);
    Expr *condition = checked_as(fixture, "p", TYPE_BOOL, DIMENSION_NONE);
    ck_assert_int_eq(condition->type, TYPE_BOOL);
    ck_assert(exact_value(fixture, condition, &value));
    ck_assert_int_eq(value.numerator, 1);
    ck_assert_int_eq(checked_as(fixture, "p", TYPE_REAL, DIMENSION_NONE)->type, TYPE_REAL);
    ck_assert_int_eq(checked_as(fixture, "0", TYPE_REAL, DIMENSION_TIME)->type, TYPE_REAL);
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

START_TEST(values_that_do_not_fit_are_refused)
{
    Fixture *fixture = open_with_names();
    ck_assert_ptr_null(checked_as(fixture, "ts", TYPE_INT, DIMENSION_NONE));
    assert_error_at(fixture, "text", 1, 1);
    ck_assert_ptr_null(checked_as(fixture, "p > 1", TYPE_INT, DIMENSION_NONE));
    assert_error_at(fixture, "text", 1, 1);
    ck_assert_ptr_null(checked_as(fixture, "1.5", TYPE_BOOL, DIMENSION_NONE));
    assert_error_at(fixture, "text", 1, 1);
    ck_assert_ptr_null(checked_as(fixture, "m", TYPE_REAL, DIMENSION_TIME));
    assert_error_at(fixture, "text", 1, 1);
    ck_assert_ptr_null(checked_as(fixture, "1", TYPE_REAL, DIMENSION_TIME));
    assert_error_at(fixture, "text", 1, 1);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_fraction_is_no_whole_number)
{
    Fixture *fixture = open_with_names();
    Expr *expr = checked_as(fixture, "r / 2", TYPE_INT, DIMENSION_NONE);
    Exact exact;
    double computed;
    ck_assert(!exact_value(fixture, expr, &exact));
    assert_error_at(fixture, "text", 1, 1);
    ck_assert(!program_value(fixture, expr, &computed));
    assert_error_at(fixture, "text", 1, 1);
    fixture_close(fixture);
}
END_TEST

static bool loop_is_good(Fixture *fixture, const char *text, bool varies)
{
    Loop loop;
    ck_assert(parse_loop(fixture->arena, text_of(fixture, text), &loop, &fixture->diag));
    return check_loop(fixture->arena, &loop, &fixture->scope, varies, &fixture->diag);
}

START_TEST(loops_of_all_ranks_have_uniform_bounds)
{
    Fixture *fixture = fixture_open();
    scope_add(fixture->arena, &fixture->scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(fixture->arena, &fixture->scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
    ck_assert(loop_is_good(fixture, "i in 0 .. p", false));
    ck_assert_uint_eq(fixture->scope.count, 3);
    ck_assert(loop_is_good(fixture, "j in 0 .. r", true));
    assert_no_error(fixture);
    ck_assert(!loop_is_good(fixture, "t in 0 .. p + r", false));
    assert_error_at(fixture, "text", 1, 11);
    ck_assert(!loop_is_good(fixture, "p in 0 .. 1", true));
    assert_error_at(fixture, "text", 1, 1);
    fixture_close(fixture);
}
END_TEST

START_TEST(varying_expressions_are_marked)
{
    Fixture *fixture = fixture_open();
    scope_add(fixture->arena, &fixture->scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(fixture->arena, &fixture->scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
    ck_assert(checked(fixture, "p + r")->varies);
    ck_assert(!checked(fixture, "p + 1")->varies);
    ck_assert(checked(fixture, "sum(i, 0, r, i)")->varies);
    ck_assert(checked(fixture, "when(p > 1, 0, r)")->varies);
    ck_assert(!checked(fixture, "sum(i, 0, p, i)")->varies);
    fixture_close(fixture);
}
END_TEST

Suite *check_suite(void)
{
    Suite *suite = suite_create("check");
    TCase *types = tcase_create("types");
    tcase_add_loop_test(types, types_and_dimensions_are_found, 0,
                        sizeof meanings / sizeof *meanings);
    tcase_add_loop_test(types, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(types, a_failed_sum_leaves_no_name_behind);
    suite_add_tcase(suite, types);
    TCase *conversions = tcase_create("conversions");
    tcase_add_test(conversions, values_are_converted_to_what_is_wanted);
    tcase_add_test(conversions, values_that_do_not_fit_are_refused);
    tcase_add_test(conversions, a_fraction_is_no_whole_number);
    suite_add_tcase(suite, conversions);
    TCase *lanes = tcase_create("lanes");
    tcase_add_test(lanes, loops_of_all_ranks_have_uniform_bounds);
    tcase_add_test(lanes, varying_expressions_are_marked);
    suite_add_tcase(suite, lanes);
    return suite;
}
