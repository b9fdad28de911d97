#include "cli/files.h"
#include "cli/logs.h"
#include "cli/setting.h"
#include "exchange/tuned_rows.h"
#include "exchange/tuning.h"
#include "exchange/tuning_planned.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

/* What a rule has to gain: of measured times; and of the model's, whose times may be off by a
   factor of 1.6. */
static const double default_tolerance = 0.05, default_of_model = 0.6;

typedef struct {
    Query query;
    bool asked[TUNED_COUNT];
    PlanQuestion question;
    MeasurementArray measured;
    TuningPlan plan;
} Tune;

/* A collective by its name here, or by the library's. */
static bool ask(Tune *tune, Text name)
{
    Query *query = &tune->query;
    const Collective *collective;
    const Algorithm *only;
    const TuningFormat *format = tune->question.format;
    bool found = false;
    for (int id = 0; id < format->count; id++)
        if (*format->collectives[id].collective && text_equals(name, format->collectives[id].name))
            tune->asked[id] = found = true;
    if (found)
        return true;
    if (!subject_read(&query->study, name, &collective, &only) ||
        !query_is_collective(query, name, collective))
        return false;
    if (only)
        return diag_error(query->study.diag, name.span,
                          "give the collective alone: 'tune' chooses among its algorithms");
    for (int id = 0; id < format->count; id++)
        if (strcmp(format->collectives[id].collective, collective->head.name) == 0)
            tune->asked[id] = found = true;
    return found || diag_error(query->study.diag, name.span,
                               "there are no rules for %s in such files", collective->head.name);
}

static bool read_question(const CommandLine *line, Tune *tune)
{
    Query *query = &tune->query;
    if (!query_read(line, query))
        return false;
    const Study *study = &query->study;
    tune->question.format = study->implementation
                                ? tuning_format(study->implementation->head.name, study->version)
                                : NULL;
    if (!tune->question.format || !tune->question.format->write)
        return diag_error(study->diag,
                          study->implementation ? option_value(line, OPTION_FOR).span : NOWHERE,
                          "tuning files are written for Open MPI, MPICH, UCC and NCCL: give --for "
                          "open-mpi@4.1, --for mpich@4.0, --for ucc or --for nccl");
    tune->question.least_measured_gain = default_tolerance;
    tune->question.least_gain =
        tune->question.format->protocols ? default_tolerance : default_of_model;
    if (!option_share(line, OPTION_TOLERANCE, &tune->question.least_measured_gain))
        return false;
    if (option_given(line, OPTION_TOLERANCE))
        tune->question.least_gain = tune->question.least_measured_gain;
    for (size_t i = 0; i < line->operands.count; i++) {
        Text piece, rest = line->operands.items[i];
        while (text_next(&rest, ',', &piece))
            if (!ask(tune, piece))
                return false;
    }
    for (int id = 0; id < tune->question.format->count && line->operands.count == 0; id++)
        tune->asked[id] = *tune->question.format->collectives[id].collective;
    if (!query_settle_ranks(query))
        return false;
    tune->question.topology = query->topology;
    tune->question.count = query->ranks.count;
    const Shape *shapes = tune->question.shapes = query_shapes_by_ranks(query);
    for (size_t i = 1; i < query->ranks.count; i++)
        if (shapes[i].p == shapes[i - 1].p)
            return diag_error(study->diag, NOWHERE,
                              "rules are by number of ranks: there are two networks of %lld ranks",
                              (long long)shapes[i].p);
    if (!option_given(line, OPTION_MEASURED))
        return true;
    tune->question.measured.rows = &tune->measured;
    return logs_read_measured(query, &tune->measured) &&
           logs_read_naming(query, &tune->question.measured.naming);
}

