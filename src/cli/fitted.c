#include "cli/logs.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "cli/files.h"
#include "cli/setting.h"
#include "exchange/decisions.h"
#include "model/machine.h"
#include "model/parameters.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

/* Classes of sizes, by what a row moves: rising, and then all. */
enum { ALL_SIZES = 3, SIZE_CLASSES };
static const struct {
    const char *name;
    double up_to;
} size_classes[SIZE_CLASSES] = {
    {"up to 2 KiB", 2048}, {"up to 256 KiB", 262144}, {"beyond", INFINITY}, {"all", INFINITY}};

/* Correlations beyond this are told. */
static const double strong_correlation = 0.8;

typedef struct {
    double *own, *held_out;
    size_t count, held_count;
} Errors;

/* Of rows from .. to - 1 in one class, in rising order. */
static Errors errors_of(Arena *arena, const Fit *fit, size_t from, size_t to, int class)
{
    Errors errors = {.own = ARENA_ARRAY(arena, double, to - from + 1),
                     .held_out = ARENA_ARRAY(arena, double, to - from + 1)};
    for (size_t i = from; i < to; i++) {
        const FittedRow *row = &fit->rows[i];
        const double bytes = row->row->logged_bytes;
        const bool is_in =
            class == ALL_SIZES || (bytes <= size_classes[class].up_to &&
                                   (class == 0 || bytes > size_classes[class - 1].up_to));
        if (row->reason || !is_in)
            continue;
        errors.own[errors.count++] = fit_error(row->predicted, row->row->seconds);
        if (!isnan(row->held_out))
            errors.held_out[errors.held_count++] = fit_error(row->held_out, row->row->seconds);
    }
    sort_doubles(errors.own, errors.count);
    sort_doubles(errors.held_out, errors.held_count);
    return errors;
}

static void put_errors(Table *table, const Errors *errors)
{
    logs_put_errors(table, errors->own, errors->count);
    if (errors->held_count)
        put_number(table, KEY_held_out_median,
                   logs_quantile(errors->held_out, errors->held_count, 0.5));
}

static double share_beyond_double(const Errors *errors)
{
    size_t beyond = 0;
    for (size_t i = 0; i < errors->count; i++)
        beyond += errors->own[i] > 1;
    return (double)beyond / (double)errors->count;
}

/* What choosing by the fit loses; by fits without the rows that are chosen among, if `held_out`. */
static MeanLoss find_loss(Arena *arena, const FitQuestion *question, const Fit *fit, bool held_out)
{
    double *seconds = ARENA_ARRAY(arena, double, fit->row_count + 1);
    double *without = ARENA_ARRAY(arena, double, fit->row_count + 1);
    for (size_t i = 0; i < fit->row_count; i++) {
        const FittedRow *row = &fit->rows[i];
        seconds[i] = row->reason || (held_out && isnan(row->held_out)) ? NAN : row->predicted;
        without[i] = row->reason ? NAN : row->held_out;
    }
    const DecisionBasis basis = {.predicted = seconds,
                                 .held_out = held_out ? without : NULL,
                                 .is_new = held_out && question->holdout == HOLDOUT_ALGORITHM};
    DecisionArray decisions = decisions_find(arena, question->rows, &basis);
    return decisions_mean(&decisions);
}

/* Rows from .. to - 1, in one class; of which `first` is one, or NULL for all. */
static void write_errors_of(Table *table, Arena *arena, const Fit *fit, size_t from, size_t to,
                            int class, const Measurement *first)
{
    const Errors errors = errors_of(arena, fit, from, to, class);
    if (errors.count == 0)
        return;
    if (first)
        PUT(table, first, collective, algorithm, p);
    put_text(table, KEY_size_class, size_classes[class].name);
    put_errors(table, &errors);
    table_row(table);
}

static void write_errors(const Query *query, const Fit *fit)
{
    Arena *arena = query->study.arena;
    Table *table = query_table(query, TABLE_fit_errors);
    for (size_t from = 0, to; from < fit->row_count; from = to) {
        for (to = from; to < fit->row_count; to++)
            if (!measurement_is_same_subject(fit->rows[from].row, fit->rows[to].row))
                break;
        for (int class = query->format == FORMAT_TEXT ? ALL_SIZES : 0; class < SIZE_CLASSES;
             class ++)
            write_errors_of(table, arena, fit, from, to, class, fit->rows[from].row);
    }
    for (int class = 0; class < SIZE_CLASSES; class ++)
        write_errors_of(table, arena, fit, 0, fit->row_count, class, NULL);
    table_close(table);
}

