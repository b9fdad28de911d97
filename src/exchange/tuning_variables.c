/* Variables by which libraries choose:

       I_MPI_ADJUST_ALLREDUCE=1:0-1024;8:1025-1048576@64-256;2
       CCL_ALLREDUCE=recursive_doubling:0-8192;ring:8193-max
       coll_tuned_allreduce_algorithm = 4
       MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring
       NCCL_ALGO=Ring

   Sizes are bytes, ranges have both their ends. Of Intel MPI the first choice counts that fits; of
   oneCCL the last, and a name alone stands for all sizes. Of Open MPI and MPICH one algorithm is
   for all calls. Intel MPI Developer Reference 2021.8 to 2021.15, family I_MPI_ADJUST; oneCCL,
   src/coll/selection; Open MPI, coll/tuned/coll_tuned_*_decision.c; MPICH, maint/extractcvars;
   NCCL, src/graph/tuning.cc. */
#include "exchange/mpich.h"
#include "exchange/open_mpi.h"
#include "exchange/tuning_reader.h"

#include <string.h>

static const TunedCollective intel_collectives[] = {
#define INTEL(name, collective, variant, measure)                                                  \
    {name, collective, variant, MEASURE_##measure, {0}},
#include "exchange/tuning_collectives.def"
};
static const TunedCollective ccl_collectives[] = {
#define CCL(name, collective, variant, measure) {name, collective, variant, MEASURE_##measure, {0}},
#include "exchange/tuning_collectives.def"
};
enum { INTEL_COUNT = COUNT_OF(intel_collectives), CCL_COUNT = COUNT_OF(ccl_collectives) };

/* The choices of a variable that is set. */
typedef struct {
    Span place; /* where it is set last; no source: nowhere */
    size_t first, end;
    int64_t segment; /* of Open MPI's algorithm */
} Setting;

enum { MOST_SET = MPICH_COUNT }; /* collectives of no other library are more */

typedef struct {
    TuningReader *in;
    int collective;
    size_t first; /* choice of the variable */
    Span choice;
    bool is_dynamic;          /* Open MPI: it is allowed to force algorithms */
    Span algorithm, protocol; /* NCCL */
} Reader;

/* The variables of a library: one for each collective, with what stands before and behind it. */
typedef struct {
    const char *library, *before, *after;
    void (*read_choice)(Reader *reader);
} Family;

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
    if (!has_conditions)
        add_rule(reader, rule, choice);
    while (has_conditions && next_part(conditions, ',', &next, &one)) {
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
        if (!is_covered)
            continue;
        if (has_range)
            tuning_fault(in, FAULT(COVERED), one->span);
        else
            tuning_fault(in, FAULT(BARE), one->span);
        tuning_empty(one);
    }
    if (is_shared)
        tuning_fault(in, FAULT(SHARED), reader->choice, "last");
    *ARRAY_PUSH(in->arena, rules) = rule;
}

/* Sizes that the choices of oneCCL for a collective leave out. */
static void tell_gap(TuningReader *in, const Setting *variable)
{
    const size_t count = variable->end - variable->first;
    if (count == 0 || count > MOST_COMPARED)
        return;
    const TuningRule *first = in->file->rules.items + variable->first, *end = first + count;
    int64_t from = 0, next = INT64_MAX;
    for (bool more = true; more;) {
        more = false;
        for (const TuningRule *one = first; one < end; one++)
            if (one->from_size <= from && one->below_size > from)
                from = one->below_size, more = from < INT64_MAX;
    }
    for (const TuningRule *one = first; one < end; one++)
        if (one->from_size > from && one->from_size < next)
            next = one->from_size;
    if (from < INT64_MAX && (from > 0 || next < INT64_MAX) && !in->file->is_fatal)
        tuning_fault(in, FAULT(GAP), variable->place, from,
                     next > from + 1 ? " and more, up to the next choice," : "");
}

