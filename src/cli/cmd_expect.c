#include "cli/formula.h"

#include <string.h>

static Status run_expect(const CommandLine *line)
{
    Query query;
    TypedFormula formula;
    Value value;
    if (!query_read(line, &query) || !formula_open(&query, &formula))
        return STATUS_BAD_INPUT;
    Expr *expr = formula_read(&formula, line->operands.items[0]);
    if (expr && expr->type != TYPE_BOOL)
        return BAD_INPUT(line->diag, expr->text.span,
                         "an expectation must be a comparison, as in ... < 2 ms");
    if (!expr || !formula_evaluate(&formula, expr, &value))
        return formula_status(&formula);
    if (value.integer)
        return STATUS_FINE;
    diag_error(line->diag, line->operands.items[0].span, "this expectation does not hold");
    /* Each comparison with what stands on its sides; with all digits where they look alike. */
    Query quiet = query;
    study_silence(&quiet.study);
    TypedFormula asking = formula;
    asking.query = &quiet;
    for (size_t i = 0; i < formula.comparisons.count; i++) {
        const Comparison *comparison = &formula.comparisons.items[i];
        Value whole, left, right;
        if (!formula_evaluate(&asking, comparison->whole, &whole) ||
            !formula_evaluate(&asking, comparison->left, &left) ||
            !formula_evaluate(&asking, comparison->right, &right))
            continue;
        const char *a = value_show(line->arena, &left), *b = value_show(line->arena, &right);
        if (strcmp(a, b) == 0 && !left.name && !right.name)
            a = value_exactly(line->arena, &left), b = value_exactly(line->arena, &right);
        /* The first comparison that does not hold, in short. */
        if (!whole.integer && line->finding && !*line->finding)
            *line->finding = arena_printf(line->arena, "left side %s, right side %s", a, b);
        bool is_only = formula.comparisons.count == 1;
        diag_note(line->diag, is_only ? NOWHERE : comparison->whole->text.span,
                  "%sleft side %s, right side %s",
                  is_only              ? ""
                  : whole.integer != 0 ? "this holds: "
                                       : "this does not hold: ",
                  a, b);
    }
    return STATUS_CHECK_FAILED;
}

const Command command_expect = {
    .name = "expect",
    .operands = "EXPRESSION",
    .summary = "check a condition; exit status 1 if it does not hold",
    .description =
        "Prints nothing if the EXPRESSION is true; otherwise shows both sides of each "
        "comparison and fails. It is a formula as for eval, with ==, !=, <, <=, >, >=, and, or, "
        "not, and 'A within 1% of B'. It can ask about algorithms: best(allreduce, 1MiB) == "
        "ring, time(allreduce/ring, 1MiB) < 2 ms, ratio(allreduce, 1MiB) <= 1.1, switch(reduce, "
        "binomial, pipelined-chain) within 1% of 498 kB.",
    .examples = "collcost expect 'time(allreduce/ring, 1MiB) < 1ms' -t ring:8\n"
                "collcost expect 'rounds(broadcast/binomial, 1KiB) == clog2(p)' -p 8",
    .options = OPTIONS_OF_FORMULAS & ~OPTION_BIT(OUTPUT),
    .run = run_expect,
};
