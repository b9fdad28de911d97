/* Both evaluators on random expressions and many lanes: they share no arithmetic. */
#include "lang/check.h"
#include "lang/fold.h"

#include "base/random.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* Two programs variables, one uniform and one for each lane; more lanes than fit one block. */
enum { LANES = 2500, EXPRESSIONS = 3000, DEEPEST = 4 };

typedef struct {
    Arena *arena;
    uint64_t random;
} Generator;

static uint64_t below(Generator *generator, uint64_t limit)
{
    return random_next(&generator->random) % limit;
}

static const char *random_leaf(Generator *generator, const char *index)
{
    switch (below(generator, index ? 5 : 4)) {
    case 0:
        return "p";
    case 1:
    case 2:
        return "r";
    case 3:
        return arena_printf(generator->arena, "%d", (int)below(generator, 9));
    default:
        return index;
    }
}

static const char *random_whole(Generator *generator, int depth, const char *index);

static const char *random_condition(Generator *generator, int depth, const char *index)
{
    static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
    const char *a = random_whole(generator, depth - 1, index);
    const char *b = random_whole(generator, depth - 1, index);
    switch (depth > 0 ? below(generator, 7) : 0) {
    case 1:
        return arena_printf(generator->arena, "(%s and %s)", a,
                            random_condition(generator, depth - 1, index));
    case 2:
        return arena_printf(generator->arena, "(%s or %s)",
                            random_condition(generator, depth - 1, index), b);
    case 3:
        return arena_printf(generator->arena, "(not %s)", a);
    case 4:
        return arena_printf(generator->arena, "%s(%s)",
                            below(generator, 2) ? "power_of_two" : "is_square", a);
    case 5:
        return arena_printf(generator->arena, "is_cube(%s)", a);
    default:
        return arena_printf(generator->arena, "(%s %s %s)", a, signs[below(generator, 6)], b);
    }
}

static const char *random_call(Generator *generator, int depth, const char *index)
{
    static const char *const calls[] = {"clog2(%s)",
                                        "flog2(%s)",
                                        "popcount(%s)",
                                        "abs(%s)",
                                        "-%s",
                                        "ceil(%s mod 4096 / 2)",
                                        "floor(%s mod 4096 / 4)",
                                        "ceil(log2(%s))"};
    const char *call = calls[below(generator, sizeof calls / sizeof *calls)];
    const char *argument = random_whole(generator, depth - 1, index);
    const char *hole = strstr(call, "%s");
    return arena_printf(generator->arena, "%.*s(%s)%s", (int)(hole - call), call, argument,
                        hole + 2);
}

static const char *random_loop(Generator *generator, int depth, const char *index)
{
    const char *name = index ? "j" : "i";
    const char *word = below(generator, 2) ? "sum" : "largest";
    const char *from = random_leaf(generator, index), *to = random_leaf(generator, index);
    return arena_printf(generator->arena, "%s(%s, %s, %s, %s)", word, name, from, to,
                        random_whole(generator, depth - 1, name));
}

static const char *random_whole(Generator *generator, int depth, const char *index)
{
    static const char *const operators[] = {"+", "-", "*", "mod", "div", "xor", "+", "-"};
    if (depth <= 0)
        return random_leaf(generator, index);
    const char *a = random_whole(generator, depth - 1, index);
    const char *b = random_whole(generator, depth - 1, index);
    switch (below(generator, 10)) {
    case 0:
        return random_call(generator, depth, index);
    case 1:
        return index && index[0] == 'j' ? a : random_loop(generator, depth - 1, index);
    case 2:
        return arena_printf(generator->arena, "when(%s, %s, %s)",
                            random_condition(generator, depth - 1, index), a, b);
    case 3:
        return arena_printf(generator->arena, "%s(%s, %s)", below(generator, 2) ? "min" : "max", a,
                            b);
    case 4:
        return arena_printf(generator->arena, "bit(%s, %s)", a, b);
    case 5:
        return arena_printf(generator->arena, "(%s ^ %d)", a, (int)below(generator, 12));
    default:
        return arena_printf(generator->arena, "(%s %s %s)", a, operators[below(generator, 8)], b);
    }
}

typedef struct {
    int64_t p, ranks[LANES];
    bool bad[LANES];
    Exact values[LANES];
} Point;

