/* Variables by which Intel MPI and oneCCL choose:

       I_MPI_ADJUST_ALLREDUCE=1:0-1024;8:1025-1048576@64-256;2
       CCL_ALLREDUCE=recursive_doubling:0-8192;ring:8193-max

   A file has lines NAME=VALUE. Sizes are bytes, ranges have both their ends. Of Intel MPI the first
   choice counts that fits; of oneCCL the last, and a name alone stands for all sizes. Intel MPI
   Developer Reference 2021.8 to 2021.15, family I_MPI_ADJUST; oneCCL, src/coll/selection. */
#include "exchange/tuning_reader.h"

#include <string.h>

static const TunedCollective intel_collectives[] = {
    {"ALLREDUCE", "allreduce", "", MEASURE_BUFFER, {0}},
    {"BCAST", "broadcast", "", MEASURE_BUFFER, {0}},
    {"REDUCE", "reduce", "", MEASURE_BUFFER, {0}},
    {"ALLGATHER", "allgather", "", MEASURE_BUFFER, {0}},
    {"ALLGATHERV", "allgather", "allgatherv", MEASURE_BUFFER, {0}},
    {"ALLTOALL", "alltoall", "", MEASURE_BUFFER, {0}},
    {"ALLTOALLV", "alltoall", "alltoallv", MEASURE_BUFFER, {0}},
    {"BARRIER", "barrier", "", MEASURE_NONE, {0}},
    {"GATHER", "gather", "", MEASURE_BUFFER, {0}},
    {"SCATTER", "scatter", "", MEASURE_BUFFER, {0}},
    {"REDUCE_SCATTER", "reduce-scatter", "", MEASURE_BUFFER, {0}},
    {"GATHERV", "", "", MEASURE_BUFFER, {0}},
    {"SCATTERV", "", "", MEASURE_BUFFER, {0}},
    {"EXSCAN", "exscan", "", MEASURE_BUFFER, {0}},
    {"SCAN", "scan", "", MEASURE_BUFFER, {0}},
    {"ALLTOALLW", "", "", MEASURE_BUFFER, {0}},
};
static const TunedCollective ccl_collectives[] = {
    {"ALLREDUCE", "allreduce", "", MEASURE_BUFFER, {0}},
    {"ALLGATHERV", "allgather", "", MEASURE_BUFFER, {0}},
    {"ALLGATHER", "allgather", "", MEASURE_BUFFER, {0}},
    {"BCAST", "broadcast", "", MEASURE_BUFFER, {0}},
    {"REDUCE", "reduce", "", MEASURE_BUFFER, {0}},
    {"REDUCE_SCATTER", "reduce-scatter", "", MEASURE_BUFFER, {0}},
    {"ALLTOALL", "alltoall", "", MEASURE_BUFFER, {0}},
    {"ALLTOALLV", "alltoall", "", MEASURE_BUFFER, {0}},
    {"BARRIER", "barrier", "", MEASURE_NONE, {0}},
};
enum { INTEL_COUNT = COUNT_OF(intel_collectives), CCL_COUNT = COUNT_OF(ccl_collectives) };

/* The choices of a variable that is set. */
typedef struct {
    Span place; /* where it is set last; no source: nowhere */
    size_t first, end;
} Setting;

typedef struct {
    TuningReader *in;
    int collective;
    size_t first; /* choice of the variable */
    Span choice;
} Reader;

/* The first choice that a new one is compared with. */
static size_t first_compared(const Reader *reader)
{
    const size_t count = reader->in->file->rules.count;
    return count - reader->first > MOST_COMPARED ? count - MOST_COMPARED : reader->first;
}

static TuningRule rule_of(const Reader *reader)
{
    return (TuningRule){.collective = reader->collective,
                        .below_ranks = INT64_MAX,
                        .below_size = INT64_MAX,
                        .algorithm = -1,
                        .span = reader->choice};
}

static void add_rule(Reader *reader, TuningRule rule, Span place)
{
    TuningReader *in = reader->in;
    TuningRules *rules = &in->file->rules;
    bool is_shared = false;
    for (size_t i = first_compared(reader); i < rules->count; i++)
        is_shared |= tuning_overlap(&rules->items[i], &rule);
    rule.span = place;
    if (!tuning_is_reached(in, &rule, place, reader->first, 0))
        tuning_empty(&rule);
    else if (is_shared && (rule.from_size > 0 || rule.below_size < INT64_MAX))
        tuning_fault(in, FAULT(SHARED), place, "first");
    *ARRAY_PUSH(in->arena, rules) = rule;
}

