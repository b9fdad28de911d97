#include "exchange/tuned_rows.h"

#include "sched/contract.h"

#include <string.h>

/* What runs for a call. */
typedef struct {
    const LibraryAlgorithm *algorithm; /* NULL: not known, or the job ends */
    const LibraryAlgorithm *own;       /* by itself; NULL: not known */
    bool is_own;                       /* the file leaves the choice to the library */
} Chosen;

/* The format's collective for one of the models; the count of all: none. Of several, the one that
   the library calls by no other name. */
static int find_tuned(const TuningFormat *format, const char *collective)
{
    int id = 0;
    while (id < format->count && (strcmp(format->collectives[id].collective, collective) != 0 ||
                                  *format->collectives[id].variant))
        id++;
    return id;
}

static bool choose(Arena *arena, const TunedRows *tuned, const Measurement *row, Chosen *chosen,
                   Diag *diag)
{
    const int id = find_tuned(tuned->format, row->collective);
    const Collective *collective = library_collective(
        tuned->models, source_argument(arena, "collective", row->collective), diag);
    int64_t blocks;
    *chosen = (Chosen){.is_own = true};
    if (!collective || !contract_buffer_blocks(collective, row->p, &blocks, diag))
        return false;
    LibraryCall call = {.p = row->p,
                        .m = row->bytes,
                        .buffer = row->bytes * (double)blocks,
                        .element = tuned->element};
    chosen->own =
        implementation_chooses(tuned->library, tuned->version, row->collective, "", &call, diag);
    chosen->algorithm = chosen->own;
    if (id == tuned->format->count)
        return true;
    const TuningCall looked_up =
        tuning_call(&tuned->format->collectives[id], row->p, tuned->format->protocols ? 0 : row->p,
                    row->bytes, tuned->element);
    const TuningRule *rule = tuning_rule(tuned->file, id, &looked_up);
    const bool aborts = tuning_aborts(tuned->file, rule, &looked_up);
    if (!aborts && (!rule || !tuning_names_algorithm(rule)))
        return true;
    chosen->is_own = false;
    call.segment = rule ? (double)rule->segment : 0;
    chosen->algorithm =
        aborts ? NULL
               : implementation_runs(tuned->library, tuned->version, rule->runs, &call, diag);
    return true;
}

/* The library's algorithm that a row is of; NULL: none of this library. */
static const LibraryAlgorithm *algorithm_of(Arena *arena, const TunedRows *tuned,
                                            const Measurement *row)
{
    const NamedModel *named = naming_find(tuned->naming, row);
    Diag silent = diag_silent();
    NamedByLibrary found;
    if (!named)
        return implementation_named(
            tuned->library, tuned->version, source_argument(arena, "collective", row->collective),
            "", arena_copy(arena, row->algorithm, measurement_name_length(row)));
    if (naming_is_by_library(tuned->models, named->model) &&
        naming_by_library(arena, tuned->models, named->model, row->collective, &found, &silent) &&
        found.library == tuned->library && !*found.algorithm->variant)
        return found.algorithm;
    return NULL;
}

bool *tuned_rows_find(Arena *arena, const TunedRows *tuned, const MeasurementArray *rows,
                      Diag *diag)
{
    bool *is_tuned = ARENA_ARRAY(arena, bool, rows->count + 1);
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        Chosen chosen;
        is_tuned[i] = false;
        if (find_tuned(tuned->format, row->collective) == tuned->format->count)
            continue;
        if (!choose(arena, tuned, row, &chosen, diag))
            return NULL;
        const bool runs_own = chosen.is_own || (chosen.algorithm && chosen.algorithm == chosen.own);
        if (measurement_is_default(row))
            is_tuned[i] = runs_own;
        else
            is_tuned[i] = !chosen.is_own && chosen.algorithm &&
                          algorithm_of(arena, tuned, row) == chosen.algorithm;
    }
    return is_tuned;
}
