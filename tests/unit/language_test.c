/* Functions, grids and repeated transfers of schedule programs. */
#include "lang/check.h"

#include "unit.h"

#include <string.h>

static void define(Fixture *fixture, const char *key, const char *body)
{
    Signature signature;
    ck_assert(parse_signature(fixture->arena, text_of(fixture, key), &signature, &fixture->diag));
    Expr *expr = parse_expression(fixture->arena, text_of(fixture, body), &fixture->diag);
    ck_assert(check_function(fixture->arena, &signature, expr, &fixture->scope, &fixture->diag));
    assert_no_error(fixture);
}

START_TEST(functions_are_written_out)
{
    Fixture *fixture = fixture_open();
    name_whole(fixture, "x", 7);
    name_whole(fixture, "i", 100);
    define(fixture, "first(x)", "x - x mod 2");
    define(fixture, "pair(x, y)", "first(x) + y mod 2");
    define(fixture, "outer(y)", "x + y");
    define(fixture, "total(n)", "sum(i, 0, 2, sum(j, 0, 1, i + n))");
    assert_whole(fixture, "first(9)", 8);
    assert_whole(fixture, "first(x + 1) + x", 15);
    assert_whole(fixture, "pair(5, 3)", 5);
    assert_whole(fixture, "first(first(first(x)))", 6);
    assert_whole(fixture, "outer(1)", 8);
    /* total(n) = 2 (0 + 1 + 2) + 6 n; the i of an argument is the one where the call stands */
    assert_whole(fixture, "total(1)", 12);
    assert_whole(fixture, "total(i)", 606);
    assert_whole(fixture, "sum(i, 1, 2, total(i))", 12 + 18);
    /* sum(i, 1, 2, i + 100) for the inner i is 1 + 2 + 2 i' with i' = 100 outside of it */
    assert_whole(fixture, "total(sum(k, 1, 2, k + i))", 6 + 6 * 203);
    assert_whole(fixture, "total(sum(i, 1, 2, i))", 6 + 6 * 3);
    assert_whole(fixture, "total(total(total(0)))", 6 + 6 * (6 + 6 * 6));
    assert_fraction(fixture, "first(3) == 2 and not (pair(2, 2) == 3)", 1, 1);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_function_has_the_type_that_its_arguments_give_it)
{
    Fixture *fixture = fixture_open();
    define(fixture, "half(x)", "x / 2");
    define(fixture, "most(x, y)", "when(x > y, x, y)");
    assert_fraction(fixture, "half(3)", 3, 2);
    assert_fraction(fixture, "most(half(3), 1)", 3, 2);
    assert_whole(fixture, "most(3, 4)", 4);
    ck_assert_int_eq(checked(fixture, "most(3 us, 4 us)")->dimension.time, 1);
    ck_assert_int_eq(checked(fixture, "most(3, 4)")->type, TYPE_INT);
    ck_assert_ptr_null(checked(fixture, "most(3 us, 4)"));
    assert_error(fixture);
    assert_no_value(fixture, "half(1 div 0)", 6);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *expression;
    size_t column;
} wrong_calls[] = {
    {"first(1, 2)", 1},  {"frist(1)", 1},       {"first(y)", 7},    {"first + 1", 1},
    {"1 + x(3)", 5},     {"pair(1, first)", 9}, {"first(1 us)", 7}, {"sum(i, 0, first, 1)", 11},
    {"first(1 < 2)", 7},
};

START_TEST(wrong_calls_are_reported_at_the_call)
{
    Fixture *fixture = fixture_open();
    name_whole(fixture, "x", 7);
    define(fixture, "first(x)", "x - x mod 2");
    define(fixture, "pair(x, y)", "first(x) + y mod 2");
    ck_assert_ptr_null(checked(fixture, wrong_calls[_i].expression));
    assert_error_at(fixture, "text", 1, wrong_calls[_i].column);
    fixture_close(fixture);
}
END_TEST

/* f12 adds 1 to its argument 2^12 times. */
START_TEST(doubling_is_limited)
{
    Fixture *fixture = fixture_open();
    define(fixture, "f0(x)", "x + 1");
    for (int i = 1; i <= 12; i++)
        define(fixture, arena_printf(fixture->arena, "f%d(x)", i),
               arena_printf(fixture->arena, "f%d(f%d(x))", i - 1, i - 1));
    assert_whole(fixture, "f4(0)", 16);
    ck_assert_ptr_null(checked(fixture, "f12(0)"));
    assert_error_at(fixture, "text", 1, 7);
    fixture_close(fixture);
}
END_TEST

/* As deep a tree as there may be: 4000 terms, and in the first one as many again. */
START_TEST(deep_functions_can_be_evaluated)
{
    Fixture *fixture = fixture_open();
    enum { TERMS = 2000 };
    char *text = arena_alloc(fixture->arena, 2 * TERMS + 2);
    for (size_t i = 0; i < TERMS; i++)
        memcpy(text + 2 * i, "+1", 2);
    define(fixture, "f(x)", arena_printf(fixture->arena, "x%s", text));
    const char *call = arena_printf(fixture->arena, "f(0)%s%s", text, text);
    assert_whole(fixture, call, 3 * TERMS);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *key;
    size_t column;
} wrong_keys[] = {{"f(", 3},      {"f()", 3},      {"f(x", 4},
                  {"f(x y)", 5},  {"f(x) + 1", 6}, {"mod", 1},
                  {"f(mod)", 3},  {"min(x)", 1},   {"f(a, b, c, d, e)", 15},
                  {"f(x, x)", 6}, {"3", 1},        {"a b", 3},
                  {"", 1}};

