#include "lang/parse.h"

#include "unit.h"

#include <string.h>

/* "1 + 2 * p" as "(+ 1 (* 2 p))". */
static const char *show(Arena *arena, const Expr *expr)
{
    if (expr->kind == EXPR_NUMBER || expr->kind == EXPR_VARIABLE)
        return arena_copy(arena, expr->text.chars, expr->text.length);
    const char *list = operation_info[expr->kind].word;
    for (int i = 0; i < expr->argument_count; i++)
        list = arena_printf(arena, "%s %s", list, show(arena, expr->arguments[i]));
    return arena_printf(arena, "(%s)", list);
}

static const struct {
    const char *written, *meant;
} readings[] = {
    {"1 + 2 * p", "(+ 1 (* 2 p))"},
    {"(1 + 2) * p", "(* (+ 1 2) p)"},
    {"a - b - c", "(- (- a b) c)"},
    {"a / b / c", "(/ (/ a b) c)"},
    {"a mod b div c", "(div (mod a b) c)"},
    {"a ^ b ^ c", "(^ a (^ b c))"},
    {"2 ^ -1", "(^ 2 (- 1))"},
    {"-a ^ 2", "(- (^ a 2))"},
    {"-a * b", "(* (- a) b)"},
    {"--a", "(- (- a))"},
    {"a * -b", "(* a (- b))"},
    {"a xor b + c", "(xor a (+ b c))"},
    {"a xor b == c", "(== (xor a b) c)"},
    {"a == b and c", "(and (== a b) c)"},
    {"not a == b", "(not (== a b))"},
    {"not a and b", "(and (not a) b)"},
    {"a or b and c", "(or a (and b c))"},
    {"not not a", "(not (not a))"},
    {"a <= b", "(<= a b)"},
    {"a>=b", "(>= a b)"},
    {"max(a, b, c)", "(max (max a b) c)"},
    {"when(a, b, c)", "(when a b c)"},
    {"sum(i, 1, p, i)", "(sum i 1 p i)"},
    {"2^(i+1)", "(^ 2 (+ i 1))"},
    {"modest + format", "(+ modest format)"},
    {"a<b and b<c", "(and (< a b) (< b c))"},
};

