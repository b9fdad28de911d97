#include "cli/formula.h"

static Status run(const CommandLine *line)
{
    Query query;
    TypedFormula formula;
    Value value;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    bool too_many = (query.ranks.count > 1 && (option_is_spoken(line, OPTION_RANKS) ||
                                               option_is_spoken(line, OPTION_TOPOLOGY))) ||
                    (query.sizes.count > 1 && option_is_spoken(line, OPTION_SIZE));
    if (too_many) {
        diag_error(line->diag, NOWHERE, "'eval' takes one number of ranks and one size");
        return STATUS_BAD_INPUT;
    }
    if (!formula_open(&query, &formula))
        return STATUS_BAD_INPUT;
    Expr *expr = formula_read(&formula, line->operands.items[0]);
    if (!expr || !formula_evaluate(&formula, expr, &value))
        return formula_status(&formula);
    formula_keep(&query, &value);
    value_write(line->arena, line->out, query.format, &value);
    return STATUS_FINE;
}

const Command command_eval = {
    .name = "eval",
    .operands = "EXPRESSION",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "any formula, with units",
    .description =
        "The value of a formula such as '(p - 1) * (ts + 1MiB * tw)'. Its names are the machine's\n"
        "ts, th, tw, tc, d (ports) and root; p with -p or -t, m with -m, k with --set k=,\n"
        "target with --to. It can ask about algorithms: time(allreduce/ring, 1MiB), bound, ratio,\n"
        "best, rounds, chunks, and switch(reduce, binomial, pipelined-chain).",
    .options = OPTIONS_OF_FORMULAS,
    .run = run,
};
