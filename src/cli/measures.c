#include "cli/measures.h"

#include "cli/logs.h"
#include "study/composer.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

const MeasureInfo measure_info[MEASURE_COUNT] = {
#define MEASURE(id, name, arguments, fewest, summary) {name, arguments, fewest, summary},
#include "cli/measures.def"
#undef MEASURE
};

/* A collective, or one of its algorithms, on the network, as formulas have named it. */
typedef struct {
    Text name;
    double m_count; /* by which sizes are divided (--sizes) */
    Case *opened;
} NamedCase;
ARRAY_TYPE(NamedCases, NamedCase);

typedef struct {
    Text name;
    MeasurementArray rows;
} NamedLog;
ARRAY_TYPE(NamedLogs, NamedLog);

struct Measures {
    Arena *arena;
    CommandLine line;
    Query query;
    bool is_open;
    Shape shape;
    NamedCases cases;
    NamedLogs logs;
};

Measures *measures_create(Workspace *workspace)
{
    Arena *arena = arena_create(workspace);
    Measures *measures = ARENA_NEW(arena, Measures);
    measures->arena = arena;
    return measures;
}

void measures_destroy(Measures *measures)
{
    if (measures)
        arena_destroy(measures->arena);
}

Measures *measures_of_line(const Query *query)
{
    const CommandLine *line = query->line;
    bool has_own = false;
    for (int i = 0; i < OPTION_COUNT; i++)
        has_own |= option_is_spoken(line, (OptionId)i) && i != OPTION_OUTPUT;
    if (line->context && line->context->measures && !has_own)
        return line->context->measures;
    Measures *measures = ARENA_NEW(query->study.arena, Measures);
    *measures =
        (Measures){.arena = query->study.arena, .line = *line, .query = *query, .is_open = false};
    return measures;
}

int measure_find(Text name)
{
    for (int i = 0; i < MEASURE_COUNT; i++)
        if (text_equals(name, measure_info[i].name))
            return i;
    return -1;
}

/* Opens a case for `study`, which is that of measures->query or one with fewer candidates. NULL
   after a report. */
static Case *open_case(const Measures *measures, const Study *study, const Collective *collective,
                       const Algorithm *only, double *m_count)
{
    Query settled;
    if (!query_settle_sizes(&measures->query, collective, measures->shape.p, &settled))
        return NULL;
    *m_count = settled.m_count;
    return case_open(study, collective, only, measures->query.topology, &measures->shape);
}

/* Opens what formulas have not named before. A case that is kept reports to the sink of the line
   which asks. */
static const NamedCase *name_case(Measures *measures, Text name)
{
    const Query *query = &measures->query;
    const Collective *collective;
    const Algorithm *only;
    for (size_t i = 0; i < measures->cases.count; i++) {
        const NamedCase *known = &measures->cases.items[i];
        if (!text_same(known->name, name))
            continue;
        known->opened->study.diag = query->study.diag;
        return known;
    }
    NamedCase named = {.name = name};
    named.name.chars = text_string(measures->arena, name);
    if (!subject_read(&query->study, named.name, &collective, &only) ||
        !query_is_collective(query, named.name, collective) ||
        !query_check_library(query, only, name.span))
        return NULL;
    named.opened = open_case(measures, &query->study, collective, only, &named.m_count);
    if (!named.opened)
        return NULL;
    NamedCase *kept = ARRAY_PUSH(measures->arena, &measures->cases);
    *kept = named;
    return kept;
}

/* False after a report where the bound is not known. */
static bool take_bound(const Case *opened, const LowerBound *bound, double bytes, Value *value)
{
    if (bound->known)
        *value = value_real(lower_bound_seconds(bound, bytes), DIMENSION_TIME);
    else
        lower_bound_report(&opened->study, opened->collective, &opened->network, bound);
    return bound->known;
}

