#include "cli/query.h"

#include "cli/models.h"
#include "study/study.h"

#include <string.h>

/* What these options say of a study, in the order in which it is told. */
static const OptionId conditions[] = {
    OPTION_SWITCHING, OPTION_CONTENTION,   OPTION_DUPLEX,      OPTION_COMBINING,
    OPTION_OVERLAP,   OPTION_ASYNCHRONOUS, OPTION_POSTING,     OPTION_FINISH,
    OPTION_TIES,      OPTION_REAL_K,       OPTION_CEIL_CHUNKS,
};
static const OptionId subjects[] = {
    OPTION_FOR,   OPTION_USING, OPTION_AMONG, OPTION_WITHOUT, OPTION_COMPOSE, OPTION_ELEMENT,
    OPTION_LOADS, OPTION_ROOT,  OPTION_FROM,  OPTION_TO,      OPTION_WEIGHTS,
};

static bool tell(Query *query, const char *name, Text value)
{
    return study_set(&query->study, text_plain(name), value);
}

static bool tell_options(Query *query, const OptionId *options, size_t count)
{
    const CommandLine *line = query->line;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        if (!option_given(line, options[i]))
            continue;
        const char *name = option_name(options[i]);
        good = tell(query, name,
                    option_is_flag(options[i]) ? source_argument(line->arena, name, "yes")
                                               : option_value(line, options[i]));
    }
    return good;
}

enum { MOST_PORTS_MORE = 63 };

static bool read_machine(Query *query)
{
    static const char *const free[] = {"k", "segment", "radix", "fanout"};
    const CommandLine *line = query->line;
    const TextArray *settings = &line->values[OPTION_SET];
    /* That which is asked for, or which a file has beside the network that is asked for. */
    const Library *library = query->study.library;
    const bool is_shown = line->command && line->command->shows_models && line->operands.count;
    Text network = option_given(line, OPTION_TOPOLOGY) ? option_value(line, OPTION_TOPOLOGY)
                   : is_shown                          ? line->operands.items[0]
                                                       : text_plain("");
    Text sizes;
    text_split(network, ':', &network, &sizes);
    const char *beside = library_first_of(library, network, KIND_MACHINE);
    const Text machine =
        option_given(line, OPTION_MACHINE)
            ? models_name_in(library, option_value(line, OPTION_MACHINE), KIND_MACHINE)
            : source_argument(line->arena, "--machine", beside ? beside : default_machine);
    if (!tell(query, "machine", machine))
        return false;
    for (size_t i = 0; i < settings->count; i++) {
        /* "k=7", "ts=1us", "bandwidth=64GB/s" */
        Text name, value;
        if (!text_split(settings->items[i], '=', &name, &value))
            return diag_error(line->diag, settings->items[i].span, "expected NAME=VALUE");
        name = text_trim(name);
        if (value.length && strpbrk(value.chars, "=,"))
            return diag_error(line->diag, settings->items[i].span, "one --set gives one parameter");
        const size_t found = text_among(name, free, COUNT_OF(free));
        if (!(found < COUNT_OF(free) ? tell(query, free[found], value)
                                     : study_set_parameter(&query->study, name, value)))
            return false;
    }
    if (option_given(line, OPTION_OVERLAP) && option_given(line, OPTION_COMBINING) &&
        !text_equals(option_value(line, OPTION_COMBINING), combining_names[COMBINING_OVERLAP]))
        return diag_error(line->diag, option_value(line, OPTION_COMBINING).span,
                          "--overlap means --combining overlap");
    if (option_given(line, OPTION_PORTS)) {
        /* A formula can be judged for a range of ports, of which the study is told the first. */
        Text from = option_value(line, OPTION_PORTS), to;
        const bool is_range = text_range(from, &from, &to);
        if (is_range && !(line->command && line->command->options & OPTION_BIT(READ)))
            return diag_error(line->diag, option_value(line, OPTION_PORTS).span,
                              "--ports takes one number here; 'judge' takes a range");
        if (!tell(query, "ports", from))
            return false;
        const int64_t least = query->study.rules.ports;
        if (is_range && !quantity_parse_integer(to, least, least + MOST_PORTS_MORE,
                                                &query->most_ports, line->diag))
            return false;
    }
    return tell_options(query, conditions, COUNT_OF(conditions));
}

bool query_read_format(const CommandLine *line, Format *format)
{
    *format = FORMAT_TEXT;
    if (!option_given(line, OPTION_OUTPUT))
        return true;
    Text text = option_value(line, OPTION_OUTPUT);
    *format = format_find(text);
    if (*format != FORMAT_COUNT)
        return true;
    diag_error(line->diag, text.span, "unknown format '%s'", text.chars);
    const char *end = strrchr(text.chars, '.');
    if (!diag_note_foreign(line->diag, FOREIGN_FORMAT, text_plain(end ? end + 1 : text.chars)))
        diag_note(line->diag, NOWHERE, "formats are text, csv, json, markdown, latex and html");
    return false;
}

