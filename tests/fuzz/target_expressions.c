/* An expression with the names of a schedule program and of costs: the compiled program must give
   what the exact evaluator gives, at several points. Where a real number has no double of its own
   (0.1), it is rounded in the program alone, and they may differ. */
#include "fuzz.h"
#include "lang/check.h"
#include "lang/exact.h"
#include "lang/program.h"

#include <stdlib.h>

enum { POINTS = 3, NAMES = 5 };

static const Variable names[NAMES] = {{"p", TYPE_INT, {0, 0}, false},
                                      {"r", TYPE_INT, {0, 0}, true},
                                      {"k", TYPE_INT, {0, 0}, false},
                                      {"m", TYPE_REAL, {0, 1}, true},
                                      {"ts", TYPE_REAL, {1, 0}, false}};

static const int64_t p = 12, r[POINTS] = {0, 5, -3}, k = 7;
static const double m[POINTS] = {0, 1024, 0.375}, ts = 1e-6;

static bool is_double(Exact value)
{
    bool is_binary = (value.denominator & (value.denominator - 1)) == 0;
    return value.exact && is_binary && llabs(value.numerator) < (int64_t)1 << 53;
}

/* Is a real number in it rounded? In loops that is not looked for. */
static bool rounds(const Expr *expr, Exact *values)
{
    Diag silent = diag_silent();
    Exact value;
    bool does = expr_is_loop(expr) ||
                (expr->type == TYPE_REAL &&
                 !(exact_evaluate(expr, values, &value, &silent) && is_double(value)));
    for (int i = 0; i < expr->argument_count && !does; i++)
        does = rounds(expr->arguments[i], values);
    return does;
}

static void evaluate(const FuzzInput *input, const Expr *expr, Program *program, int point)
{
    const void *slots[NAMES] = {&p, &r[point], &k, &m[point], &ts};
    Exact values[MOST_SLOTS] = {exact_from_int(p), exact_from_int(r[point]), exact_from_int(k),
                                exact_from_double(m[point]), exact_from_double(ts)};
    Diag silent = diag_silent();
    Exact exact;
    int64_t whole = 0;
    double real = 0;
    bool is_real = expr->type == TYPE_REAL;
    bool has_exact = exact_evaluate(expr, values, &exact, &silent);
    bool has_value =
        program_run(program, slots, 1, is_real ? (void *)&real : (void *)&whole, &silent);
    if (is_real || !has_value || (has_exact && !exact.exact))
        return;
    bool differ = !has_exact || exact.denominator != 1 || exact.numerator != whole;
    if (differ && !rounds(expr, values))
        fuzz_fail(!has_exact ? "only the program has a value" : "two values of a whole number",
                  input->text.chars);
}

void fuzz_expressions(FuzzInput *input)
{
    Scope scope = {0};
    for (int i = 0; i < NAMES; i++)
        scope_add(input->arena, &scope, names[i]);
    Expr *expr = parse_question(input->arena, input->text, &input->diag);
    if (!expr || !check_any(input->arena, expr, &scope, &input->diag)) {
        if (input->diag.error_count == 0)
            fuzz_fail("refused without a word", input->text.chars);
        return;
    }
    Program *program = program_compile(input->arena, expr, &scope);
    for (int point = 0; point < POINTS; point++)
        evaluate(input, expr, program, point);
}