static bool take_at_size(Measures *measures, const Measure *measure, Value *value, bool *is_wrong)
{
    const NamedCase *named = name_case(measures, measure->subject);
    CaseCost winner;
    if (!named)
        return false;
    Case *opened = named->opened;
    double bytes = opened->collective->is_empty ? 0 : measure->bytes / named->m_count;
    *value = value_real(0, DIMENSION_TIME);
    if (measure->kind == MEASURE_BOUND)
        return take_bound(opened, case_bound(opened), bytes, value);
    if (!case_winner(opened, bytes, &winner))
        return false;
    *is_wrong = winner.check == COST_WRONG;
    if (*is_wrong)
        return false;
    if (measure->kind == MEASURE_RATIO &&
        !take_bound(opened, case_bound_of(opened, winner.candidate), bytes, value))
        return false;
    if (measure->kind == MEASURE_BEST)
        value->name = case_algorithm(opened, winner.candidate)->head.name;
    else if (measure->kind == MEASURE_TIME)
        *value = value_real(winner.cost.total, DIMENSION_TIME);
    else if (measure->kind == MEASURE_ROUNDS)
        *value = value_integer(winner.cost.rounds);
    else if (measure->kind == MEASURE_CHUNKS)
        *value = value_real(winner.cost.k, DIMENSION_NONE);
    else if (value->real > 0)
        *value = value_real(winner.cost.total / value->real, DIMENSION_NONE);
    else
        diag_error(opened->study.diag, measure->call.span,
                   "the lower bound is 0: there is no ratio");
    return measure->kind != MEASURE_RATIO || value->real > 0;
}

/* Where B overtakes A if there are only these two, over all sizes. */
static bool take_switch(Measures *measures, const Measure *measure, Value *value, bool *is_wrong)
{
    const Query *query = &measures->query;
    Study study = query->study;
    const Collective *collective = library_collective(study.library, measure->subject, study.diag);
    if (!collective || !query_is_collective(query, measure->subject, collective))
        return false;
    const char *from = measure_algorithm(measures, query, measure->subject, measure->from);
    const char *to = measure_algorithm(measures, query, measure->subject, measure->to);
    if (!from || !to)
        return false;
    study.among = (NameList){.is_given = true};
    *ARRAY_PUSH(study.arena, &study.among.names) = source_argument(study.arena, "", from);
    *ARRAY_PUSH(study.arena, &study.among.names) = source_argument(study.arena, "", to);
    double m_count;
    Case *opened = open_case(measures, &study, collective, NULL, &m_count);
    const SwitchPoints *points =
        opened ? switch_points_find(opened, 1,
                                    study_largest_size(&study, &opened->candidates.algorithms), -1)
               : NULL;
    if (!points)
        return false;
    *is_wrong = !switch_points_check(opened, points);
    if (*is_wrong)
        return false;
    /* "A is the faster one, B from 12 kB on, A from 3 MB on", or which one is the faster
       everywhere. */
    const char *text = "", *before = "";
    int found = 0;
    for (size_t i = 0; i < points->pieces.count; i++) {
        const Piece *piece = &points->pieces.items[i];
        const char *name = case_algorithm(opened, piece->curve)->head.name;
        if (strcmp(before, from) == 0 && strcmp(name, to) == 0) {
            *value = value_real(piece->from * m_count, DIMENSION_BYTES);
            found++;
        }
        text = i == 0 ? arena_printf(study.arena, "%s is faster", name)
                      : arena_printf(study.arena, "%s, %s from %s on", text, name,
                                     quantity_show_bytes(study.arena, piece->from * m_count));
        before = name;
    }
    if (found == 1)
        return true;
    diag_error(study.diag, measure->call.span,
               found ? "%s is overtaken by %s at several sizes" : "%s is never overtaken by %s",
               from, to);
    return diag_note(study.diag, NOWHERE, "%s%s", text,
                     points->pieces.count == 1 ? " at every size" : "");
}

/* NULL after a report. */
static const MeasurementArray *find_log(Measures *measures, Text name)
{
    const Query *query = &measures->query;
    for (size_t i = 0; i < measures->logs.count; i++)
        if (text_same(measures->logs.items[i].name, name))
            return &measures->logs.items[i].rows;
    NamedLog log = {.name = name};
    log.name.chars = text_string(measures->arena, name);
    if (!logs_read_one(query, log.name, measures->shape.p, &log.rows))
        return NULL;
    NamedLog *kept = ARRAY_PUSH(measures->arena, &measures->logs);
    *kept = log;
    return &kept->rows;
}

/* Has the log times of one algorithm alone, which may be forced? */
static bool has_one(const MeasurementArray *rows, const char *collective, int64_t p)
{
    const char *only = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        if (strcmp(row->collective, collective) != 0 || row->p != p)
            continue;
        if (only && strcmp(only, row->algorithm) != 0)
            return false;
        only = row->algorithm;
    }
    return only != NULL;
}