START_TEST(wrong_keys_are_reported)
{
    Fixture *fixture = fixture_open();
    Signature signature;
    ck_assert(!parse_signature(fixture->arena, text_of(fixture, wrong_keys[_i].key), &signature,
                               &fixture->diag));
    assert_error_at(fixture, "text", 1, wrong_keys[_i].column);
    fixture_close(fixture);
}
END_TEST

static void assert_schedule(Fixture *fixture, Instance instance, const char *expected)
{
    const char *text = schedule_text(fixture, &instance);
    assert_no_error(fixture);
    ck_assert_str_eq(text, expected);
}

/* Programs, the number of ranks, and the rounds. */
static const struct {
    const char *program;
    int64_t p;
    const char *rounds;
} programs[] = {
    /* functions in every `let`, in `to`, `if` and block sets */
    {"let:\n"
     "  first(x): x - x mod 2\n"
     "schedule:\n"
     "  - repeat: i in 0 .. 1\n"
     "    let:\n"
     "      up(x): first(x) + i\n"
     "    steps:\n"
     "      - round:\n"
     "          - send: up(r)\n"
     "            to: far(r)\n"
     "            if: first(r) == r and r < 2\n"
     "        let:\n"
     "          far(x): up(x) + 2\n",
     4, "0>2 send 0; 0>3 send 1"},
    /* a grid of 3 x 2: i is the faster one */
    {"let: {rows: 2, q: p div rows, next: (i + 1) mod q}\n"
     "grid: {i: q, j: rows}\n"
     "schedule:\n"
     "  - send: i\n"
     "    to: rank(next, 1 - j)\n"
     "    if: j == 0\n",
     6, "0>4 send 0, 1>5 send 1, 2>3 send 2"},
    {"grid: {i: 2, j: 2, k: p div 4}\n"
     "schedule:\n"
     "  - send: i + 2 * j + 4 * k\n"
     "    to: rank(i, j, k + 1)\n"
     "    if: rank(i, j, k + 1) >= 0\n",
     8, "0>4 send 0, 1>5 send 1, 2>6 send 2, 3>7 send 3"},
    /* rank() of what lies outside is -1, also where the number is that of some rank */
    {"grid: {i: 2, j: 2}\n"
     "schedule:\n"
     "  - send: r\n"
     "    to: 3 - r\n"
     "    if: rank(i - 1, j) < 0 and rank(i + 2, j) == -1 and rank(i, j + 1) >= 0\n",
     4, "0>3 send 0"},
    /* all ranks' first, then all ranks' second */
    {"schedule:\n"
     "  - send: c\n"
     "    to: r + c\n"
     "    if: r mod 3 == 0\n"
     "    for: c in 1 .. 2\n"
     "  - send: 0\n"
     "    to: 1\n"
     "    if: r == 0\n",
     6, "0>1 send 1, 3>4 send 1, 0>2 send 2, 3>5 send 2; 0>1 send 0"},
    {"schedule:\n"
     "  - round:\n"
     "      - send: a\n"
     "        to: b\n"
     "        for:\n"
     "          - a in 2 down to 1\n"
     "          - b in a .. 2\n"
     "        if: r == 0\n"
     "      - send: 0\n"
     "        to: 3\n"
     "        if: r == 0\n",
     4, "0>2 send 2, 0>1 send 1, 0>2 send 1, 0>3 send 0"},
    {"schedule:\n"
     "  - send: 0\n"
     "    to: 1\n"
     "    for: c in 1 .. 0\n"
     "  - send: a\n"
     "    to: 1\n"
     "    if: r == 0\n"
     "    for: a in p - 1 .. p - 1\n",
     3, "0>1 send 2"},
};

START_TEST(programs_expand)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena, "algorithm: mine\ncollective: gather\n%s",
                                     programs[_i].program));
    assert_schedule(fixture, instance_of(fixture, "gather/mine", programs[_i].p, 0, 1),
                    programs[_i].rounds);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_grid_says_which_p_are_allowed)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: mine\n"
                        "collective: gather\n"
                        "let: {q: sqrt(p)}\n"
                        "grid: {i: q, j: q + 0}\n"
                        "schedule: []\n");
    const Algorithm *algorithm = algorithm_named(fixture, "gather/mine");
    for (int64_t p = 1; p <= 16; p++) {
        Shape shape = shape_line(p);
        bool allowed = schedule_allows(algorithm, &shape, 1, NULL, &fixture->diag);
        ck_assert_int_eq(allowed, p == 1 || p == 4 || p == 9 || p == 16);
    }
    assert_no_error(fixture);
    Shape shape = shape_line(8);
    Refusal refusal;
    ck_assert(!schedule_allows(algorithm, &shape, 1, &refusal, &fixture->diag));
    ck_assert_str_eq(schedule_explain(fixture->arena, &refusal),
                     "gather/mine does not allow p = 8: it requires q * (q + 0) == p");
    Instance instance = instance_of(fixture, "gather/mine", 8, 0, 1);
    ck_assert_ptr_null(schedule_text(fixture, &instance));
    assert_error_at(fixture, "user.yaml", 4, 7);
    fixture_close(fixture);
}
END_TEST

