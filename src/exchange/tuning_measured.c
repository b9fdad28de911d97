#include "exchange/tuning_planned.h"

#include <math.h>
#include <string.h>

/* Sizes farther apart say nothing of those between them. */
static const double widest_gap = 16;

typedef struct {
    const Study *study;
    const MeasuredRows *measured;
    const TunedCollective *tuned;
    int64_t p;
    MeasuredTimes *times;
} Reader;

static bool is_asked(const Reader *reader, const Measurement *row)
{
    return row->p == reader->p && strcmp(row->collective, reader->tuned->collective) == 0 &&
           row->finish != FINISH_STREAM;
}

static size_t find_named(const MeasuredTimes *times, Text name)
{
    size_t i = 0;
    while (i < times->options.count && !text_equals(name, times->options.items[i].name) &&
           !library_algorithm_has_number(times->options.items[i].algorithm, name))
        i++;
    return i;
}

/* Is that the name of its model, with or without the collective? */
static bool is_model(const LibraryAlgorithm *algorithm, Text name)
{
    Text model = algorithm->model, head, rest;
    if (model.length == 0)
        return false;
    if (!memchr(model.chars, ':', model.length) && text_split(model, '/', &head, &rest) &&
        text_same(name, rest))
        return true;
    return text_same(name, model);
}

/* The algorithm of this model; a model says nothing of protocols. */
static size_t find_model(const Reader *reader, Text name)
{
    const MeasuredTimes *times = reader->times;
    for (size_t i = 0; i < times->options.count; i++) {
        const bool is_whole =
            strcmp(times->options.items[i].name, times->options.items[i].algorithm->name) == 0;
        if (is_whole && is_model(times->options.items[i].algorithm, name))
            return i;
    }
    return times->options.count;
}

/* "ring_ll, ring_ll128, ring_simple" for ring, or for the model that they have in common. */
static const char *name_variants(const Reader *reader, Text name)
{
    const MeasuredTimes *times = reader->times;
    const char *list = "";
    const char *colon = memchr(name.chars, ':', name.length);
    if (colon)
        name = text_trim(text_behind(name, (size_t)(colon + 1 - name.chars)));
    for (size_t i = 0; i < times->options.count; i++) {
        const LibraryAlgorithm *algorithm = times->options.items[i].algorithm;
        if (strcmp(times->options.items[i].name, algorithm->name) != 0 &&
            (text_equals(name, algorithm->name) || is_model(algorithm, name)))
            list = arena_printf(reader->study->arena, "%s%s%s", list, *list ? ", " : "",
                                times->options.items[i].name);
    }
    return list;
}

/* The place of a row's algorithm; that behind all where the library chose. False, with the reason,
   where it is none of them. */
static bool find_algorithm(const Reader *reader, const Measurement *row, size_t *place,
                           const char **reason)
{
    const Study *study = reader->study;
    const NamedModel *named = naming_find(&reader->measured->naming, row);
    const Text name =
        named ? named->model : source_argument(study->arena, "algorithm", row->algorithm);
    Text library, id;
    *place = reader->times->options.count;
    if (!named && measurement_is_default(row))
        return true;
    if (naming_is_by_library(study->library, name)) {
        Text version;
        text_split(name, ':', &library, &id);
        text_split(library, '@', &library, &version);
        if (library_try(study->library, KIND_IMPLEMENTATION, text_trim(library)) !=
            study->implementation) {
            *reason = "measured with another library";
            return false;
        }
        *place = find_named(reader->times, text_trim(id));
    } else {
        *place = find_named(reader->times, name);
        if (*place == reader->times->options.count)
            *place = find_model(reader, name);
    }
    if (*place < reader->times->options.count)
        return true;
    const char *variants = name_variants(reader, name);
    *reason = *variants
                  ? arena_printf(study->arena,
                                 "measured, but %s@%s runs it as %s: --map %s=%.*s, for instance, "
                                 "says as which it was measured",
                                 study->implementation->head.name, study->version, variants,
                                 row->algorithm, (int)strcspn(variants, ","), variants)
                  : arena_printf(study->arena,
                                 "measured, but %s@%s runs no algorithm of this name there; "
                                 "--map NAME=MODEL says which it is",
                                 study->implementation->head.name, study->version);
    return false;
}

/* Rows are by rising size within an algorithm; two names of a log can be one algorithm. */
static void add_time(const Reader *reader, size_t place, const Measurement *row)
{
    MeasuredSeries *series = &reader->times->series[place];
    size_t at = series->count;
    while (at > 0 && series->items[at - 1].bytes > row->bytes)
        at--;
    if (at > 0 && series->items[at - 1].bytes == row->bytes) {
        series->items[at - 1].seconds = fmin(series->items[at - 1].seconds, row->seconds);
        return;
    }
    ARRAY_RESERVE(reader->study->arena, series, 1);
    if (at < series->count)
        memmove(series->items + at + 1, series->items + at,
                (series->count - at) * sizeof *series->items);
    series->items[at] = (MeasuredTime){row->bytes, row->seconds};
    series->count++;
}

