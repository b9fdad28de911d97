/* A formula as papers print it: what it means is shown, read as an expression of models, and shown
   the same; all its readings about an algorithm are written down. */
#include "claims/readings.h"
#include "fuzz.h"
#include "lang/informal.h"
#include "lang/parse.h"
#include "lang/show.h"

#include <string.h>

static bool has_logarithm(const Expr *expr)
{
    bool found = informal_is_log(expr);
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

static bool count(void *context, const Reading *reading)
{
    int *readings = context;
    (void)reading;
    return ++*readings < 100;
}

void fuzz_formulas(FuzzInput *input)
{
    const FixedMeaningArray none = {0};
    SymbolList symbols;
    int readings = 0;
    Expr *expr = informal_parse(input->arena, input->text, &input->diag);
    if (!expr && input->diag.error_count == 0)
        fuzz_fail("refused without a word", input->text.chars);
    if (!expr)
        return;
    read_again(input, expr);
    const Algorithm *algorithm = library_algorithm(
        fuzz_library(), source_argument(input->arena, "", "allreduce/ring"), &input->diag);
    if (readings_check_length(expr, &input->diag) &&
        symbols_find(input->arena, expr, &none, algorithm, &symbols, &input->diag))
        readings_visit(input->arena, expr, &symbols, count, &readings);
}