/* What stands from line 3 on, and where the mistake is. */
static const struct {
    const char *program;
    size_t line, column;
} mistakes[] = {
    {"let: {f(x): y}\nschedule: []\n", 3, 13},
    {"let:\n  f(x): g(x)\n  g(x): x\nschedule: []\n", 4, 9},
    {"let:\n  f(x): f(x - 1)\nschedule: []\n", 4, 9},
    {"let:\n  f(x): x\n  f: 1\nschedule: []\n", 5, 3},
    {"let:\n  r(x): x\nschedule: []\n", 4, 3},
    {"let:\n  f(x): sum(i, 0, i, x)\nschedule: []\n", 4, 19},
    {"let:\n  f(x): x(1)\nschedule: []\n", 4, 9},
    {"let:\n  f(x): x + 1 us\nschedule:\n  - send: f(1)\n    to: 0\n", 4, 9},
    {"requires: f(p)\nlet:\n  f(x): x\nschedule: []\n", 3, 11},
    {"grid: {i: q}\nschedule: []\n", 3, 11},
    {"grid: {i: r}\nschedule: []\n", 3, 11},
    {"grid: {i: p, r: 1}\nschedule: []\n", 3, 14},
    {"grid: {i: p, i(x): 1}\nschedule: []\n", 3, 14},
    {"grid: {rank: p}\nschedule: []\n", 3, 7},
    {"grid: {}\nschedule: []\n", 3, 7},
    {"grid: [p]\nschedule: []\n", 3, 7},
    {"grid: {a: 1, b: 1, c: 1, d: 1, e: p}\nschedule: []\n", 3, 7},
    {"grid: {i: p}\nlet: {i: 0}\nschedule: []\n", 4, 7},
    {"grid: {i: v}\nlet: {v: r}\nschedule: []\n", 3, 11},
    {"grid: {i: p}\nschedule:\n  - send: 0\n    to: rank(i, 0)\n", 6, 9},
    {"schedule:\n  - send: 0\n    to: 0\n    for: c in 1 .. r\n", 6, 20},
    {"schedule:\n  - send: 0\n    to: 0\n    for: 3\n", 6, 10},
    {"schedule:\n  - send: 0\n    to: 0\n    for: p in 1 .. 2\n", 6, 10},
    {"schedule:\n  - send: 0\n    to: 0\n    for: c in 1 .. 2\n  - send: c\n    to: 0\n", 7, 11},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    assert_program_error_at(fixture, "gather", mistakes[_i].program, mistakes[_i].line,
                            mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

static const char *const endless[] = {
    "    for: c in 1 .. 9999999999\n",
    "    for: [a in 1 .. 9999, b in 1 .. 9999, c in 1 .. 9999]\n",
    "    for: c in 0 - 9223372036854775807 .. 9223372036854775807\n",
};

START_TEST(endless_repetition_is_refused)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, arena_printf(fixture->arena,
                                     "algorithm: mine\ncollective: gather\nschedule:\n"
                                     "  - send: 0 .. p - 1\n    to: 0\n%s",
                                     endless[_i]));
    Instance instance = instance_of(fixture, "gather/mine", 300, 0, 1);
    ck_assert_ptr_null(schedule_text(fixture, &instance));
    assert_error_at(fixture, "user.yaml", 4, 5);
    fixture_close(fixture);
}
END_TEST

Suite *language_suite(void)
{
    Suite *suite = suite_create("language");
    TCase *functions = tcase_create("functions");
    tcase_add_test(functions, functions_are_written_out);
    tcase_add_test(functions, a_function_has_the_type_that_its_arguments_give_it);
    tcase_add_loop_test(functions, wrong_calls_are_reported_at_the_call, 0,
                        sizeof wrong_calls / sizeof *wrong_calls);
    tcase_add_test(functions, doubling_is_limited);
    tcase_add_test(functions, deep_functions_can_be_evaluated);
    tcase_add_loop_test(functions, wrong_keys_are_reported, 0,
                        sizeof wrong_keys / sizeof *wrong_keys);
    suite_add_tcase(suite, functions);
    TCase *steps = tcase_create("programs");
    tcase_set_timeout(steps, 300);
    tcase_add_loop_test(steps, programs_expand, 0, sizeof programs / sizeof *programs);
    tcase_add_test(steps, a_grid_says_which_p_are_allowed);
    tcase_add_loop_test(steps, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(steps, endless_repetition_is_refused, 0, sizeof endless / sizeof *endless);
    suite_add_tcase(suite, steps);
    return suite;
}