/* Synthesis makes a network of members; other commands ask about groups of them. */
static bool asks_for_groups(const CommandLine *line)
{
    return (line->command->options & OPTION_BIT(ALONG)) &&
           (option_given(line, OPTION_ALONG) || option_given(line, OPTION_MEMBERS));
}

static Query create_query(const CommandLine *line)
{
    if (line->misfit)
        *line->misfit = NULL; /* of another machine of the line */
    return (Query){.line = line,
                   .study.arena = line->arena,
                   .study.diag = line->diag,
                   .study.target = -1,
                   .study.element = 8,
                   .study.effects = line->effects,
                   .study.misfit = line->misfit};
}

static bool read_options(Query *query)
{
    const CommandLine *line = query->line;
    if (!query_read_format(line, &query->format))
        return false;
    /* What -m means: m as in MPI, or the size that nccl-tests prints. */
    const Text sizes = option_given(line, OPTION_SIZES)
                           ? option_value(line, OPTION_SIZES)
                           : source_argument(query->study.arena, "--sizes", "mpi");
    query->nccl_sizes = text_equals(sizes, "nccl");
    query->m_count = 1;
    if (!query->nccl_sizes && !text_equals(sizes, "mpi")) {
        diag_error(line->diag, sizes.span, "invalid value '%s'", sizes.chars);
        return diag_note(
            line->diag, NOWHERE,
            "valid values are mpi and nccl; the message size itself is given with --size or -m");
    }
    /* Answers that are not known for blocks of unequal sizes. */
    const OptionId alike = option_among(line, OPTIONS(FLOW, CERTIFICATE, BANDWIDTHS, SYNTHESIZE));
    if (alike != OPTION_COUNT && option_given(line, OPTION_WEIGHTS))
        return diag_error(line->diag, option_value(line, OPTION_WEIGHTS).span,
                          "--%s is for blocks of equal sizes", option_name(alike));
    query->study.library = models_of_line(line);
    if (!query->study.library || !read_machine(query) || !query_read_networks(query) ||
        !query_read_sizes(query))
        return false;
    return tell_options(query, subjects, COUNT_OF(subjects)) && query_read_orders(query);
}

Table *query_table(const Query *query, TableId id)
{
    return line_table(query->line, query->format, id);
}

bool query_read(const CommandLine *line, Query *query)
{
    *query = create_query(line);
    return read_options(query);
}

static bool require_ranks(const Query *query)
{
    const CommandLine *line = query->line;
    if (query->ranks.count)
        return true;
    Span span =
        option_given(line, OPTION_TOPOLOGY) ? option_value(line, OPTION_TOPOLOGY).span : NOWHERE;
    if (query->topology->dimensions == DIMENSIONS_NAMED &&
        !topology_allows(query->topology, 1, span, query->study.diag))
        return false;
    return line_lacks(line, NOWHERE, OPTION_RANKS,
                      arena_printf(line->arena,
                                   "the number of ranks is missing: give -t %s:8, or -p 8",
                                   query->topology->head.name));
}

bool query_settle_ranks(Query *query)
{
    const CommandLine *line = query->line;
    static const OptionId options[] = {OPTION_ALONG, OPTION_MEMBERS};
    if (!require_ranks(query))
        return false;
    if (!asks_for_groups(line))
        return true;
    /* Answers that are not known for groups. */
    const OptionId whole = option_among(line, OPTIONS(FLOW, CERTIFICATE, TRAFFIC, SYNTHESIZE));
    if (whole != OPTION_COUNT)
        return diag_error(line->diag,
                          option_value(line, options[!option_given(line, OPTION_ALONG)]).span,
                          "--%s is for all ranks of a network", option_name(whole));
    if (!tell_options(query, options, COUNT_OF(options)))
        return false;
    for (size_t i = 0; i < query->ranks.count; i++) {
        Shape *shape = ARENA_NEW(query->study.arena, Shape);
        Network network;
        *shape = query_shape(query, i);
        query->shapes.items[i] = shape;
        if (!query_network(query, i, &network))
            return false;
        query->ranks.items[i] = network.p;
        study_share(&query->study, &network);
    }
    return true;
}

bool query_settle_file_ranks(Query *query, int64_t p, Span file)
{
    if (!query->ranks.count) {
        *ARRAY_PUSH(query->study.arena, &query->ranks) = p;
        *ARRAY_PUSH(query->study.arena, &query->shapes) = NULL;
        return topology_allows(query->topology, p, file, query->study.diag);
    }
    return (query->ranks.count == 1 && query->ranks.items[0] == p) ||
           diag_error(query->study.diag, file, "this schedule is for p = %lld", (long long)p);
}

