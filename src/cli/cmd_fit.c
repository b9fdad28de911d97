#include "cli/logs.h"
#include "cli/workers.h"

/* What a fit to all other groups predicts for the rows of this one. */
static void carry_held(Carrier carrier, Fit *fit, size_t group)
{
    for (size_t i = 0; i < fit->fitted; i++)
        if (fit->groups[group].rows[i])
            carry_double(carrier, &fit->rows[fit_row(fit, i)].held_out);
}

static bool hold_out(void *context, size_t group, Buffer *bytes)
{
    Fit *fit = context;
    if (!fit_hold_out(fit, group))
        return false;
    carry_held((Carrier){.to = bytes}, fit, group);
    return true;
}

static bool take_held(void *context, size_t group, Packed *answer)
{
    carry_held((Carrier){.from = answer}, context, group);
    return true;
}

static Status run_fit(const CommandLine *line)
{
    Query query;
    Naming naming = {0};
    MeasurementArray rows = {0};
    FitQuestion question = {0};
    Fit fit;
    int64_t pieces = 0;
    if (!query_read(line, &query) || !logs_read_naming(&query, &naming))
        return STATUS_BAD_INPUT;
    const TextArray *free = &line->values[OPTION_FREE];
    question.begins_anywhere =
        !option_given(line, OPTION_MACHINE) && !option_given(line, OPTION_SET);
    for (size_t i = 0; i < free->count; i++) {
        Text rest = free->items[i], name;
        while (rest.length && text_next(&rest, ',', &name))
            *ARRAY_PUSH(line->arena, &question.free) = text_trim(name);
    }
    if (!fitted_file_check(line) || (option_given(line, OPTION_PIECES) &&
                                     !text_equals(option_value(line, OPTION_PIECES), "auto") &&
                                     !quantity_parse_integer(option_value(line, OPTION_PIECES), 1,
                                                             MOST_PIECES, &pieces, line->diag)))
        return STATUS_BAD_INPUT;
    question.pieces = (int)pieces;
    if (option_given(line, OPTION_HOLDOUT)) {
        const Text word = option_value(line, OPTION_HOLDOUT);
        const size_t found = text_among(word, holdout_names + 1, HOLDOUT_COUNT - 1);
        question.holdout = (Holdout)((found + 1) % HOLDOUT_COUNT);
        if (question.holdout == HOLDOUT_NONE) {
            diag_error(line->diag, word.span, "expected algorithm, size or log");
            diag_suggest(line->diag, word, holdout_names + 1, HOLDOUT_COUNT - 1);
            return STATUS_BAD_INPUT;
        }
    }
    if (!logs_read(&query, &naming, &rows))
        return STATUS_BAD_INPUT;
    Predictor predictor = logs_predictor(&query, &naming);
    question.predictor = &predictor;
    question.rows = &rows;
    if (!fit_find(&question, &fit))
        return STATUS_BAD_INPUT;
    /* Each group is predicted by a fit to all others. */
    const char **names = ARENA_ARRAY(line->arena, const char *, fit.group_count + 1);
    for (size_t i = 0; i < fit.group_count; i++)
        names[i] = fit.groups[i].first->algorithm;
    const WorkItems items = {.count = fit.group_count,
                             .names = names,
                             .work = hold_out,
                             .take = take_held,
                             .context = &fit};
    const Status status = workers_run(line, &items);
    fit_close(&fit);
    if (status != STATUS_FINE)
        return status;
    fitted_write(&query, &question, &fit);
    return fitted_file_write(&query, &fit);
}

const Command command_fit = {
    .name = "fit",
    .operands = "LOG...",
    .summary = "a machine fitted to measurements of benchmarks",
    .description =
        "Reads logs of benchmarks and fits the parameters of a machine to them, so that the "
        "derived times of the algorithms are as close as possible to what was measured: robust "
        "least squares of relative errors. Each parameter comes with its 95 % interval; what "
        "the logs cannot tell apart is fixed, with the reason. Breaks between protocols are "
        "found in messages between two ranks. With --holdout each algorithm, size or log is "
        "predicted by a fit to the others.",
    .examples = "collcost fit fitted.log --algorithm open-mpi:3\n"
                "collcost fit fitted.log --algorithm open-mpi:3 --save nodes.yaml",
    .options = OPTIONS_OF_PREDICTIONS | OPTIONS(FREE, PIECES, HOLDOUT, SAVE, JOBS),
    .run = run_fit,
};