static bool is_inverse(const FittedValue *fitted)
{
    return varied_info(&fitted->varied)->inverse && fitted->value > 0;
}

static void put_end(Table *table, Arena *arena, const FittedValue *fitted, Key key, double value)
{
    put_number(table, key, is_inverse(fitted) ? number_inverse(value) : value);
    put_shown(table, key, "%s", parameter_show(arena, varied_info(&fitted->varied), value));
}

static void write_parameters(const Query *query, const Fit *fit)
{
    Arena *arena = query->study.arena;
    Table *table = query_table(query, TABLE_fit_parameters);
    for (size_t i = 0; i < fit->parameters.count; i++) {
        const FittedValue *fitted = &fit->parameters.items[i];
        const ParameterInfo *info = varied_info(&fitted->varied);
        bool inverse = is_inverse(fitted);
        put_text(table, KEY_fitted_parameter,
                 inverse || !info->inverse ? fitted->varied.name : fitted->varied.time);
        put_end(table, arena, fitted, KEY_fitted_value, fitted->value);
        put_text(table, KEY_unit,
                 dimension_unit(arena, inverse ? info->key_dimension : info->dimension));
        if (!isnan(fitted->factor)) {
            double less = fitted->value / fitted->factor, more = fitted->value * fitted->factor;
            put_end(table, arena, fitted, KEY_fitted_low, inverse ? more : less);
            put_end(table, arena, fitted, KEY_fitted_high, inverse ? less : more);
            put_number(table, KEY_fitted_factor, fitted->factor);
            put_shown(table, KEY_fitted_factor, "%.3g", fitted->factor);
        }
        put_text(table, KEY_fixed, fitted->reason);
        table_row(table);
    }
    table_close(table);
}

/* Larger messages delay the next one until they end; NAN: none do. */
static double find_waiting(const Machine *machine)
{
    for (int i = 1; i < machine->protocol_count; i++)
        if (machine->protocols[i].waits)
            return machine->protocols[i - 1].up_to;
    return NAN;
}

static void write_pieces(const Query *query, const Fit *fit)
{
    Table *table = query_table(query, TABLE_fit_pieces);
    for (int i = 0; i < fit->pieces.count; i++) {
        const MessagePiece *piece = &fit->pieces.items[i];
        put_number(table, KEY_piece_from, piece->from);
        put_number(table, KEY_piece_to, piece->up_to);
        put_number(table, KEY_piece_startup, piece->startup);
        put_number(table, KEY_piece_bandwidth, 1 / piece->seconds_per_byte);
        table_row(table);
    }
    table_close(table);
}

/* "choosing with this machine loses 12% on average (32 sizes), held out 15%, the library's choice
   86% (30 sizes)" */
static void write_loss(const Query *query, const FitQuestion *question, const Fit *fit)
{
    Arena *arena = query->study.arena;
    FILE *out = query->line->out;
    MeanLoss own = find_loss(arena, question, fit, false),
             held_out = find_loss(arena, question, fit, true);
    if (own.sizes == 0)
        return;
    fprintf(out, "choosing with this machine loses %s on average (%zu size%s)",
            quantity_show_share(arena, own.chosen), own.sizes, PLURAL_END(own.sizes));
    if (held_out.sizes)
        fprintf(out, ", held out %s", quantity_show_share(arena, held_out.chosen));
    if (own.known)
        fprintf(out, ", the library's choice %s (%zu size%s)",
                quantity_show_share(arena, own.library), own.known, PLURAL_END(own.known));
    fputc('\n', out);
}

static void write_left_out(const Query *query, const Fit *fit)
{
    for (size_t from = 0, to; from < fit->row_count; from = to) {
        const FittedRow *first = &fit->rows[from];
        for (to = from + 1; to < fit->row_count; to++)
            if (!first->reason || !fit->rows[to].reason ||
                strcmp(first->reason, fit->rows[to].reason) != 0 ||
                !measurement_is_same_subject(first->row, fit->rows[to].row))
                break;
        if (first->reason)
            line_say(query->line, "not fitted: %zu row%s of %s/%s, p = %lld: %s", to - from,
                     PLURAL_END(to - from), first->row->collective, first->row->algorithm,
                     (long long)first->row->p, first->reason);
    }
}