/* Is the next time of a series, if there is one, near enough to say what is between? */
static bool is_near(const MeasuredSeries *series, size_t i)
{
    return i + 1 < series->count && series->items[i].bytes > 0 &&
           series->items[i + 1].bytes <= widest_gap * series->items[i].bytes;
}

/* Where the time of one size ends that has none near behind it. */
static double end_of(const MeasuredTime *time)
{
    return fmax(1, 2 * time->bytes);
}

static double time_at(const MeasuredSeries *series, double m)
{
    size_t i = 0;
    while (i + 1 < series->count && series->items[i + 1].bytes <= m)
        i++;
    if (series->count == 0 || series->items[i].bytes > m)
        return NAN;
    const MeasuredTime *low = &series->items[i];
    if (!is_near(series, i) || low->bytes == m)
        return m == low->bytes || m < end_of(low) ? low->seconds : NAN;
    const MeasuredTime *high = low + 1;
    const double share = log(m / low->bytes) / log(high->bytes / low->bytes);
    return low->seconds * pow(high->seconds / low->seconds, share);
}

void measured_at(const MeasuredTimes *times, double m, double *seconds)
{
    for (size_t i = 0; i <= times->options.count; i++)
        seconds[i] = time_at(&times->series[i], m);
}

/* Where lines cross between neighbouring sizes. */
static void add_crossings(Arena *arena, MeasuredTimes *times)
{
    const size_t sizes = times->sizes.count;
    double *low = ARENA_ARRAY(arena, double, times->options.count + 1);
    double *high = ARENA_ARRAY(arena, double, times->options.count + 1);
    for (size_t s = 0; s + 1 < sizes; s++) {
        const double a = times->sizes.items[s], b = times->sizes.items[s + 1];
        measured_at(times, a, low);
        measured_at(times, b, high);
        for (size_t i = 0; i <= times->options.count && a > 0; i++)
            for (size_t j = 0; j < i; j++) {
                const double from = log(low[i] / low[j]), to = log(high[i] / high[j]);
                if (from * to < 0) /* not where a time is missing */
                    *ARRAY_PUSH(arena, &times->sizes) = a * pow(b / a, from / (from - to));
            }
    }
}

static void find_sizes(Arena *arena, MeasuredTimes *times)
{
    for (size_t i = 0; i <= times->options.count; i++)
        for (size_t k = 0; k < times->series[i].count; k++)
            *ARRAY_PUSH(arena, &times->sizes) = times->series[i].items[k].bytes;
    if (times->sizes.count == 0)
        return;
    times->sizes.count = sort_doubles_once(times->sizes.items, times->sizes.count);
    add_crossings(arena, times);
    for (size_t i = 0; i <= times->options.count; i++)
        for (size_t k = 0; k < times->series[i].count; k++)
            if (!is_near(&times->series[i], k))
                *ARRAY_PUSH(arena, &times->sizes) = end_of(&times->series[i].items[k]);
    times->sizes.count = sort_doubles_once(times->sizes.items, times->sizes.count);
}

MeasuredTimes measured_times(const Study *study, const MeasuredRows *measured,
                             const TunedCollective *tuned, int64_t p, const PlanOptions *options,
                             PlanNotes *notes)
{
    const size_t count = options->count;
    MeasuredTimes times = {.options = *options,
                           .series = ARENA_ARRAY(study->arena, MeasuredSeries, count + 1)};
    const Reader reader = {study, measured, tuned, p, &times};
    const MeasurementArray *rows = measured->rows;
    if (!rows)
        return times;
    size_t counts[FINISH_COUNT] = {0};
    int usual = 0; /* until when most of the rows count */
    for (size_t i = 0; i < rows->count; i++)
        counts[rows->items[i].finish] += is_asked(&reader, &rows->items[i]);
    for (int i = 1; i < FINISH_COUNT; i++)
        usual = counts[i] > counts[usual] ? i : usual;
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        size_t place;
        const char *reason = "measured until another moment than other rows";
        if (!is_asked(&reader, row))
            continue;
        if ((int)row->finish == usual && find_algorithm(&reader, row, &place, &reason))
            add_time(&reader, place, row);
        else {
            const PlanNote *last = notes->count ? &notes->items[notes->count - 1] : NULL;
            if (!last || last->p != row->p || !last->algorithm ||
                strcmp(last->algorithm, row->algorithm) != 0)
                *ARRAY_PUSH(reader.study->arena, notes) =
                    (PlanNote){reader.tuned->name, row->algorithm, row->p, reason, true};
        }
    }
    find_sizes(study->arena, &times);
    return times;
}
