#include "cli/formula.h"

#include <string.h>

static Status run_eval(const CommandLine *line)
{
    Query query;
    TypedFormula formula;
    Value value;
    if (!query_read(line, &query))
        return STATUS_BAD_INPUT;
    bool too_many = (query.ranks.count > 1 && (option_is_spoken(line, OPTION_RANKS) ||
                                               option_is_spoken(line, OPTION_TOPOLOGY))) ||
                    (query.sizes.count > 1 && option_is_spoken(line, OPTION_SIZE));
    if (too_many)
        return BAD_INPUT(line->diag, NOWHERE, "'eval' takes one number of ranks and one size");
    if (!formula_open(&query, &formula))
        return STATUS_BAD_INPUT;
    /* "(p - 1) * ts in ns": without the unit, which `one` is in seconds and bytes. */
    static const char word[] = " in ";
    Quantity one;
    Text text = line->operands.items[0];
    const char *unit = NULL;
    size_t behind = text.length ? text.length - 1 : 0; /* the last such word */
    while (behind >= strlen(word) &&
           strncmp(text.chars + behind - strlen(word), word, strlen(word)) != 0)
        behind--;
    if (behind >= strlen(word)) {
        const char *last = arena_copy(line->arena, text.chars + behind, text.length - behind);
        const Text number =
            source_argument(line->arena, "unit", arena_printf(line->arena, "1 %s", last));
        if (quantity_starts(number, &one) && one.length >= number.length && one.has_unit)
            unit = last, text = text_slice(text, 0, behind - strlen(word));
    }
    Expr *expr = formula_read(&formula, text);
    if (!expr || !formula_evaluate(&formula, expr, &value))
        return formula_status(&formula);
    formula_keep(&query, &value);
    if (unit && (value.name || !dimension_equal(value.dimension, one.dimension)))
        return BAD_INPUT(line->diag, text.span, "this is %s, which has no such unit",
                         dimension_name(line->arena, value.dimension));
    if (unit)
        value = value_real(value_number(&value) / one.value, DIMENSION_NONE);
    value_write(line->arena, line->out, query.format, &value, unit);
    return STATUS_FINE;
}

const Command command_eval = {
    .name = "eval",
    .operands = "EXPRESSION",
    .summary = "any formula, with units",
    .description =
        "Computes a formula such as '(p - 1) * (ts + 1MiB * tw)'. Its names are the machine's "
        "ts, th, tw, tc, d (ports) and root; p with -p or -t, m with -m, k with --set k=, "
        "target with --to. It can ask about algorithms: time(allreduce/ring, 1MiB), bound, "
        "ratio, best, rounds, chunks, and switch(reduce, binomial, pipelined-chain). '3 us in "
        "ns' converts.",
    .examples = "collcost eval '(p - 1) * (ts + 1MiB * tw)' -p 8\n"
                "collcost eval 'time(allreduce/ring, 1MiB) / bound(allreduce, 1MiB)' -t ring:8",
    .options = OPTIONS_OF_FORMULAS,
    .run = run_eval,
};