static void write_fitted_text(const Query *query, const FitQuestion *question, const Fit *fit)
{
    FILE *out = query->line->out;
    Arena *arena = query->study.arena;
    const Errors errors = errors_of(arena, fit, 0, fit->row_count, ALL_SIZES);
    fprintf(out, "fitted to %zu row%s on %s\n\n", fit->fitted, PLURAL_END(fit->fitted),
            fit->network->name);
    write_parameters(query, fit);
    if (!isnan(find_waiting(&fit->machine)))
        fprintf(out, "\nposted in order, messages beyond %s delay the next one until they end\n",
                quantity_show_bytes(arena, find_waiting(&fit->machine)));
    const char *before = "\nstrongly correlated:"; /* "startup and call (-0.91), ..." */
    for (size_t i = 0; i < fit->correlations.count; i++) {
        const Correlation *pair = &fit->correlations.items[i];
        if (fabs(pair->value) <= strong_correlation)
            continue;
        fprintf(out, "%s %s and %s (%.2f)", before, fit->parameters.items[pair->first].varied.name,
                fit->parameters.items[pair->second].varied.name, pair->value);
        before = ",";
    }
    fputs(*before == ',' ? "\n" : "", out);
    if (fit->pieces.count) {
        fprintf(out, "\nmessages between two ranks, %d piece%s, %s rms:\n\n", fit->pieces.count,
                PLURAL_END(fit->pieces.count), quantity_show_share(arena, fit->pieces.rms));
        write_pieces(query, fit);
    }
    fputc('\n', out);
    write_errors(query, fit);
    fprintf(out, "\nmedian error %s, 90th percentile %s, %s beyond twice or half\n",
            quantity_show_share(arena, logs_quantile(errors.own, errors.count, 0.5)),
            quantity_show_share(arena, logs_quantile(errors.own, errors.count, 0.9)),
            quantity_show_share(arena, share_beyond_double(&errors)));
    if (errors.held_count)
        fprintf(out, "held out by %s (%zu fits): median error %s, 90th percentile %s\n",
                holdout_names[question->holdout], fit->group_count,
                quantity_show_share(arena, logs_quantile(errors.held_out, errors.held_count, 0.5)),
                quantity_show_share(arena, logs_quantile(errors.held_out, errors.held_count, 0.9)));
    write_loss(query, question, fit);
    /* "not counted: 3 rows that are off by more than 20-fold, as pico.csv:12" */
    size_t wild = 0, first = 0;
    for (size_t i = fit->row_count; i-- > 0;)
        if (fit->rows[i].is_wild) {
            wild++;
            first = i;
        }
    if (wild)
        line_say(query->line, "not counted: %zu row%s off by more than 20-fold, as %s", wild,
                 wild == 1 ? " that is" : "s that are",
                 logs_place(arena, fit->rows[first].row->place));
    write_left_out(query, fit);
    setting_write_rules(query);
}

static void write_fitted_json(const Query *query, const FitQuestion *question, const Fit *fit)
{
    Arena *arena = query->study.arena;
    Table *record = query_table(query, TABLE_fit);
    const Errors errors = errors_of(arena, fit, 0, fit->row_count, ALL_SIZES);
    put_errors(record, &errors);
    put_number(record, KEY_left_out_rows, (double)(fit->row_count - fit->fitted));
    put_number(record, KEY_beyond_double, share_beyond_double(&errors));
    if (errors.held_count) {
        put_text(record, KEY_holdout, holdout_names[question->holdout]);
        put_number(record, KEY_held_out_groups, (double)fit->group_count);
        put_number(record, KEY_held_out_p90,
                   logs_quantile(errors.held_out, errors.held_count, 0.9));
    }
    MeanLoss own = find_loss(arena, question, fit, false),
             held_out = find_loss(arena, question, fit, true);
    put_number(record, KEY_decided_sizes, (double)own.sizes);
    put_number(record, KEY_mean_loss, own.chosen);
    put_number(record, KEY_held_out_loss, held_out.chosen);
    put_number(record, KEY_library_mean_loss, own.library);
    put_text(record, KEY_topology, fit->network->name);
    put_text(record, KEY_rules, setting_rules(query));
    put_number(record, KEY_waits_beyond, find_waiting(&fit->machine));
    if (fit->pieces.count)
        put_number(record, KEY_pieces_rms, fit->pieces.rms);
    table_nest(record, KEY_fit_parameters);
    write_parameters(query, fit);
    table_nest(record, KEY_correlations);
    Table *table = query_table(query, TABLE_fit_correlations);
    for (size_t i = 0; i < fit->correlations.count; i++) {
        const Correlation *pair = &fit->correlations.items[i];
        put_text(table, KEY_first_parameter, fit->parameters.items[pair->first].varied.name);
        put_text(table, KEY_second_parameter, fit->parameters.items[pair->second].varied.name);
        put_number(table, KEY_correlation, pair->value);
        table_row(table);
    }
    table_close(table);
    table_nest(record, KEY_pieces);
    write_pieces(query, fit);
    table_nest(record, KEY_errors);
    write_errors(query, fit);
    table_close(record);
}