/* A generated text nested too deeply is left out. */
static Expr *read_generated(Fixture *fixture, const char *text)
{
    Diag silent = diag_silent();
    Expr *expr = parse_expression(fixture->arena, text_of(fixture, text), &silent);
    return expr ? check_any(fixture->arena, expr, &fixture->scope, &silent) : NULL;
}

/* Each lane in exact arithmetic; returns how many lanes have a value. */
static size_t evaluate_lanes(Fixture *fixture, const Expr *expr, size_t lanes, Point *point)
{
    Exact slots[MOST_NAMES];
    Diag silent = diag_silent();
    size_t good = 0;
    (void)fixture;
    for (size_t i = 0; i < lanes; i++) {
        slots[0] = exact_from_int(point->p);
        slots[1] = exact_from_int(point->ranks[i]);
        point->bad[i] = !exact_evaluate(expr, slots, &point->values[i], &silent);
        good += !point->bad[i];
    }
    return good;
}

/* Runs the lanes that have a value, which must come out, and one that has none, which must not. */
static void compare_lanes(Fixture *fixture, const char *text, const Expr *expr, size_t lanes,
                          const Point *point)
{
    int64_t *ranks = ARENA_ARRAY(fixture->arena, int64_t, lanes + 1);
    int64_t *out = ARENA_ARRAY(fixture->arena, int64_t, lanes + 1);
    const void *slots[MOST_NAMES] = {&point->p, ranks};
    Program *program = program_compile(fixture->arena, expr, &fixture->scope);
    Diag silent = diag_silent();
    size_t count = 0;
    for (size_t i = 0; i < lanes; i++)
        if (!point->bad[i])
            ranks[count++] = point->ranks[i];
    bool good = program_run(program, slots, count, out, &fixture->diag);
    ck_assert_msg(good, "%s with p = %d has values but the program says:\n%s", text, (int)point->p,
                  take_messages(fixture));
    for (size_t i = 0, at = 0; i < lanes; i++) {
        if (point->bad[i]) {
            ranks[0] = point->ranks[i];
            ck_assert_msg(!program_run(program, slots, 1, out + lanes, &silent),
                          "%s has no value at p = %d, r = %d, but the program gives %lld", text,
                          (int)point->p, (int)ranks[0], (long long)out[lanes]);
            continue;
        }
        ck_assert_msg(out[at] == point->values[i].numerator,
                      "%s at p = %d, r = %d is %lld, but %lld in a program", text, (int)point->p,
                      (int)point->ranks[i], (long long)point->values[i].numerator,
                      (long long)out[at]);
        at++;
    }
}

/* A lane alone, and with p or p and r put in, gives what it gives among others. */
static void compare_alone(Fixture *fixture, const char *text, const Expr *expr, size_t lanes,
                          const Point *point)
{
    Diag silent = diag_silent();
    Program *program = program_compile(fixture->arena, expr, &fixture->scope);
    for (size_t i = 0; i < lanes; i++) {
        const void *slots[MOST_NAMES] = {&point->p, &point->ranks[i]};
        Program *programs[] = {program, program_fold(fixture->arena, program, 1, slots),
                               program_fold(fixture->arena, program, 3, slots)};
        for (int n = 0; n < 3; n++) {
            int64_t out = 0;
            slots[0] = n ? NULL : &point->p;
            bool good = program_run(programs[n], slots, 1, &out, &silent);
            ck_assert_msg(good == !point->bad[i] && (!good || out == point->values[i].numerator),
                          "%s at p = %d, r = %d, with %d variables put in: %d %lld", text,
                          (int)point->p, (int)point->ranks[i], n, good, (long long)out);
        }
    }
}

static void fill_point(Generator *generator, size_t lanes, Point *point)
{
    point->p = (int64_t)below(generator, 20);
    for (size_t i = 0; i < lanes; i++)
        point->ranks[i] = (int64_t)below(generator, 24) - 4;
}

