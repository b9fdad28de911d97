/* A formula as papers print it: all its readings about an algorithm are written down. */
#include "claims/readings.h"
#include "fuzz.h"
#include "lang/informal.h"

static bool count(void *context, const Reading *reading)
{
    int *readings = context;
    (void)reading;
    return ++*readings < 100;
}

void fuzz_readings(FuzzInput *input)
{
    const FixedMeaningArray none = {0};
    SymbolList symbols;
    int readings = 0;
    Expr *expr = informal_parse(input->arena, input->text, &input->diag);
    if (!expr)
        return;
    const Algorithm *algorithm = library_algorithm(
        fuzz_library(), source_argument(input->arena, "", "allreduce/ring"), &input->diag);
    if (readings_check_length(expr, &input->diag) &&
        symbols_find(input->arena, expr, &none, algorithm, &symbols, &input->diag))
        readings_visit(input->arena, expr, &symbols, count, &readings);
}