/* Of several ways to measure the time of the slowest rank counts. */
static bool take_measured(Measures *measures, const Measure *measure, Value *value)
{
    const Query *query = &measures->query;
    Arena *arena = query->study.arena;
    Diag *diag = query->study.diag;
    Text name = measure->subject, algorithm = {0};
    Query settled;
    text_split(measure->subject, '/', &name, &algorithm);
    const Collective *collective = library_collective(query->study.library, name, diag);
    const MeasurementArray *rows = collective ? find_log(measures, measure->log) : NULL;
    if (!rows || !query_settle_sizes(query, collective, measures->shape.p, &settled))
        return false;
    double bytes = collective->is_empty ? 0 : measure->bytes / settled.m_count;
    bool *asked = ARENA_ARRAY(arena, bool, rows->count + 1);
    const bool takes_any =
        !algorithm.length && has_one(rows, collective->head.name, measures->shape.p);
    const Measurement *found = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const Measurement *row = &rows->items[i];
        /* On as many ranks as the network has, but for messages between two. */
        bool is_pair = strcmp(row->collective, "point-to-point") == 0;
        asked[i] = row->finish != FINISH_STREAM &&
                   strcmp(row->collective, collective->head.name) == 0 &&
                   (is_pair || row->p == measures->shape.p) &&
                   (algorithm.length ? text_equals(algorithm, row->algorithm)
                                     : is_pair || takes_any || measurement_is_default(row));
        if (!asked[i] || row->bytes != bytes)
            continue;
        if (found && strcmp(found->system, row->system) != 0)
            return diag_error(diag, measure->log.span,
                              "this log has that time for several systems");
        found = !found || row->finish == FINISH_LAST ? row : found;
    }
    if (found) {
        *value = value_real(found->seconds, DIMENSION_TIME);
        return true;
    }
    diag_error(diag, measure->call.span, "this log has no %.*s of %s for p = %lld",
               TEXT_ARGS(measure->subject), quantity_show_bytes(arena, bytes),
               (long long)measures->shape.p);
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (asked[i]) {
            least = fmin(least, rows->items[i].bytes);
            most = fmax(most, rows->items[i].bytes);
        }
    if (most >= least)
        diag_note(diag, NOWHERE, "it has sizes from %s to %s", quantity_show_bytes(arena, least),
                  quantity_show_bytes(arena, most));
    return false;
}

bool measure_take(Measures *measures, const Query *query, const Measure *measure, Value *value,
                  bool *is_wrong)
{
    Diag *diag = query->study.diag;
    *value = (Value){0};
    *is_wrong = false;
    measures->line.diag = measures->query.study.diag = diag;
    /* A memory that outlives the line reads the options of the context again, into its own arena.
     */
    if (!measures->is_open && measures->arena != query->study.arena) {
        measures->line =
            (CommandLine){.arena = measures->arena, .diag = diag, .context = query->line->context};
        context_fill(&measures->line, OPTIONS_OF_FORMULAS, 0);
        if (!query_read(&measures->line, &measures->query))
            return false;
    }
    if (!measures->is_open && measures->query.ranks.count != 1) {
        diag_error(diag, measure->call.span, "'%s' needs one number of ranks",
                   measure_info[measure->kind].name);
        return diag_note(diag, NOWHERE,
                         "give -t full:8 or -p 8; in a session, say 'use full:8' or 'set p = 8'");
    }
    if (!measures->is_open) {
        measures->query.line = &measures->line;
        measures->shape = query_shape(&measures->query, 0);
        measures->is_open = true;
    }
    if (measure->kind == MEASURE_MEASURED)
        return take_measured(measures, measure, value);
    return measure->kind == MEASURE_SWITCH ? take_switch(measures, measure, value, is_wrong)
                                           : take_at_size(measures, measure, value, is_wrong);
}

const char *measure_algorithm(Measures *measures, const Query *query, Text collective, Text name)
{
    Library *library =
        measures->query.study.library ? measures->query.study.library : query->study.library;
    if (compositions_is_name(name))
        return text_string(query->study.arena, name);
    const ModelEntry *entry = library_algorithm_of(library, collective, name, query->study.diag);
    return entry ? strchr(entry->name, '/') + 1 : NULL;
}
