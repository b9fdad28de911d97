#include "cli/logs.h"

#include "cli/models.h"
#include "exchange/measurement.h"

#include <string.h>

static const Source *read_file(const Query *query, Text path)
{
    return models_read_source(query->line->context, query->study.arena, path, LIMIT_LOG_BYTES,
                              query->study.diag);
}

/* The ranks of logs that do not say it are those of the only network that is given. False after a
   report. */
static bool find_facts(const Query *query, LogFacts *facts)
{
    *facts = (LogFacts){.p_place = NOWHERE};
    OptionId option = option_given(query->line, OPTION_RANKS) ? OPTION_RANKS : OPTION_TOPOLOGY;
    if (query->ranks.count == 1) {
        facts->p = query->ranks.items[0];
        if (option_given(query->line, option))
            facts->p_place = option_value(query->line, option).span;
    }
    if (option_given(query->line, OPTION_UNIT)) {
        const Text unit = option_value(query->line, OPTION_UNIT);
        const char *one = arena_printf(query->study.arena, "1%s", unit.chars);
        if (!quantity_is(text_plain(one), DIMENSION_TIME, &facts->unit_s))
            return diag_error(query->study.diag, unit.span, "expected a unit of time, such as us");
    }
    if (!option_given(query->line, OPTION_COLLECTIVE))
        return true;
    Text name = option_value(query->line, OPTION_COLLECTIVE);
    facts->operation = operation_find(name);
    return facts->operation || diag_error(query->study.diag, name.span,
                                          "'%s' is not a collective that logs contain", name.chars);
}

/* Those of --system. */
static void keep_system(const Query *query, MeasurementArray *rows)
{
    size_t kept = 0;
    Text name = option_value(query->line, OPTION_SYSTEM);
    for (size_t i = 0; i < rows->count; i++)
        if (strncmp(rows->items[i].system, name.chars, name.length) == 0)
            rows->items[kept++] = rows->items[i];
    rows->count = kept;
    if (kept == 0)
        diag_error(query->study.diag, name.span, "no row belongs to a system '%s'", name.chars);
}

bool logs_read(const Query *query, const Naming *naming, MeasurementArray *rows)
{
    const TextArray *operands = &query->line->operands;
    LogFacts facts;
    bool good = true;
    if (!find_facts(query, &facts))
        return false;
    for (size_t i = 0; i < operands->count; i++) {
        const Source *source = read_file(query, operands->items[i]);
        good &= source && log_read(query->study.arena, source, &facts, rows, query->study.diag);
    }
    if (good && option_given(query->line, OPTION_SYSTEM))
        keep_system(query, rows);
    for (size_t i = 0; good && i < naming->count; i++) {
        const Naming one = {.items = &naming->items[i], .count = 1};
        const Span name = one.items->name.span;
        bool is_used = strcmp(name.source->name, "--map") != 0; /* of a file */
        for (size_t r = 0; r < rows->count && !is_used; r++)
            is_used = naming_find(&one, &rows->items[r]);
        if (!is_used)
            diag_warning(query->study.diag, name, "no row has this algorithm");
    }
    return good && rows->count > 0 &&
           measurements_merge(query->study.arena, rows, query->study.diag);
}

bool logs_read_measured(const Query *query, MeasurementArray *rows)
{
    const TextArray *values = &query->line->values[OPTION_MEASURED];
    Arena *arena = query->study.arena;
    LogFacts facts;
    if (!find_facts(query, &facts))
        return false;
    for (size_t i = 0; i < values->count; i++) {
        const size_t first = rows->count;
        /* Names are words. */
        Text name, rest;
        const bool is_named = text_split(values->items[i], '=', &name, &rest) && name.length &&
                              !text_holds(name, "/") && !text_holds(name, ".");
        const Source *source = read_file(query, is_named ? rest : values->items[i]);
        if (!source || !log_read(arena, source, &facts, rows, query->study.diag))
            return false;
        for (size_t r = first; r < rows->count && is_named; r++)
            if (measurement_is_default(&rows->items[r]))
                rows->items[r].algorithm = text_string(arena, name);
    }
    if (option_given(query->line, OPTION_SYSTEM))
        keep_system(query, rows);
    for (size_t i = 1; i < rows->count; i++)
        if (strcmp(rows->items[i].system, rows->items[0].system) != 0)
            return diag_error(query->study.diag, rows->items[i].place,
                              "rows of two systems, '%s' and '%s': --system says which is meant",
                              rows->items[0].system, rows->items[i].system);
    return rows->count > 0 && measurements_merge(arena, rows, query->study.diag);
}