bool query_network(const Query *query, size_t index, Network *network)
{
    const Shape shape = query_shape(query, index);
    return study_network(&query->study, query->topology, &shape, network);
}

bool query_answered(const Query *query, collcost_status status)
{
    return workspace_answered(arena_workspace(query->study.arena), status);
}

bool query_check_ends(const Query *query, const Collective *collective)
{
    const CommandLine *line = query->line;
    if (!study_check_ends(&query->study, collective))
        return false;
    if (!collective->targeted || !option_given(line, OPTION_FROM) ||
        !option_given(line, OPTION_ROOT))
        return true;
    return diag_error(query->study.diag, option_value(line, OPTION_FROM).span,
                      "--root and --from both name the sender");
}

const Algorithm *query_algorithm(const Query *query, Text operand)
{
    return subject_algorithm(&query->study, operand);
}

bool query_subject(const Query *query, Text operand, const Collective **collective,
                   const Algorithm **algorithm)
{
    return subject_read(&query->study, operand, collective, algorithm);
}

bool query_check_library(const Query *query, const Algorithm *algorithm, Span span)
{
    const Study *study = &query->study;
    if (!study->implementation || !algorithm || study_library_algorithm(study, algorithm))
        return true;
    const char *library =
        arena_printf(study->arena, "%s@%s", study->implementation->head.name, study->version);
    diag_error(study->diag, span, "%s does not run %s", library,
               algorithm_full_name(study->arena, algorithm));
    return diag_note(study->diag, NOWHERE, "'list %s --for %s' lists what it runs",
                     algorithm->collective->head.name, library);
}

static bool read_subject(Query *query)
{
    return subject_read(&query->study, query->line->operands.items[0], &query->collective,
                        &query->only) &&
           query_check_subject(query, query->collective) &&
           query_check_library(query, query->only, query->line->operands.items[0].span);
}

bool query_read_subject(const CommandLine *line, Query *query)
{
    return query_read(line, query) && read_subject(query) && query_settle_ranks(query);
}

bool query_read_subject_over_ranks(const CommandLine *line, Query *query)
{
    *query = create_query(line);
    query->is_over_ranks = true;
    if (asks_for_groups(line))
        return diag_error(line->diag, NOWHERE, "groups of ranks have switch points by size only");
    return read_options(query) && read_subject(query) && require_ranks(query);
}

bool query_read_subject_sweeping(const CommandLine *line, int64_t most, Query *query)
{
    if (!query_read(line, query))
        return false;
    query_sweep_ranks(query, most);
    return read_subject(query) && require_ranks(query);
}

/* Options that one of the two kinds of subject has, and what to say to the other kind. */
typedef struct {
    OptionId option;
    bool of_problems;
    const char *message; /* behind the name of the subject */
} OptionOfKind;

static const OptionOfKind options_of_kinds[] = {
    {OPTION_WEIGHTS, false, "is a product of matrices: weights are for blocks of collectives"},
    {OPTION_FINISH, false, "is a product of matrices: a mean over ranks is for collectives"},
    {OPTION_SIZE, false, "is a product of matrices: give their order, -n 1024"},
    {OPTION_SIZES, false, "is a product of matrices: give their order, -n 1024"},
    {OPTION_ROOT, false, "has no root"},
    {OPTION_ALONG, false, "is a product of matrices: groups of ranks are for collectives"},
    {OPTION_MEMBERS, false, "is a product of matrices: groups of ranks are for collectives"},
    {OPTION_TOLERANCE, false, "is a problem: --tolerance applies to collectives"},
    {OPTION_VARY, false, "is a problem: --vary applies to collectives"},
    {OPTION_RULES, false, "is a problem: --rules applies to collectives"},
    {OPTION_OVER, false,
     "is a problem: give one -n and several -p for switch points over the ranks"},
    {OPTION_ORDER, true, "is a collective, which has no order: -m is the size of its messages"},
};

bool query_check_subject(const Query *query, const Collective *collective)
{
    study_note(&query->study, "element", collective->problem != NULL);
    for (size_t i = 0; i < COUNT_OF(options_of_kinds); i++) {
        const OptionOfKind *foreign = &options_of_kinds[i];
        bool is_problem = collective->problem != NULL;
        if (foreign->of_problems == is_problem || !option_is_spoken(query->line, foreign->option))
            continue;
        return diag_error(query->study.diag, option_value(query->line, foreign->option).span,
                          "%s %s", collective->head.name, foreign->message);
    }
    return true;
}

bool query_is_collective(const Query *query, Text operand, const Collective *collective)
{
    return !collective->problem ||
           diag_error(query->study.diag, operand.span,
                      "%s is a problem, not a collective: use cost, scale, switch, trace or verify",
                      collective->head.name);
}
