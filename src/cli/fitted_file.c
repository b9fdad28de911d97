#include "base/sha256.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "cli/files.h"
#include "cli/logs.h"
#include "model/machine.h"
#include "study/study.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char ending[] = ".yaml";

/* "nodes" of "out/nodes.yaml"; empty where that is no name of a model. */
static Text find_name(Text path)
{
    size_t from = path.length, end = path.length - (sizeof ending - 1);
    if (path.length < sizeof ending ||
        !text_equals(text_slice(path, end, path.length - end), ending))
        return text_slice(path, 0, 0);
    while (from > 0 && path.chars[from - 1] != '/')
        from--;
    if (from >= end)
        return text_slice(path, 0, 0);
    Text name = text_slice(path, from, end - from);
    return is_model_name(name) ? name : text_slice(path, 0, 0);
}

bool fitted_file_check(const CommandLine *line)
{
    return !option_given(line, OPTION_SAVE) || find_name(option_value(line, OPTION_SAVE)).length ||
           diag_error(line->diag, option_value(line, OPTION_SAVE).span,
                      "expected NAME.yaml, NAME being that of a machine: letters, digits, '-', '_' "
                      "and '.', beginning with a letter or a digit");
}

/* Conventions that a machine has keys for, as they are in force; ports of levels too. */
static Machine machine_in_force(const Query *query, const Fit *fit)
{
    const Rules *rules = &query->study.rules;
    Machine machine = fit->machine;
    machine.switching = rules->switching;
    machine.duplex = rules->duplex;
    for (int i = 0; i < machine.level_count && rules->fixed_ports; i++)
        machine.levels[i].ports = 0;
    for (size_t i = 0; i < fit->parameters.count; i++) {
        const FittedValue *fitted = &fit->parameters.items[i];
        if (!isnan(fitted->factor))
            varied_is_known(&fitted->varied, &machine);
    }
    return machine;
}

/* A file cannot say that links of a topology cost a multiple of what the topology says. */
static bool check_links(const Query *query, const Fit *fit)
{
    for (size_t c = 0; c < fit->network->class_count; c++) {
        const LinkClass *links = &fit->network->classes[c];
        const Level *level =
            level_find(fit->machine.levels, fit->machine.level_count, links->level);
        for (int i = 0; level && i < PARAMETER_COUNT; i++) {
            bool is_own =
                (i == PARAMETER_TW && links->tw >= 0) || (i == PARAMETER_TH && links->th >= 0);
            double scale = level->link_scales[i];
            if (!is_own || scale == 0 || scale == 1)
                continue;
            diag_error(query->line->diag, option_value(query->line, OPTION_SAVE).span,
                       "the %s of links of level '%s' is stated by the topology: the file of a "
                       "machine cannot change it",
                       parameter_info[i].key, links->level);
            return diag_note(query->line->diag, NOWHERE, "--free fits other parameters only");
        }
    }
    return true;
}

static void write_rules(Buffer *out, const Rules *rules)
{
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

static void write_logs(Buffer *out, const Fit *fit)
{
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
}

static double median_error(Arena *arena, const Fit *fit)
{
    double *errors = ARENA_ARRAY(arena, double, fit->row_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < fit->row_count; i++)
        if (!fit->rows[i].reason)
            errors[count++] = fit_error(fit->rows[i].predicted, fit->rows[i].row->seconds);
    sort_doubles(errors, count);
    return logs_quantile(errors, count, 0.5);
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
    const char *header = "  intervals: # 95%: the value divided and multiplied by the factor\n";
    buffer_printf(out, "fitted:\n");
    write_logs(out, fit);
    buffer_printf(out, "  rows: %zu\n  median-error: %.3g%%\n", fit->fitted,
                  100 * median_error(out->arena, fit));
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
    write_rules(out, &query->study.rules);
}

Status fitted_file_write(const Query *query, const Fit *fit)
{
    if (!option_given(query->line, OPTION_SAVE))
        return STATUS_FINE;
    Text path = option_value(query->line, OPTION_SAVE), name = find_name(path);
    Buffer out = {.arena = query->study.arena};
    Machine machine = machine_in_force(query, fit);
    buffer_printf(&out, "machine: ");
    machine_write_word(&out, name);
    buffer_printf(&out, "\nsummary: Fitted to measurements on %s", fit->network->name);
    buffer_printf(&out, "\nsource: collcost fit\n");
    if (!check_links(query, fit) || !machine_write(&out, &machine, query->line->diag))
        return STATUS_BAD_INPUT;
    write_fit(&out, query, fit);
    return file_write(query->line, path, out.items, out.count);
}
