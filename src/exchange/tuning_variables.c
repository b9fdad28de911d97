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

#include <ctype.h>
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
    Text place; /* where it is set last; no characters: nowhere */
    size_t first, end;
    int64_t segment; /* of Open MPI's algorithm */
} Setting;

typedef struct {
    TuningReader *in;
    const struct Family *family;
    Setting variables[MPICH_COUNT]; /* of each collective, of which no library has more */
    int collective;
    size_t first; /* choice of the variable */
    Text choice;
    Text set;      /* the last variable of a collective */
    Text words[2]; /* what the family's words are */
} Reader;

/* The variables by which a library chooses. */
typedef struct Family {
    const char *library;
    const char *before,
        *after;           /* of a collective in the name of its variable; NULL: none has one */
    const char *words[2]; /* variables for all collectives; NULL: none */
    void (*read_choice)(Reader *reader); /* one of its choices */
    bool has_no_others;                  /* whose name begins like that of a collective */
    /* what the name of a size ends with, and who reads it; false: it says nothing; NULL: no sizes
     */
    const char *size;
    bool (*read_size)(Reader *reader, Text name, Text value);
    void (*end)(Reader *reader); /* what follows of all of them; NULL: nothing */
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
                        .span = reader->choice.span};
}

static void add_rule(Reader *reader, TuningRule rule, Text place)
{
    TuningReader *in = reader->in;
    TuningRules *rules = &in->file->rules;
    bool is_shared = false;
    for (size_t i = first_compared(reader); i < rules->count; i++)
        is_shared |= tuning_overlap(&rules->items[i], &rule);
    rule.span = place.span;
    if (!tuning_is_reached(in, &rule, place.span, reader->first, 0))
        tuning_empty(&rule);
    else if (is_shared && (rule.from_size > 0 || rule.below_size < INT64_MAX))
        tuning_fault(in, FAULT(SHARED), place.span, "first");
    *ARRAY_PUSH(in->arena, rules) = rule;
}

/* 8:1025-1048576@64-256,2097152: an algorithm by number, for sizes and numbers of ranks. */
static void read_intel_choice(Reader *reader)
{
    TuningReader *in = reader->in;
    const Text choice = reader->choice;
    Text rest = choice, number = {0}, conditions = {0}, one;
    TuningRule rule = rule_of(reader);
    next_part(&rest, ':', &number);
    number = strip(number, " ");
    const bool has_conditions = next_part(&rest, ':', &conditions);
    if (!number.length || !is_number(number, &rule.algorithm) || next_part(&rest, ':', &one)) {
        tuning_fault(in, FAULT(NO_CHOICE), choice.span);
        return;
    }
    rule.runs = tuned_numbered(in, reader->collective, rule.algorithm);
    if (rule.algorithm && !rule.runs)
        tuning_fault(in, FAULT(NOT_KNOWN), number.span, rule.algorithm,
                     in->format->collectives[reader->collective].name);
    if (!has_conditions)
        add_rule(reader, rule, choice);
    while (has_conditions && next_part(&conditions, ',', &one)) {
        Text ends = one, sizes = {0}, ranks = {0};
        TuningRule part = rule;
        next_part(&ends, '@', &sizes);
        const bool has_ranks = next_part(&ends, '@', &ranks);
        if (*one.chars == '@' ||
            !take_span(strip(sizes, " "), "max", &part.from_size, &part.below_size) ||
            (has_ranks &&
             !take_span(strip(ranks, " "), "max", &part.from_ranks, &part.below_ranks)))
            tuning_fault(in, FAULT(NO_SIZES), one.span);
        else
            add_rule(reader, part, one);
    }
}

/* ring:8193-max: an algorithm by name, for sizes. */
static void read_ccl_choice(Reader *reader)
{
    TuningReader *in = reader->in;
    TuningRules *rules = &in->file->rules;
    Text rest = reader->choice, name = {0}, range = {0}, more;
    TuningRule rule = rule_of(reader);
    next_part(&rest, ':', &name);
    const bool has_range = next_part(&rest, ':', &range);
    const bool has_more = next_part(&rest, ':', &more);
    rule.runs = tuned_named(in, reader->collective, name);
    if (!rule.runs) {
        tuning_fault(in, FAULT(NO_CCL), name.span,
                     in->format->collectives[reader->collective].name);
        return;
    }
    if (has_range && (has_more || !take_span(range, "max", &rule.from_size, &rule.below_size) ||
                      rule.from_size >= rule.below_size)) {
        tuning_fault(in, FAULT(NO_RANGE), range.span);
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
        tuning_fault(in, FAULT(SHARED), reader->choice.span, "last");
    *ARRAY_PUSH(in->arena, rules) = rule;
}

/* Sizes that the choices for a collective leave out. */
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
        tuning_fault(in, FAULT(GAP), variable->place.span, from,
                     next > from + 1 ? " and more, up to the next choice," : "");
}

