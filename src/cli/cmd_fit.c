#include "cli/logs.h"
#include "cli/workers.h"

static void read_list(const Query *query, OptionId option, TextArray *names)
{
    const TextArray *values = &query->line->values[option];
    for (size_t i = 0; i < values->count; i++) {
        Text rest = values->items[i], name;
        while (rest.length && text_next(&rest, ',', &name))
            *ARRAY_PUSH(query->study.arena, names) = text_trim(name);
    }
}

static bool read_pieces(const CommandLine *line, int *pieces)
{
    int64_t number = 0;
    const bool is_read = !option_given(line, OPTION_PIECES) ||
                         text_equals(option_value(line, OPTION_PIECES), "auto") ||
                         quantity_parse_integer(option_value(line, OPTION_PIECES), 1, MOST_PIECES,
                                                &number, line->diag);
    *pieces = (int)number;
    return is_read;
}

static bool read_holdout(const CommandLine *line, Holdout *holdout)
{
    if (!option_given(line, OPTION_HOLDOUT))
        return true;
    Text word = option_value(line, OPTION_HOLDOUT);
    *holdout =
        (Holdout)((text_among(word, holdout_names + 1, HOLDOUT_COUNT - 1) + 1) % HOLDOUT_COUNT);
    if (*holdout != HOLDOUT_NONE)
        return true;
    diag_error(line->diag, word.span, "expected algorithm, size or log");
    return diag_suggest(line->diag, word, holdout_names + 1, HOLDOUT_COUNT - 1);
}

static bool read_question(const Query *query, FitQuestion *question)
{
    question->begins_anywhere =
        !option_given(query->line, OPTION_MACHINE) && !option_given(query->line, OPTION_SET);
    read_list(query, OPTION_FREE, &question->free);
    return fitted_file_check(query->line) && read_pieces(query->line, &question->pieces) &&
           read_holdout(query->line, &question->holdout);
}

static bool hold_out(void *context, size_t group, Buffer *bytes)
{
    Fit *fit = context;
    if (!fit_hold_out(fit, group))
        return false;
    for (size_t i = 0; i < fit->fitted; i++)
        if (fit->groups[group].rows[i])
            carry_double((Carrier){.to = bytes}, &fit->rows[fit_row(fit, i)].held_out);
    return true;
}

static bool take_held(void *context, size_t group, Packed *answer)
{
    Fit *fit = context;
    for (size_t i = 0; i < fit->fitted; i++)
        if (fit->groups[group].rows[i])
            carry_double((Carrier){.from = answer}, &fit->rows[fit_row(fit, i)].held_out);
    return true;
}

/* Each group is predicted by a fit to all others. */
static Status hold_out_all(const CommandLine *line, Fit *fit)
{
    const char **names = ARENA_ARRAY(line->arena, const char *, fit->group_count + 1);
    for (size_t i = 0; i < fit->group_count; i++)
        names[i] = fit->groups[i].first->algorithm;
    const WorkItems items = {.count = fit->group_count,
                             .names = names,
                             .work = hold_out,
                             .take = take_held,
                             .context = fit};
    return workers_run(line, &items);
}

static Status run_fit(const CommandLine *line)
{
    Query query;
    Naming naming = {0};
    MeasurementArray rows = {0};
    FitQuestion question = {0};
    Fit fit;
    if (!query_read(line, &query) || !logs_read_naming(&query, &naming) ||
        !read_question(&query, &question) || !logs_read(&query, &naming, &rows))
        return STATUS_BAD_INPUT;
    Predictor predictor = logs_predictor(&query, &naming);
    question.predictor = &predictor;
    question.rows = &rows;
    if (!fit_find(&question, &fit))
        return STATUS_BAD_INPUT;
    const Status status = hold_out_all(line, &fit);
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
