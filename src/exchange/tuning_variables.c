/* Variables by which Intel MPI and oneCCL choose:

       I_MPI_ADJUST_ALLREDUCE=1:0-1024;8:1025-1048576@64-256;2
       CCL_ALLREDUCE=recursive_doubling:0-8192;ring:8193-max

   A file has lines NAME=VALUE. Sizes are bytes, ranges have both their ends. Of Intel MPI the first
   choice counts that fits; of oneCCL the last, and a name alone stands for all sizes. Intel MPI
   Developer Reference 2021.8 to 2021.15, family I_MPI_ADJUST; oneCCL, src/coll/selection. */
#include "exchange/tuning_words.h"

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
enum {
    INTEL_COUNT = sizeof intel_collectives / sizeof *intel_collectives,
    CCL_COUNT = sizeof ccl_collectives / sizeof *ccl_collectives,
    MOST_COLLECTIVES = INTEL_COUNT,
    MOST_COMPARED = 1024 /* choices of a variable with one another */
};

typedef struct {
    Arena *arena;
    const Implementation *library;
    const char *version;
    const TuningFormat *format;
    const char *prefix; /* of the variables */
    TuningFile *file;
    Span seen[MOST_COLLECTIVES];                           /* where each collective is set last */
    size_t first[MOST_COLLECTIVES], end[MOST_COLLECTIVES]; /* its rules there */
} Reader;

static const LibraryAlgorithm *find_algorithm(const Reader *reader, int collective, Span word)
{
    return find_named(reader->library, reader->version, &reader->format->collectives[collective],
                      BLOCKS_ANY, word);
}

/* Are they for some of the same sizes of a collective? */
static bool overlap(const TuningRule *a, const TuningRule *b)
{
    return a->collective == b->collective && a->from_size < b->below_size &&
           b->from_size < a->below_size && a->from_ranks < b->below_ranks &&
           b->from_ranks < a->below_ranks;
}

/* The first choice that a new one is compared with. */
static size_t first_compared(const Reader *reader, int collective)
{
    const size_t first = reader->first[collective], count = reader->file->rules.count;
    return count - first > MOST_COMPARED ? count - MOST_COMPARED : first;
}

static void add_rule(Reader *reader, TuningRule rule, Span place)
{
    const TuningRules *rules = &reader->file->rules;
    bool is_shared = false;
    for (size_t i = first_compared(reader, rule.collective); i < rules->count; i++)
        is_shared |= overlap(&rules->items[i], &rule);
    if (rule.from_size >= rule.below_size || rule.from_ranks >= rule.below_ranks) {
        FAULT(DEAD, place, "the first end of a range is above the last");
        rule.below_size = rule.from_size;
    } else if (tuning_shadow(rules, reader->first[rule.collective], 0, &rule)) {
        FAULT(DEAD, place, "a choice before is for all these calls, and the first one counts");
        rule.below_size = rule.from_size;
    } else if (is_shared && (rule.from_size > 0 || rule.below_size < INT64_MAX)) {
        FAULT(REMARK, place, "some of these sizes were given before: the first choice counts");
    }
    *ARRAY_PUSH(reader->arena, &reader->file->rules) = rule;
}

/* 8:1025-1048576@64-256,2097152: an algorithm by number, for sizes and numbers of ranks. */
static void read_intel_choice(Reader *reader, int collective, Span choice)
{
    Span number = {0}, conditions = choice, one;
    size_t at = 0, next = 0;
    TuningRule rule = {.collective = collective,
                       .below_ranks = INT64_MAX,
                       .below_size = INT64_MAX,
                       .span = choice};
    next_part(choice, ':', &at, &number);
    number = trim_span(number, " ");
    const bool has_conditions = next_part(choice, ':', &at, &conditions);
    if (!number.length || !is_number(number, &rule.algorithm) ||
        next_part(choice, ':', &at, &one)) {
        FAULT(IGNORED, choice,
              "a choice is the number of an algorithm and perhaps conditions, "
              "2:0-4096@64-128");
        return;
    }
    rule.runs = find_algorithm(reader, collective, number);
    if (rule.algorithm && !rule.runs)
        FAULT(REMARK, number, "what number %lld of %s is, is not known here",
              (long long)rule.algorithm, reader->format->collectives[collective].name);
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
            FAULT(IGNORED, one,
                  "a condition is sizes in bytes, in digits, and perhaps numbers of "
                  "ranks, 0-4096@64-128");
        else
            add_rule(reader, part, one);
    }
}

/* ring:8193-max: an algorithm by name, for sizes. */
static void read_ccl_choice(Reader *reader, int collective, Span choice)
{
    Span name = {0}, range = {0}, more;
    size_t at = 0;
    TuningRules *rules = &reader->file->rules;
    TuningRule rule = {.collective = collective,
                       .below_ranks = INT64_MAX,
                       .below_size = INT64_MAX,
                       .algorithm = -1,
                       .span = choice};
    next_part(choice, ':', &at, &name);
    const bool has_range = next_part(choice, ':', &at, &range);
    const bool has_more = next_part(choice, ':', &at, &more);
    rule.runs = find_algorithm(reader, collective, name);
    if (!rule.runs) {
        FAULT(ABORTS, name, "oneCCL has no such algorithm of %s: it ends the job at its start",
              reader->format->collectives[collective].name);
        reader->file->is_fatal = true;
        return;
    }
    if (has_range && (has_more || !take_span(range, "max", &rule.from_size, &rule.below_size) ||
                      rule.from_size >= rule.below_size)) {
        FAULT(ABORTS, range,
              "sizes are a rising range of bytes, 0-8192 or 8193-max: oneCCL ends "
              "the job at its start");
        reader->file->is_fatal = true;
        return;
    }
    bool is_shared = false;
    for (size_t i = first_compared(reader, collective); i < rules->count; i++) {
        TuningRule *one = &rules->items[i];
        if (!overlap(one, &rule) || one->below_size <= one->from_size)
            continue;
        if (one->from_size >= rule.from_size && one->below_size <= rule.below_size) {
            FAULT(DEAD, one->span,
                  has_range ? "a later choice is for all these sizes, and the last one counts"
                            : "a name without sizes behind it takes all of them");
            one->below_size = one->from_size;
        } else {
            is_shared = true;
        }
    }
    if (is_shared)
        FAULT(REMARK, choice, "some of these sizes were given before: the last choice counts");
    *ARRAY_PUSH(reader->arena, rules) = rule;
}