static Fixture *open_with_lanes(void)
{
    Fixture *fixture = fixture_open();
    scope_add(fixture->arena, &fixture->scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(fixture->arena, &fixture->scope, (Variable){"r", TYPE_INT, DIMENSION_NONE, true});
    return fixture;
}

START_TEST(random_expressions_agree)
{
    Fixture *fixture = open_with_lanes();
    Point *point = ARENA_NEW(fixture->arena, Point);
    Generator generator = {fixture->arena, (uint64_t)_i + 1};
    size_t compared = 0, values = 0;
    for (int n = 0; n < EXPRESSIONS; n++) {
        ArenaMark mark = arena_mark(fixture->arena);
        const char *text = random_whole(&generator, 1 + (int)below(&generator, DEEPEST), NULL);
        Expr *expr = read_generated(fixture, text);
        if (expr) {
            fill_point(&generator, 12, point);
            values += evaluate_lanes(fixture, expr, 12, point);
            compare_lanes(fixture, text, expr, 12, point);
            compare_alone(fixture, text, expr, n % 8 ? 1 : 12, point);
            compared++;
        }
        arena_release(fixture->arena, mark);
    }
    ck_assert_uint_gt(compared, EXPRESSIONS / 2);
    ck_assert_uint_gt(values, 6 * compared);
    fixture_close(fixture);
}
END_TEST

/* Lane counts around the size of a block of the machine. */
static const size_t lane_counts[] = {1, 2, 511, 512, 513, 1023, 1024, 1025, 2048, 2049, LANES};

START_TEST(blocks_of_lanes_join)
{
    static const char *const texts[] = {"r * p - r",
                                        "sum(i, 0, r, i * r)",
                                        "largest(i, r, p, i mod 5)",
                                        "when(r mod 2 == 0, r, p) xor r",
                                        "(r * r) mod (p + 1)",
                                        "p",
                                        "sum(i, r, r + 3, when(i > p, r, i))"};
    Fixture *fixture = open_with_lanes();
    Point *point = ARENA_NEW(fixture->arena, Point);
    size_t lanes = lane_counts[_i];
    point->p = 11;
    for (size_t i = 0; i < lanes; i++)
        point->ranks[i] = (int64_t)(i % 97);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        Expr *expr = checked(fixture, texts[t]);
        ck_assert_uint_eq(evaluate_lanes(fixture, expr, lanes, point), lanes);
        compare_lanes(fixture, texts[t], expr, lanes, point);
    }
    fixture_close(fixture);
}
END_TEST

/* Times to the last bit, in a block, alone, and with all but m put in. */
START_TEST(reals_do_not_depend_on_the_company)
{
    static const char *const texts[] = {
        "(p - 1) * (ts + m * tw)",
        "clog2(p) * ts + (p - 1) * m * tw / p",
        "max(p * ts, m * tw / 3) - min(ts, m * tw) / 7",
        "when(p > 5 and m > 1000 B, sqrt(m / 3 B) * ts, ceil(m / 7 B) * abs(-ts))",
        "when(p > 5, 3, 4 + m / 1 B) * ts + (m / 3 B) ^ p * ts + (m / 5 B) ^ (1 / 3) * ts",
        "cbrt(m / 3 B) * ts + log2(1 + m / 7 B) * ts",
        "sum(i, 1, p, ts + m * tw / i)"};
    enum { SIZES = 1100 };
    Fixture *fixture = fixture_open();
    Scope *scope = &fixture->scope;
    int64_t p = 7;
    double m[SIZES], ts = 1.3e-6, tw = 1 / 63e9, out[SIZES];
    scope_add(fixture->arena, scope, (Variable){"p", TYPE_INT, DIMENSION_NONE, false});
    scope_add(fixture->arena, scope, (Variable){"m", TYPE_REAL, DIMENSION_BYTES, true});
    scope_add(fixture->arena, scope, (Variable){"ts", TYPE_REAL, DIMENSION_TIME, false});
    scope_add(fixture->arena, scope, (Variable){"tw", TYPE_REAL, DIMENSION_TIME_PER_BYTE, false});
    for (int i = 0; i < SIZES; i++)
        m[i] = 1 + i * 37.3;
    const void *slots[MOST_NAMES] = {&p, m, &ts, &tw};
    Program *program =
        program_compile(fixture->arena, checked(fixture, texts[_i]), &fixture->scope);
    Program *folded = program_fold(fixture->arena, program, 1 | 4 | 8, slots);
    const void *left[MOST_NAMES] = {NULL};
    ck_assert(program_run(program, slots, SIZES, out, &fixture->diag));
    for (int i = 0; i < SIZES; i++) {
        double alone, rest;
        slots[1] = left[1] = &m[i];
        ck_assert(program_run(program, slots, 1, &alone, &fixture->diag) &&
                  program_run(folded, left, 1, &rest, &fixture->diag));
        ck_assert(memcmp(&alone, &out[i], sizeof alone) == 0 &&
                  memcmp(&rest, &out[i], sizeof rest) == 0);
    }
    fixture_close(fixture);
}
END_TEST

