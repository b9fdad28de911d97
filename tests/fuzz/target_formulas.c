/* A formula as papers print it: what it means is shown, read as an expression of models, and shown
   the same. */
#include "fuzz.h"
#include "lang/informal.h"
#include "lang/parse.h"
#include "lang/show.h"

#include <string.h>

static bool has_logarithm(const Expr *expr)
{
    bool found = informal_is_call(expr, "log");
    for (int i = 0; i < expr->argument_count; i++)
        found |= has_logarithm(expr->arguments[i]);
    return found;
}

/* The language of models has no `log`. */
static void read_again(FuzzInput *input, const Expr *expr)
{
    Diag silent = diag_silent();
    const char *shown = expr_show(input->arena, expr);
    const Expr *again =
        has_logarithm(expr)
            ? NULL
            : parse_expression(input->arena, source_argument(input->arena, "", shown), &silent);
    if (again && strcmp(expr_show(input->arena, again), shown) != 0)
        fuzz_fail("it is shown in two ways", shown);
}

void fuzz_formulas(FuzzInput *input)
{
    Expr *expr = informal_parse(input->arena, input->text, NULL, &input->diag);
    if (!expr && input->diag.error_count == 0)
        fuzz_fail("refused without a word", input->text.chars);
    if (expr)
        read_again(input, expr);
}