/* 8:1025-1048576@64-256,2097152: an algorithm by number, for sizes and numbers of ranks. */
static void read_intel_choice(Reader *reader)
{
    TuningReader *in = reader->in;
    const Span choice = reader->choice;
    Span number = {0}, conditions = choice, one;
    size_t at = 0, next = 0;
    TuningRule rule = rule_of(reader);
    next_part(choice, ':', &at, &number);
    number = trim_span(number, " ");
    const bool has_conditions = next_part(choice, ':', &at, &conditions);
    if (!number.length || !is_number(number, &rule.algorithm) ||
        next_part(choice, ':', &at, &one)) {
        tuning_fault(in, FAULT(NO_CHOICE), choice);
        return;
    }
    rule.runs = tuned_numbered(in, reader->collective, rule.algorithm);
    if (rule.algorithm && !rule.runs)
        tuning_fault(in, FAULT(NOT_KNOWN), number, rule.algorithm,
                     in->format->collectives[reader->collective].name);
    if (!has_conditions) {
        add_rule(reader, rule, choice);
        return;
    }
    while (next_part(conditions, ',', &next, &one)) {
        Span sizes = {0}, ranks = {0};
        size_t within = 0;
        TuningRule part = rule;
        next_part(one, '@', &within, &sizes);
        const bool has_ranks = next_part(one, '@', &within, &ranks);
        if (*chars_of(one) == '@' ||
            !take_span(trim_span(sizes, " "), "max", &part.from_size, &part.below_size) ||
            (has_ranks &&
             !take_span(trim_span(ranks, " "), "max", &part.from_ranks, &part.below_ranks)))
            tuning_fault(in, FAULT(NO_SIZES), one);
        else
            add_rule(reader, part, one);
    }
}

/* ring:8193-max: an algorithm by name, for sizes. */
static void read_ccl_choice(Reader *reader)
{
    TuningReader *in = reader->in;
    TuningRules *rules = &in->file->rules;
    Span name = {0}, range = {0}, more;
    size_t at = 0;
    TuningRule rule = rule_of(reader);
    next_part(reader->choice, ':', &at, &name);
    const bool has_range = next_part(reader->choice, ':', &at, &range);
    const bool has_more = next_part(reader->choice, ':', &at, &more);
    rule.runs = tuned_named(in, reader->collective, text_of(name));
    if (!rule.runs) {
        tuning_fault(in, FAULT(NO_CCL), name, in->format->collectives[reader->collective].name);
        return;
    }
    if (has_range && (has_more || !take_span(range, "max", &rule.from_size, &rule.below_size) ||
                      rule.from_size >= rule.below_size)) {
        tuning_fault(in, FAULT(NO_RANGE), range);
        return;
    }
    bool is_shared = false;
    for (size_t i = first_compared(reader); i < rules->count; i++) {
        TuningRule *one = &rules->items[i];
        if (!tuning_overlap(one, &rule) || one->below_size <= one->from_size)
            continue;
        const bool is_covered =
            one->from_size >= rule.from_size && one->below_size <= rule.below_size;
        is_shared |= !is_covered;
        if (is_covered && has_range)
            tuning_fault(in, FAULT(COVERED), one->span);
        else if (is_covered)
            tuning_fault(in, FAULT(BARE), one->span);
        if (is_covered)
            tuning_empty(one);
    }
    if (is_shared)
        tuning_fault(in, FAULT(SHARED), reader->choice, "last");
    *ARRAY_PUSH(in->arena, rules) = rule;
}

static void reverse(TuningRule *rules, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const TuningRule one = rules[i];
        rules[i] = rules[count - 1 - i];
        rules[count - 1 - i] = one;
    }
}

/* Sizes that the choices of oneCCL for a collective leave out. */
static void tell_gap(TuningReader *in, const Setting *variable)
{
    const TuningRules *rules = &in->file->rules;
    int64_t from = 0, next = INT64_MAX;
    if (variable->end - variable->first > MOST_COMPARED)
        return;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = variable->first; i < variable->end; i++)
            if (rules->items[i].from_size <= from && rules->items[i].below_size > from)
                from = rules->items[i].below_size, more = from < INT64_MAX;
    }
    for (size_t i = variable->first; i < variable->end; i++)
        if (rules->items[i].from_size > from && rules->items[i].from_size < next)
            next = rules->items[i].from_size;
    if (from < INT64_MAX && (from > 0 || next < INT64_MAX) && !in->file->is_fatal)
        tuning_fault(in, FAULT(GAP), variable->place, from,
                     next > from + 1 ? " and more, up to the next choice," : "");
}