/* A branch of the same value for all lanes takes the place of one that varies. */
START_TEST(a_choice_that_is_known_is_made_once)
{
    Fixture *fixture = open_with_lanes();
    int64_t p = 8, ranks[] = {1, 2, 3}, out[3];
    const void *slots[MOST_NAMES] = {&p, ranks};
    Program *program = program_fold(
        fixture->arena,
        program_compile(fixture->arena,
                        checked(fixture, "2 * when(p > 4, p + 1, r) + when(p < 0, 1 div 0, r)"),
                        &fixture->scope),
        1, slots);
    ck_assert(program_run(program, slots, 3, out, &fixture->diag));
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(out[i], 18 + ranks[i]);
    fixture_close(fixture);
}
END_TEST

static void assert_lanes(const char *text, const int64_t *ranks, size_t count,
                         const int64_t *expected)
{
    Fixture *fixture = open_with_lanes();
    int64_t out[8], p = 8;
    const void *slots[MOST_NAMES] = {&p, ranks};
    Program *program = program_compile(fixture->arena, checked(fixture, text), &fixture->scope);
    bool good = program_run(program, slots, count, out, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(out[i], expected[i]);
    fixture_close(fixture);
}

START_TEST(sums_have_bounds_of_each_lane)
{
    const int64_t ranks[] = {0, 1, 2, 3};
    assert_lanes("sum(i, r, 3, i)", ranks, 4, (const int64_t[]){6, 6, 5, 3});
    assert_lanes("sum(i, 0, r, 1)", ranks, 4, (const int64_t[]){1, 2, 3, 4});
    assert_lanes("largest(i, 0, r, i * (3 - i))", ranks, 4, (const int64_t[]){0, 2, 2, 2});
    assert_lanes("sum(i, 1, r, sum(j, i, r, j))", ranks, 4, (const int64_t[]){0, 1, 5, 14});
}
END_TEST

START_TEST(lanes_that_skip_a_sum_spoil_no_other)
{
    const int64_t ranks[] = {0, 1, 2};
    assert_lanes("when(r > 0, sum(i, 1, 4 div r, i), -1)", ranks, 3, (const int64_t[]){-1, 10, 3});
    assert_lanes("when(r > 0, largest(i, 4 div r, 4, i), -1)", ranks, 3,
                 (const int64_t[]){-1, 4, 4});
}
END_TEST

START_TEST(short_sums_may_lie_far_apart)
{
    const int64_t ranks[] = {0, 1000000000};
    assert_lanes("sum(i, r, r + 1, 1)", ranks, 2, (const int64_t[]){2, 2});
}
END_TEST

START_TEST(the_first_bad_lane_is_reported)
{
    Fixture *fixture = open_with_lanes();
    int64_t p = 8, ranks[LANES], out[LANES];
    const void *slots[MOST_NAMES] = {&p, ranks};
    Program *program =
        program_compile(fixture->arena, checked(fixture, "1 + p div (r - 2000)"), &fixture->scope);
    for (int i = 0; i < LANES; i++)
        ranks[i] = i;
    ck_assert(!program_run(program, slots, LANES, out, &fixture->diag));
    const char *messages = take_messages(fixture);
    ck_assert_msg(strstr(messages, "text:1:5: error") && strstr(messages, "r = 2000"), "%s",
                  messages);
    fixture_close(fixture);
}
END_TEST

Suite *agree_suite(void)
{
    Suite *suite = suite_create("agree");
    TCase *random = tcase_create("random");
    tcase_set_timeout(random, 300);
    tcase_add_loop_test(random, random_expressions_agree, 0, 4);
    suite_add_tcase(suite, random);
    TCase *lanes = tcase_create("lanes");
    tcase_add_loop_test(lanes, blocks_of_lanes_join, 0, sizeof lane_counts / sizeof *lane_counts);
    tcase_add_loop_test(lanes, reals_do_not_depend_on_the_company, 0, 7);
    tcase_add_test(lanes, a_choice_that_is_known_is_made_once);
    tcase_add_test(lanes, sums_have_bounds_of_each_lane);
    tcase_add_test(lanes, lanes_that_skip_a_sum_spoil_no_other);
    tcase_add_test(lanes, short_sums_may_lie_far_apart);
    tcase_add_test(lanes, the_first_bad_lane_is_reported);
    suite_add_tcase(suite, lanes);
    return suite;
}