static void end_ccl(Reader *reader)
{
    TuningRule *rules = reader->in->file->rules.items;
    for (int c = 0; c < reader->in->format->count; c++) {
        const Setting *variable = &reader->variables[c];
        for (size_t i = variable->first, j = variable->end; i + 1 < j; i++) { /* the last counts */
            const TuningRule one = rules[--j];
            rules[j] = rules[i];
            rules[i] = one;
        }
        if (variable->place.chars)
            tell_gap(reader->in, variable);
    }
}

/* The collective of a variable with that behind it; their count: none. */
static int find_collective(const Reader *reader, const char *after, Text name)
{
    TuningReader *in = reader->in;
    const char *const before = reader->family->before;
    const char *found = memmem(name.chars, name.length, before, strlen(before));
    const size_t start = found ? (size_t)(found - name.chars) + strlen(before) : 0;
    const size_t taken = start + strlen(after);
    int c = 0;
    if (!found || (found > name.chars && found[-1] != '_') || taken >= name.length ||
        !text_ends(name, after))
        return in->format->count;
    const Text collective = text_slice(name, start, name.length - taken);
    while (c < in->format->count && !text_like(collective, in->format->collectives[c].name))
        c++;
    if (c == in->format->count && text_ends(name, "_SCALEOUT"))
        tuning_fault(in, FAULT(SCALEOUT), name.span);
    else if (c == in->format->count && reader->family->has_no_others)
        tuning_fault(in, FAULT(NOT_LOOKED_AT), name.span);
    return c;
}

/* ring, or 4: an algorithm of Open MPI by name or number, for all calls. */
static void read_mca_choice(Reader *reader)
{
    TuningReader *in = reader->in;
    const TunedCollective *tuned = &in->format->collectives[reader->collective];
    TuningRule rule = rule_of(reader);
    const bool has_number = is_number(reader->choice, &rule.algorithm);
    rule.runs = has_number ? tuned_numbered(in, reader->collective, rule.algorithm)
                           : tuned_named(in, reader->collective, reader->choice);
    if (text_like(reader->choice, "ignore"))
        rule.algorithm = 0;
    else if (!has_number)
        rule.algorithm = rule.runs ? rule.runs->number : -1;
    if (has_number ? rule.algorithm > open_mpi_most_algorithms(in->version, reader->collective)
                   : rule.algorithm && !rule.runs && *tuned->collective) {
        tuning_fault(in, FAULT(NO_FORCED), reader->choice.span, in->version, tuned->name);
        rule.algorithm = 0;
    }
    rule.fanout = 4; /* of a chain that is forced */
    *ARRAY_PUSH(in->arena, &in->file->rules) = rule;
}

static bool read_segment(Reader *reader, Text name, Text value)
{
    int64_t size;
    const int c = find_collective(reader, reader->family->size, name);
    const bool is_read = c < reader->in->format->count && is_number(value, &size);
    if (is_read)
        reader->variables[c].segment = size;
    return is_read;
}

static void end_mca(Reader *reader)
{
    TuningReader *in = reader->in;
    TuningRules *rules = &in->file->rules;
    const Text dynamic = reader->words[0], file = reader->words[1];
    int64_t number;
    for (size_t i = 0; i < rules->count; i++)
        rules->items[i].segment = reader->variables[rules->items[i].collective].segment;
    if (file.chars)
        tuning_fault(in, FAULT(RULES_FIRST), file.span);
    if (reader->set.chars &&
        !(dynamic.chars && (text_like(dynamic, "true") || text_like(dynamic, "yes") ||
                            (is_number(dynamic, &number) && number > 0))))
        tuning_fault(in, FAULT(NOT_DYNAMIC), reader->set.span);
}

/* An algorithm of MPICH by name, for all calls. */
static void read_cvar_choice(Reader *reader)
{
    TuningReader *in = reader->in;
    const TunedCollective *tuned = &in->format->collectives[reader->collective];
    TuningRule rule = rule_of(reader);
    rule.runs = tuned_named(in, reader->collective, reader->choice);
    if (text_like(reader->choice, "auto"))
        rule.algorithm = 0;
    else if (rule.runs)
        rule.algorithm = rule.runs->number;
    else if (*tuned->collective && !text_like(reader->choice, "nb") &&
             !text_like(reader->choice, "smp"))
        tuning_fault(in, FAULT(NO_CVAR), reader->choice.span, in->version, tuned->name);
    *ARRAY_PUSH(in->arena, &in->file->rules) = rule;
}