/* Of oneCCL the last choice counts. */
static void reverse(TuningRule *rules, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const TuningRule one = rules[i];
        rules[i] = rules[count - 1 - i];
        rules[count - 1 - i] = one;
    }
}

/* Sizes that the choices of oneCCL for a collective leave out. */
static void tell_gap(Reader *reader, int collective, Span place)
{
    const TuningRules *rules = &reader->file->rules;
    const size_t first = reader->first[collective], end = reader->end[collective];
    int64_t from = 0, next = INT64_MAX;
    if (end - first > MOST_COMPARED)
        return;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = first; i < end; i++)
            if (rules->items[i].from_size <= from && rules->items[i].below_size > from)
                from = rules->items[i].below_size, more = from < INT64_MAX;
    }
    for (size_t i = first; i < end; i++)
        if (rules->items[i].from_size > from && rules->items[i].from_size < next)
            next = rules->items[i].from_size;
    if (from < INT64_MAX && (from > 0 || next < INT64_MAX) && !reader->file->is_fatal)
        FAULT(REMARK, place, "for %lld bytes%s the library chooses by itself", (long long)from,
              next > from + 1 ? " and more, up to the next choice," : "");
}

/* The collective of a variable; its number: none. */
static int find_collective(Reader *reader, Span name)
{
    const size_t length = strlen(reader->prefix);
    int c = reader->format->count;
    if (name.length <= length || memcmp(chars_of(name), reader->prefix, length) != 0)
        return c;
    const Span rest = {name.source, name.offset + length, name.length - length};
    for (c = 0; c < reader->format->count; c++) {
        const char *known = reader->format->collectives[c].name;
        if (rest.length == strlen(known) && memcmp(chars_of(rest), known, rest.length) == 0)
            return c;
    }
    if (ends_with(rest, "_SCALEOUT"))
        FAULT(REMARK, name, "choices between nodes inside of topo are not looked at");
    else if (reader->format == &tuning_format_intel_mpi)
        FAULT(REMARK, name, "this is no collective that is known here: it is not looked at");
    return c;
}

static TuningFile read_variables(Arena *arena, const Source *source, const Implementation *library,
                                 const char *version, const TuningFormat *format,
                                 const char *prefix,
                                 void (*read_choice)(Reader *, int collective, Span choice))
{
    TuningFile file = {0};
    Reader state = {.arena = arena,
                    .library = library,
                    .version = version,
                    .format = format,
                    .prefix = prefix,
                    .file = &file},
           *reader = &state;
    const Span whole = {source, 0, source->length};
    Span name, value;
    size_t at = 0, next;
    bool is_any = false;
    for (Span line; next_part(whole, '\n', &at, &line);) {
        line = trim_span(line, " \t\r");
        if (!line.length || *chars_of(line) == '#' || !split_assignment(line, &name, &value))
            continue;
        const int collective = find_collective(reader, name);
        if (collective == format->count)
            continue;
        is_any = true;
        if (reader->seen[collective].source) {
            FAULT(DEAD, reader->seen[collective],
                  "the variable is set again further down: this never counts");
            for (size_t i = reader->first[collective]; i < reader->end[collective]; i++)
                file.rules.items[i].below_size = file.rules.items[i].from_size;
        }
        reader->seen[collective] = line;
        reader->first[collective] = file.rules.count;
        next = 0;
        for (Span choice; next_part(value, ';', &next, &choice);)
            read_choice(reader, collective, trim_span(choice, " "));
        reader->end[collective] = file.rules.count;
        if (format == &tuning_format_oneccl)
            reverse(file.rules.items + reader->first[collective],
                    file.rules.count - reader->first[collective]);
        if (!value.length)
            FAULT(REMARK, name, "no choice: the library chooses by itself");
    }
    for (int c = 0; c < format->count && format == &tuning_format_oneccl; c++)
        if (reader->seen[c].source)
            tell_gap(reader, c, reader->seen[c]);
    if (!is_any)
        FAULT(DROPPED, ((Span){source, source->length, 0}), "nothing sets a variable %s...",
              prefix);
    tuning_sort(&file);
    return file;
}

static TuningFile read_intel(Arena *arena, const Source *source, const Implementation *library,
                             const char *version)
{
    return read_variables(arena, source, library, version, &tuning_format_intel_mpi,
                          "I_MPI_ADJUST_", read_intel_choice);
}

static TuningFile read_ccl(Arena *arena, const Source *source, const Implementation *library,
                           const char *version)
{
    return read_variables(arena, source, library, version, &tuning_format_oneccl, "CCL_",
                          read_ccl_choice);
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
