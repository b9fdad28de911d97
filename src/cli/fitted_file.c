#include "cli/fitted_file.h"

#include "base/buffer.h"
#include "base/sha256.h"
#include "base/sort.h"
#include "cli/files.h"
#include "cli/logs.h"

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
    for (size_t i = 0; i < name.length; i++)
        if (!isalnum((unsigned char)name.chars[i]) && !strchr("-_.", name.chars[i]))
            return text_slice(path, 0, 0);
    return name;
}

bool fitted_file_check(const CommandLine *line)
{
    if (!option_given(line, OPTION_SAVE) || find_name(option_value(line, OPTION_SAVE)).length)
        return true;
    diag_error(line->diag, option_value(line, OPTION_SAVE).span,
               "expected NAME.yaml, NAME being that of a machine: letters, digits, '-', '_', '.'");
    return false;
}

/* As people read it where that is exact, else with all digits. */
static const char *show_value(Arena *arena, Parameter parameter, double value)
{
    const ParameterInfo *info = &parameter_info[parameter];
    bool inverse = info->inverse && value > 0;
    double natural = inverse ? number_inverse(value) : value, read = 0;
    char number[LONGEST_NUMBER];
    const char *shown =
        inverse ? quantity_show_bandwidth(arena, natural) : quantity_show_time(arena, natural);
    Diag silent = diag_silent();
    Text text = {.chars = shown, .length = strlen(shown), .span = NOWHERE};
    if (quantity_parse(text, info->key_dimension, &read, &silent) &&
        fabs(read - natural) <= 1e-14 * natural)
        return shown;
    return arena_printf(arena, "%s %s", number_exactly(natural, number), inverse ? "B/s" : "s");
}

/* "startup: 1 us", with `joint` between; of those that `values` has, and whose bit is not
   `omitted`. Without a rate of combining it is free. */
static void write_values(Buffer *out, const double *values, int omitted, const char *joint)
{
    const char *between = "";
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        if (values[i] < 0 || (values[i] == 0 && parameter_info[i].inverse) || omitted >> i & 1)
            continue;
        buffer_printf(out, "%s%s: %s", between, parameter_info[i].key,
                      show_value(out->arena, (Parameter)i, values[i]));
        between = joint;
    }
}

/* Bits of what the machine has from its first protocol, and of hops that are free. */
static int find_omitted(const Machine *machine)
{
    int omitted = machine->parameters[PARAMETER_TH] == 0 ? 1 << PARAMETER_TH : 0;
    for (int i = 0; i < PARAMETER_COUNT && machine->protocol_count; i++) {
        bool all = true;
        for (int k = 0; k < machine->protocol_count; k++)
            all &= machine->protocols[k].parameters[i] >= 0;
        omitted |= all ? 1 << i : 0;
    }
    return omitted;
}

static void write_machine(Buffer *out, const Machine *machine)
{
    size_t before = out->count;
    write_values(out, machine->parameters, find_omitted(machine), "\n");
    if (out->count > before)
        buffer_printf(out, "\n");
    if (machine->knows_multiply)
        buffer_printf(out, "multiply: %s\n",
                      show_value(out->arena, PARAMETER_TS, machine->multiply));
    if (machine->posting == POSTING_TOGETHER)
        buffer_printf(out, "posting: %s\n", posting_names[POSTING_TOGETHER]);
    for (int i = 0; i < DELAY_COUNT; i++)
        if (machine->delays[i].is_given)
            buffer_printf(out, "%s: %s\n", delay_names[i],
                          show_value(out->arena, PARAMETER_TS, machine->delays[i].seconds));
    if (machine->all_ports)
        buffer_printf(out, "ports: all\n");
    else if (machine->ports != 1)
        buffer_printf(out, "ports: %lld\n", (long long)machine->ports);
    if (machine->switching != SWITCHING_CUT_THROUGH)
        buffer_printf(out, "switching: %s\n", switching_names[machine->switching]);
    if (machine->duplex != DUPLEX_FULL)
        buffer_printf(out, "duplex: %s\n", duplex_names[machine->duplex]);
    if (machine->level_count)
        buffer_printf(out, "levels:\n");
    for (int i = 0; i < machine->level_count; i++) {
        const Level *level = &machine->levels[i];
        buffer_printf(out, "  %.*s: {", (int)level->name.length, level->name.chars);
        write_values(out, level->parameters, 0, ", ");
        if (level->ports)
            buffer_printf(out, ", ports: %lld", (long long)level->ports);
        buffer_printf(out, "}\n");
    }
    if (machine->protocol_count)
        buffer_printf(out, "protocols:\n");
    for (int i = 0; i < machine->protocol_count; i++) {
        const Protocol *protocol = &machine->protocols[i];
        char number[LONGEST_NUMBER];
        buffer_printf(out, "  - {name: %.*s, ", (int)protocol->name.length, protocol->name.chars);
        if (isfinite(protocol->up_to))
            buffer_printf(out, "up-to: %s B, ", number_exactly(protocol->up_to, number));
        write_values(out, protocol->parameters, 0, ", ");
        buffer_printf(out, "}\n");
    }
}

/* In single quotes, which double a quote within. */
static void write_quoted(Buffer *out, const char *text)
{
    buffer_printf(out, "'");
    for (; *text; text++)
        buffer_printf(out, *text == '\'' ? "''" : "%c", *text);
    buffer_printf(out, "'");
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
        write_quoted(out, source->name);
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

static void write_fit(Buffer *out, const Fit *fit)
{
    const FittedValueArray *all = &fit->parameters;
    buffer_printf(out, "fitted:\n");
    write_logs(out, fit);
    buffer_printf(out, "  rows: %zu\n  median-error: %s\n", fit->fitted,
                  quantity_show_share(out->arena, median_error(out->arena, fit)));
    buffer_printf(out, "  intervals: # 95%%: the value divided and multiplied by the factor\n");
    for (size_t i = 0; i < all->count; i++)
        if (!isnan(all->items[i].factor))
            buffer_printf(out, "    %s: %.4g\n", all->items[i].varied.name, all->items[i].factor);
    if (fit->correlations.count)
        buffer_printf(out, "  correlations: # others are below 0.01\n");
    for (size_t i = 0; i < fit->correlations.count; i++) {
        const Correlation *pair = &fit->correlations.items[i];
        if (fabs(pair->value) < 0.01)
            continue;
        buffer_printf(out, "    - [%s, %s, %.4g]\n", all->items[pair->first].varied.name,
                      all->items[pair->second].varied.name, pair->value);
    }
}

bool fitted_file_write(const Query *query, const Fit *fit)
{
    if (!option_given(query->line, OPTION_SAVE))
        return true;
    Text path = option_value(query->line, OPTION_SAVE), name = find_name(path);
    Buffer out = {.arena = query->study.arena};
    buffer_printf(&out, "machine: %.*s\n", (int)name.length, name.chars);
    buffer_printf(&out, "summary: Fitted to measurements on %s\n", fit->network->name);
    buffer_printf(&out, "source: collcost fit\n");
    write_machine(&out, &fit->machine);
    write_fit(&out, fit);
    return file_write(query->line, path, out.items, out.count);
}