/* The collective of a variable with that behind it; their count: none. */
static int find_collective(TuningReader *in, const char *before, const char *after, Span name)
{
    const Text whole = text_of(name);
    const char *found = memmem(whole.chars, whole.length, before, strlen(before));
    const size_t start = found ? (size_t)(found - whole.chars) + strlen(before) : 0;
    const size_t taken = start + strlen(after);
    int c = 0;
    if (!found || (found > whole.chars && found[-1] != '_') || taken >= whole.length ||
        !text_ends(whole, after))
        return in->format->count;
    const Text collective = text_slice(whole, start, whole.length - taken);
    while (c < in->format->count && !text_like(collective, in->format->collectives[c].name))
        c++;
    if (c == in->format->count && text_ends(whole, "_SCALEOUT"))
        tuning_fault(in, FAULT(SCALEOUT), name);
    else if (c == in->format->count && in->format == &tuning_format_intel_mpi)
        tuning_fault(in, FAULT(NOT_LOOKED_AT), name);
    return c;
}

/* An algorithm by name, of Open MPI also by number, for all calls. */
static void read_forced(Reader *reader)
{
    TuningReader *in = reader->in;
    const TunedCollective *tuned = &in->format->collectives[reader->collective];
    const bool is_mpich = strcmp(in->library->head.name, "mpich") == 0;
    TuningRule rule = rule_of(reader);
    const bool is_given = is_number(reader->choice, &rule.algorithm) && !is_mpich;
    rule.runs = is_given ? tuned_numbered(in, reader->collective, rule.algorithm)
                         : tuned_named(in, reader->collective, text_of(reader->choice));
    if (is_word(reader->choice, is_mpich ? "auto" : "ignore"))
        rule.algorithm = 0;
    else if (!is_given)
        rule.algorithm = rule.runs ? rule.runs->number : -1;
    const bool is_unknown =
        is_given ? rule.algorithm > open_mpi_most_algorithms(in->version, reader->collective)
                 : rule.algorithm && !rule.runs && *tuned->collective;
    if (is_unknown && !is_mpich) {
        tuning_fault(in, FAULT(NO_FORCED), reader->choice, in->version, tuned->name);
        rule.algorithm = 0;
    } else if (is_unknown && !is_word(reader->choice, "nb") && !is_word(reader->choice, "smp"))
        tuning_fault(in, FAULT(NO_CVAR), reader->choice, in->version, tuned->name);
    rule.fanout = is_mpich ? 0 : 4; /* of a chain that is forced */
    rule.span = reader->choice;
    *ARRAY_PUSH(in->arena, &in->file->rules) = rule;
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

/* The choices of a variable as they count: of oneCCL the last one is the first. */
static void read_choices(Reader *reader, Span value, void (*read_choice)(Reader *reader))
{
    TuningRules *rules = &reader->in->file->rules;
    for (size_t at = 0; next_part(value, ';', &at, &reader->choice);) {
        reader->choice = trim_span(reader->choice, " ");
        read_choice(reader);
    }
    if (reader->in->format == &tuning_format_oneccl)
        for (size_t i = reader->first, j = rules->count; i + 1 < j; i++) {
            const TuningRule one = rules->items[--j];
            rules->items[j] = rules->items[i];
            rules->items[i] = one;
        }
}

static const Family families[] = {
    {"intel-mpi", "I_MPI_ADJUST_", "", read_intel_choice},
    {"oneccl", "CCL_", "", read_ccl_choice},
    {"open-mpi", "coll_tuned_", "_algorithm", read_forced},
    {"mpich", "MPIR_CVAR_", "_INTRA_ALGORITHM", read_forced},
    {"nccl", "NCCL_", "", NULL},
    {"rccl", "NCCL_", "", NULL},
};

/* What variables beside those for collectives say. False: nothing. */
static bool read_other(Reader *reader, Setting *variables, const char *before, Span name,
                       Span value)
{
    TuningReader *in = reader->in;
    static const char segment[] = "_algorithm_segmentsize";
    int64_t number;
    if (text_equals(text_of(name), "NCCL_ALGO"))
        reader->algorithm = value;
    else if (text_equals(text_of(name), "NCCL_PROTO"))
        reader->protocol = value;
    else if (text_ends(text_of(name), "coll_tuned_use_dynamic_rules"))
        reader->is_dynamic = is_number(value, &number)
                                 ? number > 0
                                 : is_word(value, "true") || is_word(value, "yes");
    else if (text_ends(text_of(name), "coll_tuned_dynamic_rules_filename"))
        tuning_fault(in, FAULT(RULES_FIRST), value);
    else if (text_begins(text_of(name), before) && text_ends(text_of(name), "_MSG_SIZE"))
        tuning_fault(in, FAULT(THRESHOLD), name);
    else if (is_number(value, &number) && text_ends(text_of(name), segment) &&
             find_collective(in, before, segment, name) < in->format->count)
        variables[find_collective(in, before, segment, name)].segment = number;
    else
        return false;
    return true;
}

/* NCCL_ALGO and NCCL_PROTO are for all collectives. */
static void set_words(TuningReader *in, Span algorithm, Span protocol)
{
    const char *const *protocols = in->format->protocols;
    TuningRules *rules = &in->file->rules;
    int p = 0;
    size_t at;
    bool is_known = false;
    while (protocols[p] && !(protocol.source && is_word(protocol, protocols[p])))
        p++;
    for (int c = 0; c < in->format->count && algorithm.source && protocols[p]; c++) {
        TuningRule *rule = ARRAY_PUSH(in->arena, rules);
        *rule = rule_of(&(Reader){.collective = c, .choice = algorithm});
        at = 0;
        while ((rule->runs = tuned_next(in, c, &at)) && !is_word(algorithm, rule->runs->name))
            ;
        rule->protocol = p;
        rule->aborts_from = !rule->runs;
        is_known |= rule->runs != NULL;
    }
    rules->count = is_known ? rules->count : 0;
    if (!is_known)
        tuning_fault(in, FAULT(LEFT), algorithm.source ? algorithm : protocol);
    for (size_t i = 0; i < rules->count; i++)
        if (!rules->items[i].runs)
            tuning_fault(in, FAULT(NO_ALGO), algorithm,
                         in->format->collectives[rules->items[i].collective].name);
}

static bool read_variables(TuningReader *in, const Family *family)
{
    const bool is_last = in->format == &tuning_format_oneccl; /* the choice that counts */
    const bool is_open = family->before == families[2].before;
    const Span whole = {in->source, 0, in->source->length};
    TuningRules *rules = &in->file->rules;
    Setting variables[MOST_SET] = {0};
    Reader reader = {.in = in};
    Span name, value, forced = {0};
    size_t at = 0;
    bool is_any = false;
    for (Span line; next_line(whole, &at, &line);)
        for (size_t within = 0; next_assignment(line, &within, &name, &value);) {
            reader.collective = find_collective(in, family->before, family->after, name);
            if (reader.collective == in->format->count) {
                is_any |= read_other(&reader, variables, family->before, name, value);
                continue;
            }
            is_any = true;
            forced = name;
            set_variable(&reader, &variables[reader.collective], line);
            reader.choice = value;
            if (memchr(chars_of(value), '$', value.length)) {
                tuning_fault(in, FAULT(COMPUTED), value);
                add_rule(&reader, rule_of(&reader), value);
            } else
                read_choices(&reader, value, family->read_choice);
            variables[reader.collective].end = rules->count;
            if (!value.length)
                tuning_fault(in, FAULT(NO_RULES), name);
        }
    for (size_t i = 0; i < rules->count && is_open; i++)
        rules->items[i].segment = variables[rules->items[i].collective].segment;
    if (is_any && in->format->protocols)
        set_words(in, reader.algorithm, reader.protocol);
    if (is_open && forced.source && !reader.is_dynamic)
        tuning_fault(in, FAULT(NOT_DYNAMIC), forced);
    for (int c = 0; c < in->format->count && is_last; c++)
        if (variables[c].place.source)
            tell_gap(in, &variables[c]);
    return is_any;
}

bool tuning_read_settings(TuningReader *in)
{
    const bool is_object = in->source->length && *in->source->text == '{';
    for (size_t i = 0; i < COUNT_OF(families); i++)
        if (strcmp(in->format->library, families[i].library) == 0)
            return (!is_object || !families[i].read_choice) && read_variables(in, &families[i]);
    return false;
}

static void tell_unset(TuningReader *in)
{
    const bool is_intel = in->format == &tuning_format_intel_mpi;
    tuning_fault(in, FAULT(UNSET), (Span){in->source, in->source->length, 0},
                 is_intel ? "a variable I_MPI_ADJUST_..." : "a variable CCL_...");
}

const TuningFormat tuning_format_intel_mpi = {
    .library = "intel-mpi",
    .collectives = intel_collectives,
    .count = INTEL_COUNT,
    .read = tell_unset,
};

const TuningFormat tuning_format_oneccl = {
    .library = "oneccl",
    .collectives = ccl_collectives,
    .count = CCL_COUNT,
    .read = tell_unset,
};