START_TEST(operators_bind_as_documented)
{
    Fixture *fixture = fixture_open();
    Expr *expr =
        parse_expression(fixture->arena, text_of(fixture, readings[_i].written), &fixture->diag);
    assert_no_error(fixture);
    ck_assert_str_eq(show(fixture->arena, expr), readings[_i].meant);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t column;
} mistakes[] = {
    {"", 1},
    {"1 +", 4},
    {"a < b < c", 7},
    {"a == b == c", 8},
    {"(1 + 2", 7},
    {"1 + 2)", 6},
    {"2 p", 3},
    {"mod 3", 1},
    {"a % b", 3},
    {"a && b", 3},
    {"fro(1, 2, 3, 4, 5)", 17},
    {"clog2(1, 2)", 1},
    {"when(a, b)", 1},
    {"when(a,b,c,d)", 1},
    {"sum(1, 2, 3, 4)", 5},
    {"clog2()", 7},
    {"a .. b", 3},
    {"5 KB", 3},
    {"1e400", 1},
    {"min()", 5},
    {"µ + 1", 1},
    {"a +\n  * b", 3},
    {"max(1)", 1},
    {"a = b", 3},
    {"all + 1", 1},
    {"*", 1},
    {"a ! b", 3},
    {"3 for i", 3},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    size_t line = strchr(mistakes[_i].text, '\n') ? 2 : 1;
    ck_assert_ptr_null(
        parse_expression(fixture->arena, text_of(fixture, mistakes[_i].text), &fixture->diag));
    assert_error_at(fixture, "text", line, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

static Expr *parse_nested(Fixture *fixture, const char *open, int depth, const char *close)
{
    const char *text = "1";
    for (int i = 0; i < depth; i++)
        text = arena_printf(fixture->arena, "%s%s%s", open, text, close);
    return parse_expression(fixture->arena, text_of(fixture, text), &fixture->diag);
}

START_TEST(deep_nesting_is_refused)
{
    static const struct {
        const char *open, *close;
    } nestings[] = {{"(", ")"}, {"-", ""}, {"2^", ""}, {"abs(", ")"}, {"not ", ""}};
    for (size_t i = 0; i < sizeof nestings / sizeof *nestings; i++) {
        Fixture *fixture = fixture_open();
        ck_assert_ptr_nonnull(parse_nested(fixture, nestings[i].open, 150, nestings[i].close));
        assert_no_error(fixture);
        ck_assert_ptr_null(parse_nested(fixture, nestings[i].open, 5000, nestings[i].close));
        assert_error(fixture);
        fixture_close(fixture);
    }
}
END_TEST

/* A sum of many terms is long, not deep; whoever walks its tree must not run out of stack. */
START_TEST(long_sums_are_read_or_refused)
{
    Fixture *fixture = fixture_open();
    enum { TERMS = 20000 };
    char *text = arena_alloc(fixture->arena, 2 * TERMS + 2);
    for (size_t i = 0; i < TERMS; i++)
        memcpy(text + 2 * i, "1+", 2);
    text[2 * TERMS] = '1';
    Expr *expr = checked(fixture, text);
    Exact value;
    if (expr) {
        ck_assert(exact_value(fixture, expr, &value));
        ck_assert_int_eq(value.numerator, TERMS + 1);
    } else {
        assert_error(fixture);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(loops_have_a_name_and_bounds)
{
    Fixture *fixture = fixture_open();
    Loop loop;
    ck_assert(parse_loop(fixture->arena, text_of(fixture, "i in 0 .. p-1"), &loop, &fixture->diag));
    ck_assert(!loop.down);
    ck_assert(text_equals(loop.name, "i"));
    ck_assert(
        parse_loop(fixture->arena, text_of(fixture, "i in p down to 0"), &loop, &fixture->diag));
    ck_assert(loop.down);
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t column;
} loop_mistakes[] = {{"i in 0", 7},        {"in 0 .. 1", 1},  {"i 0 .. 1", 3},
                     {"7 in 0 .. 1", 1},   {"i in 0 ..", 10}, {"i in 0 down 1", 13},
                     {"i in 0 .. 1 2", 13}};

START_TEST(loops_are_refused_at_their_place)
{
    Fixture *fixture = fixture_open();
    Loop loop;
    ck_assert(!parse_loop(fixture->arena, text_of(fixture, loop_mistakes[_i].text), &loop,
                          &fixture->diag));
    assert_error_at(fixture, "text", 1, loop_mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(block_sets_are_read)
{
    Fixture *fixture = fixture_open();
    BlockSet set;
    ck_assert(parse_block_set(fixture->arena,
                              text_of(fixture, "((r + 1) mod p, j) for j in 0 .. 3 "
                                               "for i in 3 down to 0 if i != j"),
                              &set, &fixture->diag));
    ck_assert_int_eq(set.index_count, 2);
    ck_assert_int_eq(set.loop_count, 2);
    ck_assert(!set.loops[0].down && set.loops[1].down);
    ck_assert_ptr_nonnull(set.condition);
    ck_assert(
        parse_block_set(fixture->arena, text_of(fixture, "(r + 1) mod p"), &set, &fixture->diag));
    ck_assert_int_eq(set.index_count, 1);
    ck_assert_ptr_null(set.range_end);
    ck_assert(
        parse_block_set(fixture->arena, text_of(fixture, "max(r, 1) .. p"), &set, &fixture->diag));
    ck_assert_ptr_nonnull(set.range_end);
    ck_assert(parse_block_set(fixture->arena, text_of(fixture, "all"), &set, &fixture->diag));
    ck_assert(set.all);
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *text;
    size_t column;
} set_mistakes[] = {{"", 1},
                    {"all 3", 5},
                    {"1 ..", 5},
                    {"(1, 2", 6},
                    {"(1, 2, 3, 4, 5)", 14},
                    {"r for j", 8},
                    {"r if", 5},
                    {"r for a in 0..1 for b in 0..1 for c in 0..1 for d in 0..1 for e in 0..1", 63},
                    {"1, 2", 2}};

START_TEST(block_sets_are_refused_at_their_place)
{
    Fixture *fixture = fixture_open();
    BlockSet set;
    ck_assert(!parse_block_set(fixture->arena, text_of(fixture, set_mistakes[_i].text), &set,
                               &fixture->diag));
    assert_error_at(fixture, "text", 1, set_mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

Suite *parse_suite(void)
{
    Suite *suite = suite_create("parse");
    TCase *expressions = tcase_create("expressions");
    tcase_add_loop_test(expressions, operators_bind_as_documented, 0,
                        sizeof readings / sizeof *readings);
    tcase_add_loop_test(expressions, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(expressions, deep_nesting_is_refused);
    tcase_add_test(expressions, long_sums_are_read_or_refused);
    suite_add_tcase(suite, expressions);
    TCase *sets = tcase_create("sets");
    tcase_add_test(sets, loops_have_a_name_and_bounds);
    tcase_add_loop_test(sets, loops_are_refused_at_their_place, 0,
                        sizeof loop_mistakes / sizeof *loop_mistakes);
    tcase_add_test(sets, block_sets_are_read);
    tcase_add_loop_test(sets, block_sets_are_refused_at_their_place, 0,
                        sizeof set_mistakes / sizeof *set_mistakes);
    suite_add_tcase(suite, sets);
    return suite;
}