static void write_rules(const Tune *tune)
{
    const Query *query = &tune->query;
    setting_begin(query);
    Table *table = query_table(query, TABLE_tune);
    if (tune->question.measured.rows)
        table_include(table, KEY_found_by);
    if (tune->question.format->protocols)
        table_include(table, KEY_tuned_protocol);
    setting_put(table, query, false, setting_rules(query));
    /* in files of others 0 is an algorithm, or nothing */
    const bool is_zero_own = strcmp(tune->question.format->library, "open-mpi") == 0;
    for (size_t i = 0; i < tune->plan.rules.count; i++) {
        const PlannedRule *planned = &tune->plan.rules.items[i];
        const TuningRule *rule = &planned->rule;
        put_text(table, KEY_tuned_collective,
                 tune->question.format->collectives[rule->collective].name);
        put_number(table, KEY_from_p, (double)rule->from_ranks);
        if (rule->below_ranks != INT64_MAX)
            put_number(table, KEY_to_p, (double)rule->below_ranks - 1);
        put_number(table, KEY_compared_from, (double)rule->from_size);
        if (rule->algorithm >= 0 && (planned->algorithm || is_zero_own))
            put_number(table, KEY_rule_number, (double)rule->algorithm);
        put_text(table, KEY_library_runs,
                 planned->algorithm ? planned->algorithm->name : "the library's own choice");
        if (tune->question.format->protocols)
            put_text(table, KEY_tuned_protocol, tune->question.format->protocols[rule->protocol]);
        put_number(table, KEY_total_at_from_s, planned->seconds);
        put_number(table, KEY_own_s, planned->own_seconds);
        if (!planned->algorithm || planned->gain > 0 || !isnan(planned->own_seconds))
            put_number(table, KEY_gain, planned->gain);
        if (tune->question.measured.rows && (planned->is_measured || planned->is_modelled))
            put_text(table, KEY_found_by,
                     !planned->is_measured   ? "model"
                     : !planned->is_modelled ? "measured"
                                             : "measured, model");
        table_row(table);
    }
    table_close(table);
}

/* What the file was made from, and how the library is told of it. */
static void write_tune_head(const Tune *tune, Buffer *text)
{
    const Query *query = &tune->query;
    const Study *study = &query->study;
    const char *ranks = "";
    for (size_t i = 0; i < tune->question.count; i++)
        ranks = arena_printf(study->arena, "%s%s%lld", ranks, i ? ", " : "",
                             (long long)tune->question.shapes[i].p);
    const TuningFormat *format = tune->question.format;
    buffer_printf(text, "# %s for %s@%s, by collcost %s: topology %s, ranks %s\n", format->what,
                  study->implementation->head.name, study->version, PACKAGE_VERSION,
                  query->topology->head.name, ranks);
    buffer_printf(text, "# %s\n# rules of costs: %s\n", setting_machine(query),
                  setting_rules(query));
    const TextArray *logs = &query->line->values[OPTION_MEASURED];
    for (size_t i = 0; i < logs->count; i++)
        buffer_printf(text, "# measured%s: %s\n",
                      tune->plan.is_measured ? "" : ", but of no use here", logs->items[i].chars);
    buffer_printf(text,
                  format->protocols ? "# An algorithm goes on where it loses at most %s"
                                    : "# An algorithm is named where it gains %s or more",
                  quantity_show_share(study->arena, tune->question.least_gain));
    if (tune->question.least_gain != tune->question.least_measured_gain && logs->count)
        buffer_printf(text, ", or %s where it was measured",
                      quantity_show_share(study->arena, tune->question.least_measured_gain));
    buffer_printf(text, "; %s.\n%s", format->otherwise, format->loading);
}

/* Comments, which begin with #: with lines that no library cuts, or as a list of texts at the
   beginning of an object. */
static void write_comments(Buffer *text, const TuningFormat *format, const Buffer *comments)
{
    enum { LONGEST_LINE = 200 };
    const char *comma = "", *sign = format->comment ? format->comment : "#";
    buffer_printf(text, "%s", format->is_json ? "{\n  \"comment\": [" : "");
    for (const char *line = comments->items; *line && format->is_json;) {
        const size_t length = strcspn(line, "\n");
        buffer_printf(text, "%s\n    \"", comma);
        for (size_t i = strspn(line, "# "); i < length; i++)
            buffer_printf(text, strchr("\"\\", line[i]) ? "\\%c" : "%c", line[i]);
        buffer_printf(text, "\"");
        comma = ",";
        line += length + (line[length] == '\n');
    }
    buffer_printf(text, "%s", format->is_json ? "\n  ],\n" : "");
    for (size_t from = 0; from < comments->count && !format->is_json;) {
        const char *start = comments->items + from;
        const size_t count = strcspn(start, "\n");
        const bool begins = from == 0 || start[-1] == '\n';
        size_t cut = count;
        if (count > LONGEST_LINE)
            for (cut = LONGEST_LINE; cut > LONGEST_LINE / 2 && start[cut] != ' '; cut--)
                ;
        buffer_printf(text, "%s%.*s\n", sign, (int)(cut - begins), start + begins);
        from += cut + (cut == count);
    }
}

