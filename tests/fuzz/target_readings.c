/* Formulas as papers print them, with what stands round them: all their readings about an algorithm
 * are written down. */
#include "claims/readings.h"
#include "fuzz.h"
#include "lang/equation.h"

static bool count(void *context, const Reading *reading)
{
    int *readings = context;
    (void)reading;
    return ++*readings < 100;
}

void fuzz_readings(FuzzInput *input)
{
    const FixedMeaningArray none = {0};
    const Algorithm *algorithm = library_algorithm(
        fuzz_library(), source_argument(input->arena, "", "allreduce/ring"), &input->diag);
    InformalLetters letters = {.names = readings_names(input->arena, &none, algorithm)};
    Equation equation;
    SymbolList symbols;
    if (!equation_read(input->arena, input->text, &letters, &equation, &input->diag)) {
        if (input->diag.error_count == 0)
            fuzz_fail("refused without a word", input->text.chars);
        return;
    }
    for (size_t i = 0; i < equation.parts.count; i++) {
        const Expr *formula = equation.parts.items[i].formula;
        int readings = 0;
        if (readings_check_length(formula, &input->diag) &&
            symbols_find(input->arena, formula, equation.condition, &none, algorithm, &symbols,
                         &input->diag))
            for (int apart = 0; apart < 2; apart++)
                readings_visit(input->arena, formula, &symbols, apart, count, &readings);
    }
}