static bool read_threshold(Reader *reader, Text name, Text value)
{
    (void)value;
    tuning_fault(reader->in, FAULT(THRESHOLD), name.span);
    return true;
}

/* "NAME=VALUE ./a", "mpirun --mca NAME VALUE ./a": it is set for this command alone. */
static bool is_of_command(Text line)
{
    static const char *const others[] = {"export", "setenv", "set", "declare", "ENV", "env:"};
    Text first, rest = line, name, value;
    size_t at = 0;
    if (!next_part(&rest, ' ', &first) || !next_assignment(line, &at, &name, &value))
        return false;
    const bool has_none = !memchr(first.chars, '=', first.length) && first.chars == name.chars;
    return !has_none && text_among(first, others, COUNT_OF(others)) == COUNT_OF(others) &&
           !strchr("-\"'{[", *first.chars) && text_trim(rest).length;
}

/* "NVLSTree" for nvls_tree, as NCCL's variables have it. */
static bool is_nccl_word(Text word, const char *name)
{
    size_t i = 0;
    for (; *name; name++)
        if (*name != '_' && (i == word.length || tolower((unsigned char)word.chars[i++]) != *name))
            return false;
    return i == word.length;
}

/* Words as in "^tree", "ring,nvls", "allreduce:tree;broadcast:ring". */
static void check_nccl_words(TuningReader *in, Text value, const char *const *words)
{
    Text part, list, word;
    if (memchr(value.chars ? value.chars : "", '$', value.length)) {
        tuning_fault(in, FAULT(COMPUTED), value.span);
        return;
    }
    while (next_part(&value, ';', &part)) {
        bool has_collective = next_part(&part, ':', &list) && part.length;
        int c = in->format->count;
        for (int i = 0; has_collective && i < in->format->count; i++)
            if (text_like(list, in->format->collectives[i].name))
                c = i;
        if (has_collective && c == in->format->count)
            tuning_fault(in, FAULT(NO_WORD_OF_NCCL), list.span, TEXT_ARGS(list));
        if (has_collective)
            next_part(&part, ':', &list);
        if (text_begins(list, "^"))
            list = text_behind(list, 1);
        while (next_part(&list, ',', &word)) {
            int i = 0;
            while (words[i] && !is_nccl_word(word, words[i]))
                i++;
            if (!words[i])
                tuning_fault(in, FAULT(NO_WORD_OF_NCCL), word.span, TEXT_ARGS(word));
        }
    }
}

/* NCCL_ALGO and NCCL_PROTO are for all collectives. */
static void end_nccl(Reader *reader)
{
    TuningReader *in = reader->in;
    const Text algorithm = reader->words[0], protocol = reader->words[1];
    const char *const *protocols = in->format->protocols;
    TuningRules *rules = &in->file->rules;
    int p = 0;
    size_t at;
    bool is_known = false;
    check_nccl_words(in, algorithm, nccl_algorithms);
    check_nccl_words(in, protocol, protocols);
    if (in->file->findings.count)
        return;
    while (protocols[p] && !(protocol.chars && text_like(protocol, protocols[p])))
        p++;
    for (int c = 0; c < in->format->count && algorithm.chars && protocols[p]; c++) {
        TuningRule *rule = ARRAY_PUSH(in->arena, rules);
        *rule = rule_of(&(Reader){.collective = c, .choice = algorithm});
        at = 0;
        while ((rule->runs = tuned_next(in, c, &at)) && !is_nccl_word(algorithm, rule->runs->name))
            ;
        rule->protocol = p;
        rule->aborts_from = !rule->runs;
        is_known |= rule->runs != NULL;
    }
    rules->count = is_known ? rules->count : 0;
    if (!is_known)
        tuning_fault(in, FAULT(LEFT), algorithm.chars ? algorithm.span : protocol.span);
    for (size_t i = 0; i < rules->count; i++)
        if (!rules->items[i].runs)
            tuning_fault(in, FAULT(NO_ALGO), algorithm.span,
                         in->format->collectives[rules->items[i].collective].name);
}

