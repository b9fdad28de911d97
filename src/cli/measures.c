#include "cli/measures.h"

#include "cli/context.h"
#include "cli/limits.h"
#include "cli/switchpoints.h"

#include <string.h>

const MeasureInfo measure_info[MEASURE_COUNT] = {
#define MEASURE(id, name, arguments, fewest, summary) {name, arguments, fewest, summary},
#include "cli/measures.def"
#undef MEASURE
};

/* A collective, or one of its algorithms, on the network. */
typedef struct {
    Text name;
    const Collective *collective;
    Query query; /* with sizes and ends as they are here */
    Candidates candidates;
    bool has_limits;
    Limits limits;
} Case;
ARRAY_TYPE(CaseArray, Case *);

struct Measures {
    Arena *arena;
    CommandLine line;
    Query query;
    bool is_open;
    Network network;
    CaseArray cases;
};

extern const Command command_eval;

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

static bool has_own_options(const CommandLine *line)
{
    bool any = false;
    for (int i = 0; i < OPTION_COUNT; i++)
        any |= option_is_spoken(line, (OptionId)i) && i != OPTION_OUTPUT;
    return any;
}

Measures *measures_of_line(const Query *query)
{
    const CommandLine *line = query->line;
    if (line->context && line->context->measures && !has_own_options(line))
        return line->context->measures;
    Measures *measures = ARENA_NEW(query->arena, Measures);
    *measures = (Measures){.arena = query->arena, .line = *line, .query = *query, .is_open = false};
    return measures;
}

int measure_find(Text name)
{
    for (int i = 0; i < MEASURE_COUNT; i++)
        if (text_equals(name, measure_info[i].name))
            return i;
    return -1;
}

/* A memory that outlives the line reads the options of the context again, into its own arena. */
static bool read_context(Measures *measures, const Query *asking)
{
    if (measures->arena == asking->arena)
        return true;
    measures->line = (CommandLine){
        .arena = measures->arena, .diag = asking->diag, .context = asking->line->context};
    context_fill(&measures->line, &command_eval);
    return query_read(&measures->line, &measures->query);
}

static bool open_network(Measures *measures, const Query *asking, const Measure *measure)
{
    measures->line.diag = measures->query.diag = asking->diag;
    if (measures->is_open)
        return true;
    if (!read_context(measures, asking))
        return false;
    if (measures->query.ranks.count != 1) {
        diag_error(asking->diag, measure->call.span, "'%s' needs one number of ranks",
                   measure_info[measure->kind].name);
        diag_note(asking->diag, NOWHERE,
                  "give -t full:8 or -p 8; in a session, say 'use full:8' or 'set p = 8'");
        return false;
    }
    measures->query.line = &measures->line;
    measures->is_open = query_network(&measures->query, 0, &measures->network);
    return measures->is_open;
}

static bool read_subject(Case *here, const Algorithm **only)
{
    Text name, rest;
    Query *query = &here->query;
    *only = NULL;
    if (library_is_typed(here->name) || query_split(here->name, '/', &name, &rest)) {
        *only = query_algorithm(query, here->name);
        here->collective = *only ? (*only)->collective : NULL;
    } else {
        here->collective = library_collective(query->library, here->name, query->diag);
    }
    return here->collective && query_is_collective(query, here->name, here->collective);
}

static Case *find_case(Measures *measures, Text name)
{
    for (size_t i = 0; i < measures->cases.count; i++) {
        Text known = measures->cases.items[i]->name;
        if (known.length == name.length && memcmp(known.chars, name.chars, name.length) == 0)
            return measures->cases.items[i];
    }
    return NULL;
}

/* The query of a case is a copy, whose sink is that of the line which asks. */
static Case *open_case(Measures *measures, Text name)
{
    Case *here = find_case(measures, name);
    const Algorithm *only;
    Query query = measures->query;
    if (here) {
        here->query.diag = query.diag;
        return here;
    }
    here = ARENA_NEW(measures->arena, Case);
    here->query = query;
    here->name = name;
    here->name.chars = arena_copy(measures->arena, name.chars, name.length);
    if (!read_subject(here, &only) ||
        !query_settle_sizes(&query, here->collective, measures->network.p, &here->query) ||
        !query_settle_ends(&here->query, here->collective, &measures->network) ||
        !candidates_open(&here->query, here->collective, only, &measures->network,
                         &here->candidates))
        return NULL;
    *ARRAY_PUSH(measures->arena, &measures->cases) = here;
    return here;
}

static const Limits *limits_of(Measures *measures, Case *here)
{
    if (!here->has_limits)
        here->limits = limits_find(&here->query, here->collective, &measures->network);
    here->has_limits = true;
    return &here->limits;
}

/* The first of the fastest. */
static bool find_best(Case *here, double bytes, Curve **best, CurveCost *cost)
{
    double least = 0;
    *best = NULL;
    for (size_t i = 0; i < here->candidates.algorithms.count; i++) {
        CurvePoint point;
        Curve *curve = here->candidates.curves[i];
        if (!curve_at(curve, bytes, curve_most_chunks(bytes), &point, here->query.diag))
            return false;
        if (!*best || point.total < least)
            *best = curve, least = point.total;
    }
    return curve_cost(*best, bytes, cost, here->query.diag);
}