void fitted_write(const Query *query, const FitQuestion *question, const Fit *fit)
{
    if (query->format == FORMAT_TEXT) {
        write_fitted_text(query, question, fit);
    } else if (query->format == FORMAT_JSON) {
        write_fitted_json(query, question, fit);
    } else {
        write_parameters(query, fit);
        fputc('\n', query->line->out);
        write_errors(query, fit);
    }
}

/* "nodes" of "out/nodes.yaml"; empty where that is no name of a model. */
static Text find_name(Text path)
{
    static const char ending[] = ".yaml";
    size_t end = path.length - strlen(ending), from = end;
    if (!text_ends(path, ending))
        return (Text){0};
    while (from > 0 && path.chars[from - 1] != '/')
        from--;
    const Text name = text_slice(path, from, end - from);
    return is_model_name(name) ? name : (Text){0};
}

bool fitted_file_check(const CommandLine *line)
{
    return !option_given(line, OPTION_SAVE) || find_name(option_value(line, OPTION_SAVE)).length ||
           diag_error(line->diag, option_value(line, OPTION_SAVE).span,
                      "expected NAME.yaml, NAME being that of a machine: letters, digits, '-', '_' "
                      "and '.', beginning with a letter or a digit");
}

/* By collective and size what fits without these rows were off: the key `held-out`. */
static void write_held_out(Buffer *out, const Fit *fit)
{
    static const double sizes[] = {2048, 262144, 0x1p53};
    const char *header =
        "  held-out: # median errors of rows up to that size, by fits without them\n";
    double *errors = ARENA_ARRAY(out->arena, double, fit->row_count + 1);
    for (size_t from = 0, to; from < fit->row_count; from = to) {
        const char *collective = fit->rows[from].row->collective;
        for (to = from;
             to < fit->row_count && strcmp(fit->rows[to].row->collective, collective) == 0;)
            to++;
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            size_t count = 0;
            for (size_t i = from; i < to; i++)
                if (!isnan(fit->rows[i].held_out) && fit->rows[i].row->bytes <= sizes[s] &&
                    (s == 0 || fit->rows[i].row->bytes > sizes[s - 1]))
                    errors[count++] = fit_error(fit->rows[i].held_out, fit->rows[i].row->seconds);
            if (count == 0)
                continue;
            sort_doubles(errors, count);
            buffer_printf(out, "%s    - [%s, %s, %.3g%%]\n", header, collective,
                          quantity_show_bytes(out->arena, sizes[s]),
                          100 * logs_quantile(errors, count, 0.5));
            header = "";
        }
    }
}