bool logs_read_one(const Query *query, Text path, int64_t p, MeasurementArray *rows)
{
    const LogFacts facts = {.p = p, .p_place = NOWHERE};
    const Source *source = read_file(query, path);
    return source && log_read(query->study.arena, source, &facts, rows, query->study.diag) &&
           measurements_merge(query->study.arena, rows, query->study.diag);
}

bool logs_read_naming(const Query *query, Naming *naming)
{
    Arena *arena = query->study.arena;
    Diag *diag = query->study.diag;
    const TextArray *values = &query->line->values[OPTION_MAP];
    const TextArray *chosen = &query->line->values[OPTION_ALGORITHM];
    bool good = true;
    for (size_t i = 0; i < chosen->count; i++) {
        /* --algorithm [COLLECTIVE/]NAME: what the library chose. */
        const Text name = chosen->items[i];
        const char *slash = memchr(name.chars, '/', name.length),
                   *colon = memchr(name.chars, ':', name.length);
        if (colon && slash > colon) /* stages, which name their collective themselves */
            slash = NULL;
        const int length = slash ? (int)(slash + 1 - name.chars) : 0;
        const char *text = arena_printf(arena, "%.*s" DEFAULT_ALGORITHM "*=%.*s", length,
                                        name.chars, (int)name.length - length, name.chars + length);
        good &= naming_add(arena, naming, (Text){text, strlen(text), name.span, false}, diag);
    }
    for (size_t i = 0; i < values->count; i++) {
        Text value = values->items[i];
        if (memchr(value.chars, '=', value.length)) {
            good &= naming_add(arena, naming, value, diag);
            continue;
        }
        const Source *source = read_file(query, value);
        good &= source && naming_read(arena, naming, source, diag);
    }
    /* A model that is named with its collective must be there. */
    for (size_t i = 0; i < naming->count && good; i++) {
        const NamedModel *named = &naming->items[i];
        const char *collective = named->operation ? named->operation->name : "";
        const Text model = named->model;
        if (naming_is_by_library(query->study.library, model)) {
            NamedByLibrary found;
            good = naming_by_library(arena, query->study.library, model, collective, &found, diag);
        } else if (memchr(model.chars, '/', model.length)) {
            good = subject_algorithm(&query->study, model);
        } else if (*collective) {
            const char *full = arena_printf(arena, "%s/%s", collective, model.chars);
            good = subject_algorithm(&query->study, (Text){full, strlen(full), model.span, false});
        }
    }
    return good;
}

Predictor logs_predictor(const Query *query, const Naming *naming)
{
    Predictor predictor = {.study = &query->study, .topology = query->topology, .naming = *naming};
    for (size_t i = 0; i < query->ranks.count; i++)
        *ARRAY_PUSH(query->study.arena, &predictor.shapes) = query_shape(query, i);
    return predictor;
}

const char *logs_place(Arena *arena, Span place)
{
    Position position = source_position(place.source, place.offset);
    return arena_printf(arena, "%s:%zu", place.source->name, position.line);
}

void logs_put_errors(Table *table, double *errors, size_t count)
{
    sort_doubles(errors, count);
    put_number(table, KEY_row_count, (double)count);
    put_number(table, KEY_median_error, logs_quantile(errors, count, 0.5));
    put_number(table, KEY_p90_error, logs_quantile(errors, count, 0.9));
    put_number(table, KEY_largest_error, errors[count - 1]);
}

double logs_quantile(const double *sorted, size_t count, double q)
{
    double at = q * (double)(count - 1);
    size_t below = (size_t)at;
    double share = at - (double)below;
    return below + 1 < count ? sorted[below] * (1 - share) + sorted[below + 1] * share
                             : sorted[below];
}