static bool take_at_size(Measures *measures, const Measure *measure, Value *value)
{
    Case *here = open_case(measures, measure->subject);
    Curve *best;
    CurveCost cost;
    if (!here)
        return false;
    double bytes = here->collective->is_empty ? 0 : measure->bytes / here->query.m_count;
    if (measure->kind == MEASURE_BOUND || measure->kind == MEASURE_RATIO)
        *value = value_real(limits_seconds(limits_of(measures, here), bytes), DIMENSION_TIME);
    if (measure->kind == MEASURE_BOUND)
        return true;
    if (!find_best(here, bytes, &best, &cost))
        return false;
    if (measure->kind == MEASURE_BEST)
        value->name = curve_algorithm(best)->head.name;
    else if (measure->kind == MEASURE_TIME)
        *value = value_real(cost.total, DIMENSION_TIME);
    else if (measure->kind == MEASURE_ROUNDS)
        *value = value_integer(cost.rounds);
    else if (measure->kind == MEASURE_CHUNKS)
        *value = value_real(cost.k, DIMENSION_NONE);
    else if (value->real > 0)
        *value = value_real(cost.total / value->real, DIMENSION_NONE);
    else
        diag_error(here->query.diag, measure->call.span, "there is no lower bound above 0 here");
    return measure->kind != MEASURE_RATIO || value->real > 0;
}

/* "A gives way to B at 12 kB and B to A at 3 MB", or which one is the fastest everywhere. */
static const char *describe_pieces(Arena *arena, const SwitchPoints *points, double factor)
{
    const char *text = "";
    for (size_t i = 0; i < points->pieces.count; i++) {
        const Piece *piece = &points->pieces.items[i];
        const char *name = curve_algorithm(points->curves[piece->curve])->head.name;
        text = i == 0 ? arena_printf(arena, "%s is the faster one", name)
                      : arena_printf(arena, "%s, %s from %s on", text, name,
                                     quantity_show_bytes(arena, piece->from * factor));
    }
    return points->pieces.count == 1 ? arena_printf(arena, "%s at every size", text) : text;
}

static bool find_switch(const Measure *measure, const Case *here, const SwitchPoints *points,
                        const char *from, const char *to, Value *value)
{
    Arena *arena = here->query.arena;
    int found = 0;
    for (size_t i = 1; i < points->pieces.count; i++) {
        const Piece *piece = &points->pieces.items[i];
        const char *before = curve_algorithm(points->curves[piece[-1].curve])->head.name;
        const char *behind = curve_algorithm(points->curves[piece->curve])->head.name;
        if (strcmp(before, from) != 0 || strcmp(behind, to) != 0)
            continue;
        *value = value_real(piece->from * here->query.m_count, DIMENSION_BYTES);
        found++;
    }
    if (found == 1)
        return true;
    diag_error(here->query.diag, measure->call.span,
               found ? "%s gives way to %s at several sizes" : "%s never gives way to %s", from,
               to);
    diag_note(here->query.diag, NOWHERE, "%s", describe_pieces(arena, points, here->query.m_count));
    return false;
}

/* `switch COLLECTIVE --among A,B`, over all sizes. */
static bool take_switch(Measures *measures, const Measure *measure, Value *value)
{
    const Query *outer = &measures->query;
    Query query;
    CommandLine line = *outer->line;
    Candidates candidates = {0};
    SwitchPoints points;
    Case here = {.name = measure->subject, .query = *outer};
    here.collective = library_collective(outer->library, here.name, outer->diag);
    if (!here.collective || !query_is_collective(outer, here.name, here.collective))
        return false;
    const char *from = measure_algorithm(measures, outer, here.name, measure->from);
    const char *to = from ? measure_algorithm(measures, outer, here.name, measure->to) : NULL;
    if (!to || !query_settle_sizes(outer, here.collective, measures->network.p, &query))
        return false;
    line.values[OPTION_AMONG] = (TextArray){0};
    *ARRAY_PUSH(measures->arena, &line.values[OPTION_AMONG]) =
        source_argument(measures->arena, "", arena_printf(measures->arena, "%s,%s", from, to));
    query.line = &line;
    query.sizes = (SizeArray){0};
    here.query = query;
    return query_settle_ends(&query, here.collective, &measures->network) &&
           candidates_open(&query, here.collective, NULL, &measures->network, &candidates) &&
           switchpoints_find(&query, &candidates, &points) &&
           find_switch(measure, &here, &points, from, to, value);
}

bool measure_take(Measures *measures, const Query *query, const Measure *measure, Value *value)
{
    *value = (Value){0};
    if (!open_network(measures, query, measure))
        return false;
    return measure->kind == MEASURE_SWITCH ? take_switch(measures, measure, value)
                                           : take_at_size(measures, measure, value);
}

const char *measure_algorithm(Measures *measures, const Query *query, Text collective, Text name)
{
    Library *library = measures->query.library ? measures->query.library : query->library;
    Arena *arena = query->arena;
    size_t count = 0, all = library_entry_count(library);
    const char **names = ARENA_ARRAY(arena, const char *, all + 1);
    size_t prefix = collective.length + 1;
    for (size_t i = 0; i < all; i++) {
        const ModelEntry *entry = library_entry(library, i);
        if (entry->kind != KIND_ALGORITHM || strlen(entry->name) <= prefix ||
            strncmp(entry->name, collective.chars, collective.length) != 0 ||
            entry->name[collective.length] != '/')
            continue;
        names[count++] = entry->name + prefix;
        if (text_equals(name, entry->name + prefix) || text_equals(name, entry->name))
            return entry->name + prefix;
    }
    diag_error(query->diag, name.span, "%.*s has no algorithm '%.*s'", (int)collective.length,
               collective.chars, (int)name.length, name.chars);
    diag_suggest(query->diag, name, names, count);
    return NULL;
}