/* "of 8 measured choices of the library the file changes 3; 3 of these took 31% longer than ..." */
static void write_change(const Tune *tune, const Buffer *text)
{
    const Study *study = &tune->query.study;
    const PlanQuestion *question = &tune->question;
    if (!question->measured.rows || question->format->protocols)
        return;
    const TuningFile file =
        tuning_read(question->format, study->arena,
                    source_from_text(study->arena, "what was written", text->items, text->count),
                    study->implementation, study->version);
    const TunedRows tuned = {.format = question->format,
                             .library = study->implementation,
                             .version = study->version,
                             .file = &file,
                             .models = study->library,
                             .naming = &question->measured.naming,
                             .element = study->element};
    const bool *is_tuned = tuned_rows_find(study->arena, &tuned, &tune->measured, study->diag);
    const TunedChange change = tuned_rows_change(study->arena, &tune->measured, is_tuned);
    FILE *out = tune->query.line->out;
    fprintf(out, "\nof %zu measured choice%s of the library the file changes %zu", change.points,
            PLURAL_END(change.points), change.changed);
    if (change.known)
        fprintf(out, "; %zu of these took %s longer than what runs then, as a mean", change.known,
                quantity_show_share(study->arena, change.gain));
    if (change.changed > change.known)
        fprintf(out, "; beside %zu what runs then was not measured", change.changed - change.known);
    fputc('\n', out);
}

static Status run_tune(const CommandLine *line)
{
    Tune tune = {0};
    Buffer text = {.arena = line->arena};
    const bool saves = option_given(line, OPTION_SAVE);
    if (!read_question(line, &tune))
        return STATUS_BAD_INPUT;
    for (int id = 0; id < tune.question.format->count; id++)
        if (tune.asked[id] && !tuning_plan(&tune.query.study, &tune.question, id, &tune.plan))
            return STATUS_BAD_INPUT;
    const TuningFormat *format = tune.question.format;
    TuningRules rules = {0};
    for (size_t i = 0; i < tune.plan.rules.count; i++)
        *ARRAY_PUSH(line->arena, &rules) = tune.plan.rules.items[i].rule;
    if (rules.count == 0)
        diag_warning(line->diag, NOWHERE,
                     "no rule gains enough: the file leaves all choices to the library");
    Buffer head = {.arena = line->arena};
    write_tune_head(&tune, &head);
    write_comments(&text, format, &head);
    format->write(&text, &rules, tune.query.study.version);
    if (saves &&
        file_write(line, option_value(line, OPTION_SAVE), text.items, text.count) != STATUS_FINE)
        return STATUS_SYSTEM;
    if (saves || tune.query.format != FORMAT_TEXT)
        write_rules(&tune);
    else
        fwrite(text.items, 1, text.count, line->out);
    const bool has_table = saves && tune.query.format == FORMAT_TEXT;
    Table *table = NULL;
    if (has_table && tune.plan.notes.count) {
        fputs("\nwithout a rule\n", line->out);
        table = query_table(&tune.query, TABLE_tune_left_out);
    }
    for (size_t i = 0; i < tune.plan.notes.count; i++) {
        const PlanNote *note = &tune.plan.notes.items[i];
        if (has_table) {
            put_text(table, KEY_tuned_collective, note->collective);
            put_text(table, KEY_library_name, note->algorithm ? note->algorithm : "all");
            if (note->p)
                put_number(table, KEY_p, (double)note->p);
            put_text(table, KEY_left_out_reason, note->reason);
            table_row(table);
        } else if (note->is_of_log)
            diag_warning(line->diag, NOWHERE, "rows of %s%s%s on %lld ranks: %s", note->collective,
                         note->algorithm ? ", " : "", note->algorithm ? note->algorithm : "",
                         (long long)note->p, note->reason);
    }
    if (table)
        table_close(table);
    if (has_table)
        write_change(&tune, &text);
    return STATUS_FINE;
}

const Command command_tune = {
    .name = "tune",
    .operands = "[COLLECTIVE...]",
    .summary = "write a tuning file for Open MPI, MPICH, UCC or NCCL",
    .description =
        "Writes a tuning file: rules for Open MPI (--for open-mpi@4.1, for "
        "coll_tuned_dynamic_rules_filename), MPICH (--for mpich@4.0, for "
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE), UCC (--for ucc, for UCC_TL_UCP_TUNE) or "
        "NCCL's example tuner (--for nccl, for NCCL_TUNER_CONFIG_FILE). A rule names the "
        "fastest algorithm that the library has, by number of ranks and size, where it gains at "
        "least --tolerance over the library's own choice (default: 60% by the model, 5% where it "
        "was measured). With --measured, times come from logs. Without --save the file is the "
        "answer; with it, a table says what each "
        "rule gains, and which cases have no rule. 'check' reads such files.",
    .examples = "collcost tune allreduce --for open-mpi@4.1 -t star:16\n"
                "collcost tune allreduce --for nccl -t cluster:2x8 --machine h100-ndr",
    .options = (OPTIONS_OF_COSTS & ~OPTION_BIT(SIZE)) |
               OPTIONS(FOR, TOLERANCE, ELEMENT, SAVE, MEASURED, MAP, SYSTEM, UNIT),
    .run = run_tune,
};
