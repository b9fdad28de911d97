#include "lang/informal.h"
#include "lang/parse.h"
#include "lang/show.h"
#include "unit.h"

static const struct {
    const char *formula, *latex;
} written[] = {
    {"(p - 1) * (ts + m * tw)", "(p - 1) \\, (t_s + m \\, t_w)"},
    {"clog2(p) * (ts + m / p * tw)",
     "\\lceil \\log_2 p\\rceil \\, \\left(t_s + \\frac{m}{p} \\, t_w\\right)"},
    {"flog2(p + 1)", "\\lfloor \\log_2 (p + 1)\\rfloor"},
    {"1 - 1 / 2^flog2(p)", "1 - \\frac{1}{2^{\\lfloor \\log_2 p\\rfloor}}"},
    {"(p - 1)^2", "(p - 1)^{2}"},
    {"-(p - 1)", "-(p - 1)"},
    {"p - (m - 1)", "p - (m - 1)"},
    {"2 * 3 * m", "2 \\cdot 3 \\, m"},
    {"m * (2 * tw)", "m \\, (2 \\, t_w)"},
    {"sqrt(p) + cbrt(p) + ceil(m / k) + abs(m)",
     "\\sqrt{p} + \\sqrt[3]{p} + \\left\\lceil \\frac{m}{k}\\right\\rceil + \\left|m\\right|"},
    {"(p - 1) div k", "\\left\\lfloor \\frac{p - 1}{k}\\right\\rfloor"},
    {"p mod 2", "p \\bmod 2"},
    {"1e-06 * m", "1 \\cdot 10^{-6} \\, m"},
    {"log2(p) * ts", "(\\log_2 p) \\, t_s"},
    {"2 * log2(p)", "2 \\, (\\log_2 p)"},
    {"radix * m", "\\mathit{radix} \\, m"},
    {"min(p, k + 1)", "\\min(p, k + 1)"},
    {"sum(i, 1, p - 1, i + m)", "\\sum_{i=1}^{p - 1} (i + m)"},
    {"largest(i, 0, p, i)", "\\max_{0 \\le i \\le p} i"},
    {"when(p <= 4 and not power_of_two(p), ts, 0)",
     "\\begin{cases} t_s & \\text{if } p \\le 4 \\land \\lnot p \\text{ is a power of two} \\\\ 0 "
     "& "
     "\\text{otherwise} \\end{cases}"},
};

START_TEST(formulas_are_written)
{
    Fixture *fixture = fixture_open();
    const Expr *expr =
        parse_expression(fixture->arena, text_of(fixture, written[_i].formula), &fixture->diag);
    ck_assert_ptr_nonnull(expr);
    ck_assert_str_eq(expr_latex(fixture->arena, expr), written[_i].latex);
    fixture_close(fixture);
}
END_TEST

/* As cost prints symbols, and as judge reads papers. */
static const char *const informal[] = {"7 ts + 7/4 m tw",
                                       "(p - 1)/p M tw",
                                       "log p (ts + m tw)",
                                       "(ts + m tw) log_3 p",
                                       "2 ts (sqrt p - 1) + m",
                                       "a/b c/d",
                                       "2^k m (p - 1)",
                                       "m/k (k + p - 2) tw",
                                       "log_{d+1} p ts",
                                       "p - (k - m) - 1",
                                       "-a b + c",
                                       "((a + b)/(c + d))^2 m",
                                       "\\lceil m/k \\rceil p",
                                       "\\sqrt{p} (p - 1)^3"};

START_TEST(what_is_written_reads_back)
{
    Fixture *fixture = fixture_open();
    const Expr *expr =
        informal_parse(fixture->arena, text_of(fixture, informal[_i]), NULL, &fixture->diag);
    ck_assert_ptr_nonnull(expr);
    const char *latex = expr_latex(fixture->arena, expr);
    const Expr *again =
        informal_parse(fixture->arena, text_of(fixture, latex), NULL, &fixture->diag);
    ck_assert_ptr_nonnull(again);
    ck_assert_str_eq(expr_show(fixture->arena, again), expr_show(fixture->arena, expr));
    fixture_close(fixture);
}
END_TEST

Suite *latex_suite(void);

Suite *latex_suite(void)
{
    Suite *suite = suite_create("latex");
    TCase *cases = tcase_create("latex");
    tcase_add_loop_test(cases, formulas_are_written, 0, sizeof written / sizeof *written);
    tcase_add_loop_test(cases, what_is_written_reads_back, 0, sizeof informal / sizeof *informal);
    suite_add_tcase(suite, cases);
    return suite;
}
