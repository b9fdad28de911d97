#include "exchange/tuned_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The library's algorithm that a row is of; NULL: none of this library. */
static const LibraryAlgorithm *algorithm_of(Arena *arena, const TunedRows *tuned,
                                            const Measurement *row)
{
    const NamedModel *named = naming_find(tuned->naming, row);
    Diag silent = diag_silent();
    NamedByLibrary found;
    const Text text =
        named ? named->model
              : source_argument(arena, "algorithm",
                                arena_copy(arena, row->algorithm, measurement_name_length(row)));
    const LibraryAlgorithm *one;
    size_t at = 0;
    if (naming_is_by_library(tuned->models, text))
        return naming_by_library(arena, tuned->models, text, row->collective, &found, &silent) &&
                       found.library == tuned->library && !*found.algorithm->variant
                   ? found.algorithm
                   : NULL;
    while (!named &&
           (one = implementation_next(tuned->library, tuned->version, row->collective, &at)))
        if (!*one->variant &&
            (text_equals(text, one->name) || library_algorithm_has_number(one, text)))
            return one;
    return NULL;
}

bool *tuned_rows_find(Arena *arena, const TunedRows *tuned, const MeasurementArray *rows,
                      Diag *diag)
{
    const TuningFormat *format = tuned->format;
    bool *is_tuned = ARENA_ARRAY(arena, bool, rows->count + 1);
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        /* Of several names of the collective, the one that the library calls by no other name. */
        int id = 0;
        while (id < format->count &&
               (strcmp(format->collectives[id].collective, row->collective) != 0 ||
                *format->collectives[id].variant))
            id++;
        if (id == format->count)
            continue;
        const Operation *operation = operation_find(text_plain(row->collective));
        const bool is_per_rank = operation && operation->is_per_rank;
        LibraryCall call = {.p = row->p,
                            .m = row->bytes,
                            .buffer = row->bytes * (is_per_rank ? (double)row->p : 1),
                            .element = tuned->element};
        const LibraryAlgorithm *own = implementation_chooses(tuned->library, tuned->version,
                                                             row->collective, "", &call, diag);
        const TuningCall looked_up =
            tuning_call(&format->collectives[id], row->p, format->protocols ? 0 : row->p,
                        row->bytes, tuned->element);
        const TuningRule *rule = tuning_rule(tuned->file, id, &looked_up);
        const bool aborts = tuning_aborts(tuned->file, rule, &looked_up);
        /* The file may leave the choice to the library; or it is not known what runs. */
        const bool is_own = !aborts && (!rule || !tuning_names_algorithm(rule));
        call.segment = rule ? (double)rule->segment : 0;
        const LibraryAlgorithm *runs =
            aborts || is_own
                ? NULL
                : implementation_runs(tuned->library, tuned->version, rule->runs, &call, diag);
        is_tuned[i] = measurement_is_default(row) ? is_own || (runs && runs == own)
                                                  : runs && algorithm_of(arena, tuned, row) == runs;
    }
    return is_tuned;
}

typedef struct {
    const Measurement *row;
    bool is_default, is_tuned;
} Point;

static int compare_points(const void *first, const void *second)
{
    const Point *a = first, *b = second;
    const int order = measurement_compare_alternatives(a->row, b->row);
    return order ? order : b->is_default - a->is_default;
}

TunedChange tuned_rows_change(Arena *arena, const MeasurementArray *rows, const bool *is_tuned)
{
    TunedChange change = {0};
    Point *points = ARENA_ARRAY(arena, Point, rows->count + 1);
    size_t count = 0;
    double sum = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const bool is_default = measurement_is_default(&rows->items[i]);
        if (is_default || is_tuned[i])
            points[count++] = (Point){&rows->items[i], is_default, is_tuned[i]};
    }
    qsort(points, count, sizeof *points, compare_points);
    for (size_t i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count &&
               measurement_compare_alternatives(points[i].row, points[next].row) == 0)
            next++;
        change.points += points[i].is_default;
        if (!points[i].is_default || points[i].is_tuned)
            continue;
        change.changed++;
        change.known += next > i + 1;
        sum += next > i + 1 ? log(points[i].row->seconds / points[i + 1].row->seconds) : 0;
    }
    change.gain = change.known ? exp(sum / (double)change.known) - 1 : 0;
    return change;
}
