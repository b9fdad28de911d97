#include "cli/compared.h"
#include "cli/models.h"
#include "cli/setting.h"
#include "exchange/decisions.h"
#include "exchange/tuned_rows.h"
#include "exchange/tuning.h"

#include <math.h>
#include <string.h>

static void put_decision(Table *table, const Decision *decision)
{
    const Measurement *fastest = decision->fastest;
    PUT(table, fastest, collective, p);
    if (fastest->ranks_per_node)
        put_number(table, KEY_ranks_per_node, (double)fastest->ranks_per_node);
    if (*fastest->system)
        put_text(table, KEY_system, fastest->system);
    put_number(table, KEY_m_bytes, fastest->bytes);
    put_text(table, KEY_chosen, decision->chosen->algorithm);
    put_number(table, KEY_chosen_s, decision->chosen->seconds);
    put_number(table, KEY_chosen_loss, decision->chosen_loss);
    put_text(table, KEY_fastest_measured, fastest->algorithm);
    put_number(table, KEY_fastest_s, fastest->seconds);
    if (decision->library) {
        put_number(table, KEY_library_s, decision->library->seconds);
        put_number(table, KEY_library_loss, decision->library_loss);
    }
    if (decision->tuned) {
        put_text(table, KEY_tuned, decision->tuned->algorithm);
        put_number(table, KEY_tuned_s, decision->tuned->seconds);
        put_number(table, KEY_tuned_loss, decision->tuned_loss);
    }
    put_text(table, KEY_finish, finish_info[fastest->finish].name);
    table_row(table);
}

/* "mean loss: 12% by the model (32 sizes), 86% by the library (30 sizes)" */
static void write_mean(const Query *query, const DecisionArray *decisions)
{
    Arena *arena = query->study.arena;
    MeanLoss mean = decisions_mean(decisions);
    fprintf(query->line->out, "\nmean loss: %s by the model (%zu size%s)",
            quantity_show_share(arena, mean.chosen), mean.sizes, mean.sizes == 1 ? "" : "s");
    if (mean.known)
        fprintf(query->line->out, ", %s by the library (%zu size%s)",
                quantity_show_share(arena, mean.library), mean.known, mean.known == 1 ? "" : "s");
    fputc('\n', query->line->out);
    if (mean.tuned_sizes)
        fprintf(query->line->out,
                "with the tuning file: %s, where without it the library loses %s (%zu size%s)\n",
                quantity_show_share(arena, mean.tuned), quantity_show_share(arena, mean.untuned),
                mean.tuned_sizes, mean.tuned_sizes == 1 ? "" : "s");
}

/* --tuned LIBRARY[@VERSION]=FILE: which rows are of what runs with the file. False after a report.
 */
static bool find_tuned(const Query *query, const MeasurementArray *rows, const Naming *naming,
                       bool **is_tuned)
{
    const Study *study = &query->study;
    Diag *diag = study->diag;
    Text library, path, name, version = {0};
    *is_tuned = NULL;
    if (!option_given(query->line, OPTION_TUNED))
        return true;
    const Text given = option_value(query->line, OPTION_TUNED);
    if (!text_split(given, '=', &library, &path))
        return diag_error(diag, given.span,
                          "the library that reads the file: open-mpi@4.1=rules.conf");
    name = library;
    text_split(library, '@', &name, &version);
    TunedRows tuned = {.library = library_implementation(study->library, name, diag),
                       .models = study->library,
                       .naming = naming,
                       .element = study->element};
    tuned.version = tuned.library ? implementation_version(tuned.library, version, diag) : NULL;
    if (!tuned.version)
        return false;
    tuned.format = tuning_format(tuned.library->head.name, tuned.version);
    if (!tuned.format)
        return diag_error(diag, library.span, "tuning files of %s cannot be read",
                          tuned.library->head.name);
    const Source *source =
        models_read_source(query->line->context, study->arena, path, LIMIT_FILE_BYTES, diag);
    if (!source)
        return false;
    const TuningFile file =
        tuning_read(tuned.format, study->arena, source, tuned.library, tuned.version);
    tuned.file = &file;
    if (tuning_defects(&file))
        diag_warning(diag, path.span, "the file has defects: see 'check --for %.*s'",
                     TEXT_ARGS(library));
    *is_tuned = tuned_rows_find(study->arena, &tuned, rows, diag);
    return true;
}

bool compared_write_decisions(const Query *query, const MeasurementArray *rows,
                              const ComparedRows *compared, const Naming *naming)
{
    Arena *arena = query->study.arena;
    double *predicted = ARENA_ARRAY(arena, double, rows->count + 1);
    for (size_t i = 0; i < rows->count; i++)
        predicted[i] = compared->items[i].reason ? NAN : compared->items[i].prediction.cost.total;
    bool *is_tuned;
    if (!find_tuned(query, rows, naming, &is_tuned))
        return false;
    const DecisionBasis basis = {.predicted = predicted, .is_tuned = is_tuned};
    const DecisionArray decisions = decisions_find(arena, rows, &basis);
    if (decisions.count == 0) {
        diag_error(query->study.diag, rows->items[0].place,
                   "there is nothing to decide: no size of these logs has two algorithms of the "
                   "library");
        diag_note(query->study.diag, NOWHERE, "--map NAME=MODEL says which model an algorithm is");
        return false;
    }
    if (query->format == FORMAT_TEXT) {
        setting_write_machine(query);
        fputc('\n', query->line->out);
    }
    Table *table = line_table(query->line, query->format, TABLE_compare_decisions);
    bool has_system = query->format != FORMAT_TEXT, has_kinds = has_system;
    for (size_t i = 0; i < decisions.count; i++) {
        has_system |= *decisions.items[i].fastest->system != '\0';
        has_kinds |= decisions.items[i].fastest->finish != decisions.items[0].fastest->finish;
    }
    if (!has_system)
        table_hide(table, KEY_system);
    if (!has_kinds)
        table_hide(table, KEY_finish);
    if (!is_tuned && query->format == FORMAT_TEXT) {
        table_hide(table, KEY_tuned);
        table_hide(table, KEY_tuned_s);
        table_hide(table, KEY_tuned_loss);
    }
    setting_put(table, query, false, setting_rules(query));
    for (size_t i = 0; i < decisions.count; i++)
        put_decision(table, &decisions.items[i]);
    table_close(table);
    if (query->format == FORMAT_TEXT)
        write_mean(query, &decisions);
    return true;
}