/* The collective of a variable; their count: none. */
static int find_collective(TuningReader *in, const char *prefix, Span name)
{
    const size_t length = strlen(prefix);
    if (!text_begins(text_of(name), prefix))
        return in->format->count;
    const Span rest = {name.source, name.offset + length, name.length - length};
    const int c = tuned_collective(in->format, text_of(rest));
    if (c == in->format->count && text_ends(text_of(rest), "_SCALEOUT"))
        tuning_fault(in, FAULT(SCALEOUT), name);
    else if (c == in->format->count && in->format == &tuning_format_intel_mpi)
        tuning_fault(in, FAULT(NOT_LOOKED_AT), name);
    return c;
}

/* A variable is set; what it was before does not count. */
static void set_variable(Reader *reader, Setting *variable, Span line)
{
    TuningRules *rules = &reader->in->file->rules;
    if (variable->place.source)
        tuning_fault(reader->in, FAULT(AGAIN), variable->place);
    for (size_t i = variable->first; i < variable->end; i++)
        tuning_empty(&rules->items[i]);
    variable->place = line;
    variable->first = reader->first = rules->count;
}

/* The choices of a variable, in the order in which they count: of oneCCL the last one is the first.
 */
static void read_choices(Reader *reader, Span value, void (*read_choice)(Reader *reader))
{
    TuningRules *rules = &reader->in->file->rules;
    for (size_t at = 0; next_part(value, ';', &at, &reader->choice);) {
        reader->choice = trim_span(reader->choice, " ");
        read_choice(reader);
    }
    if (reader->in->format == &tuning_format_oneccl && rules->count > reader->first)
        reverse(rules->items + reader->first, rules->count - reader->first);
}

static void read_variables(TuningReader *in, const char *prefix,
                           void (*read_choice)(Reader *reader))
{
    const bool is_last = in->format == &tuning_format_oneccl; /* the choice that counts */
    const Span whole = {in->source, 0, in->source->length};
    TuningRules *rules = &in->file->rules;
    Setting variables[INTEL_COUNT] = {0};
    Reader reader = {.in = in};
    Span name, value;
    size_t at = 0;
    bool is_any = false;
    for (Span line; next_line(whole, &at, &line);)
        for (size_t within = 0; next_assignment(line, &within, &name, &value);) {
            reader.collective = find_collective(in, prefix, name);
            if (reader.collective == in->format->count)
                continue;
            is_any = true;
            set_variable(&reader, &variables[reader.collective], line);
            read_choices(&reader, value, read_choice);
            variables[reader.collective].end = rules->count;
            if (!value.length)
                tuning_fault(in, FAULT(NO_RULES), name);
        }
    for (int c = 0; c < in->format->count && is_last; c++)
        if (variables[c].place.source)
            tell_gap(in, &variables[c]);
    if (!is_any)
        tuning_fault(in, FAULT(UNSET), (Span){in->source, in->source->length, 0},
                     arena_printf(in->arena, "a variable %s...", prefix));
}

static void read_intel(TuningReader *in)
{
    read_variables(in, "I_MPI_ADJUST_", read_intel_choice);
}

static void read_ccl(TuningReader *in)
{
    read_variables(in, "CCL_", read_ccl_choice);
}

const TuningFormat tuning_format_intel_mpi = {
    .library = "intel-mpi",
    .collectives = intel_collectives,
    .count = INTEL_COUNT,
    .what = "Choices of Intel MPI",
    .otherwise = "elsewhere the library chooses by itself",
    .loading = "# To be set in the environment\n",
    .read = read_intel,
};

const TuningFormat tuning_format_oneccl = {
    .library = "oneccl",
    .collectives = ccl_collectives,
    .count = CCL_COUNT,
    .what = "Choices of oneCCL",
    .otherwise = "elsewhere the library chooses by itself",
    .loading = "# To be set in the environment\n",
    .read = read_ccl,
};