static const Family families[] = {
    {"intel-mpi", "I_MPI_ADJUST_", "", {0}, read_intel_choice, .has_no_others = true},
    {"oneccl", "CCL_", "", {0}, read_ccl_choice, .end = end_ccl},
    {"open-mpi",
     "coll_tuned_",
     "_algorithm",
     {"coll_tuned_use_dynamic_rules", "coll_tuned_dynamic_rules_filename"},
     read_mca_choice,
     .size = "_algorithm_segmentsize",
     .read_size = read_segment,
     .end = end_mca},
    {"mpich",
     "MPIR_CVAR_",
     "_INTRA_ALGORITHM",
     {0},
     read_cvar_choice,
     .size = "_MSG_SIZE",
     .read_size = read_threshold},
    {"nccl", .words = {"NCCL_ALGO", "NCCL_PROTO"}, .end = end_nccl},
    {"rccl", .words = {"NCCL_ALGO", "NCCL_PROTO"}, .end = end_nccl},
};

/* What a variable beside those of collectives says. False: nothing. */
static bool read_other(Reader *reader, Text name, Text value)
{
    const Family *family = reader->family;
    const Text text = name;
    for (size_t i = 0; i < COUNT_OF(family->words); i++)
        if (family->words[i] && text_ends(text, family->words[i]) &&
            (text_begins(text, family->words[i]) || text_holds(text, "MCA_"))) {
            reader->words[i] = value;
            return true;
        }
    return family->size && text_holds(text, family->before) && text_ends(text, family->size) &&
           family->read_size(reader, name, value);
}

/* A variable of a collective is set; what it was before does not count. */
static void read_setting(Reader *reader, Text line, Text name, Text value)
{
    TuningReader *in = reader->in;
    TuningRules *rules = &in->file->rules;
    Setting *variable = &reader->variables[reader->collective];
    /* "$NAME", "${NAME}", "${NAME:-1}": its own value, as in -genv NAME $NAME */
    const size_t start = text_begins(value, "${") ? 2 : text_begins(value, "$") ? 1 : 0;
    const size_t end = start + name.length;
    reader->set = name;
    if (variable->place.chars && start && value.length >= end &&
        text_same(text_slice(value, start, name.length), name) &&
        (end == value.length || strchr("}:-", value.chars[end])))
        return;
    if (variable->place.chars && variable->place.chars != line.chars &&
        is_of_command(variable->place) && is_of_command(line))
        tuning_fault(in, FAULT(OTHER_COMMAND), variable->place.span);
    else if (variable->place.chars)
        tuning_fault(in, FAULT(AGAIN), variable->place.span);
    for (size_t i = variable->first; i < variable->end; i++)
        tuning_empty(&rules->items[i]);
    variable->place = line;
    variable->first = reader->first = rules->count;
    reader->choice = value;
    if (text_holds(value, "$") || text_holds(value, "`") || text_holds(value, "(")) {
        tuning_fault(in, FAULT(COMPUTED), value.span);
        add_rule(reader, rule_of(reader), value);
    } else
        for (Text rest = value; next_part(&rest, ';', &reader->choice);) {
            reader->choice = strip(reader->choice, " ");
            reader->family->read_choice(reader);
        }
    variable->end = rules->count;
    if (!value.length)
        tuning_fault(in, FAULT(NO_RULES), name.span);
}

bool tuning_read_settings(TuningReader *in)
{
    const Text all = whole_of(in->source);
    /* trees of rules, whose remarks name variables */
    const bool is_tree = text_begins(all, "{") &&
                         (text_holds(all, "\"collectives\"") || text_holds(all, "collective="));
    const Family *family = NULL;
    for (size_t i = 0; i < COUNT_OF(families) && !family; i++)
        if (strcmp(in->format->library, families[i].library) == 0)
            family = &families[i];
    if (!family || (is_tree && family->before))
        return false;
    Text rest = all;
    Reader reader = {.in = in, .family = family, .collective = in->format->count};
    Text name, value;
    bool is_any = false;
    for (Text line; next_line(&rest, &line);)
        for (size_t within = 0; next_assignment(line, &within, &name, &value);) {
            if (family->before)
                reader.collective = find_collective(&reader, family->after, name);
            const bool is_other = reader.collective == in->format->count;
            is_any |= !is_other || read_other(&reader, name, value);
            if (!is_other)
                read_setting(&reader, line, name, value);
        }
    if (is_any && family->end)
        family->end(&reader);
    return is_any;
}

static void tell_unset(TuningReader *in)
{
    const bool is_intel = in->format == &tuning_format_intel_mpi;
    if (in->file->findings.count) /* which say what is set beside rules */
        return;
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