/* The header of a list comes before its first item. */
static void write_fit(Buffer *out, const Query *query, const Fit *fit)
{
    const FittedValueArray *all = &fit->parameters;
    const Errors errors = errors_of(out->arena, fit, 0, fit->row_count, ALL_SIZES);
    const char *header = "  intervals: # 95%: the value divided and multiplied by the factor\n";
    buffer_printf(out, "fitted:\n");
    buffer_printf(out, "  logs:\n");
    for (size_t i = 0; i < fit->row_count; i++) {
        const Source *source = fit->rows[i].row->place.source;
        bool is_new = true;
        for (size_t before = 0; before < i && is_new; before++)
            is_new = fit->rows[before].row->place.source != source;
        if (!is_new)
            continue;
        char hash[SHA256_DIGITS + 1];
        sha256(source->text, source->length, hash);
        buffer_printf(out, "    - name: ");
        machine_write_word(out, text_plain(utf8_clean_line(out->arena, source->name)));
        buffer_printf(out, "\n      sha256: %s\n", hash);
    }
    buffer_printf(out, "  rows: %zu\n  median-error: %.3g%%\n", fit->fitted,
                  100 * logs_quantile(errors.own, errors.count, 0.5));
    for (size_t i = 0; i < all->count; i++) {
        if (isnan(all->items[i].factor))
            continue;
        buffer_printf(out, "%s    %s: %.4g\n", header, all->items[i].varied.name,
                      all->items[i].factor);
        header = "";
    }
    write_held_out(out, fit);
    header = "  correlations: # others are below 0.01\n";
    for (size_t i = 0; i < fit->correlations.count; i++) {
        const Correlation *pair = &fit->correlations.items[i];
        if (fabs(pair->value) < 0.01)
            continue;
        buffer_printf(out, "%s    - [%s, %s, %.4g]\n", header, all->items[pair->first].varied.name,
                      all->items[pair->second].varied.name, pair->value);
        header = "";
    }
    const Rules *rules = &query->study.rules;
    const char *values[FITTED_RULES] = {rules->contention ? contention_names[rules->contention]
                                                          : NULL,
                                        rules->combining ? combining_names[rules->combining] : NULL,
                                        rules->asynchronous ? "yes" : NULL,
                                        rules->fixed_posting ? posting_names[rules->posting] : NULL,
                                        rules->ties ? ties_names[rules->ties] : NULL,
                                        rules->real_chunks ? "yes" : NULL,
                                        rules->ceil_chunks ? "yes" : NULL,
                                        rules->averages ? finish_words[true] : NULL};
    const char *joint = "  rules: {", *end = "";
    for (int i = 0; i < FITTED_RULES; i++)
        if (values[i]) {
            buffer_printf(out, "%s%s: %s", joint, fitted_rule_names[i], values[i]);
            joint = ", ", end = "}\n";
        }
    buffer_printf(out, "%s", end);
}

Status fitted_file_write(const Query *query, const Fit *fit)
{
    if (!option_given(query->line, OPTION_SAVE))
        return STATUS_FINE;
    Text path = option_value(query->line, OPTION_SAVE), name = find_name(path);
    Buffer out = {.arena = query->study.arena};
    /* Conventions that a machine has keys for, as they are in force; ports of levels too. */
    const Rules *rules = &query->study.rules;
    Machine machine = fit->machine;
    machine.switching = rules->switching;
    machine.duplex = rules->duplex;
    for (int i = 0; i < machine.level_count && rules->fixed_ports; i++)
        machine.levels[i].ports = 0;
    for (size_t i = 0; i < fit->parameters.count; i++)
        if (!isnan(fit->parameters.items[i].factor))
            varied_is_known(&fit->parameters.items[i].varied, &machine);
    buffer_printf(&out, "machine: ");
    machine_write_word(&out, name);
    buffer_printf(&out, "\nsummary: Fitted to measurements on %s", fit->network->name);
    buffer_printf(&out, "\nsource: collcost fit\n");
    /* A file cannot say that links of a topology cost a multiple of what the topology says. */
    for (size_t c = 0; c < fit->network->class_count; c++) {
        const LinkClass *links = &fit->network->classes[c];
        const Level *level = level_find(machine.levels, machine.level_count, links->level);
        for (int i = 0; level && i < PARAMETER_COUNT; i++) {
            bool is_own =
                (i == PARAMETER_TW && links->tw >= 0) || (i == PARAMETER_TH && links->th >= 0);
            double scale = level->link_scales[i];
            if (!is_own || scale == 0 || scale == 1)
                continue;
            diag_error(query->line->diag, path.span,
                       "the %s of links of level '%s' is stated by the topology: the file of a "
                       "machine cannot change it",
                       parameter_info[i].key, links->level);
            diag_note(query->line->diag, NOWHERE, "--free fits other parameters only");
            return STATUS_BAD_INPUT;
        }
    }
    if (!machine_write(&out, &machine, query->line->diag))
        return STATUS_BAD_INPUT;
    write_fit(&out, query, fit);
    return file_write(query->line, path, out.items, out.count);
}
