#include "cli/query.h"

#include "cli/context.h"
#include "cli/models.h"
#include "net/measure.h"
#include "study/settings.h"
#include "study/subject.h"

#include <string.h>

static const char default_topology[] = "full";

enum { MOST_VALUES = 1 << 20 };

/* What these options say of a study, in the order in which it is told. */
static const OptionId conditions[] = {
    OPTION_PORTS,     OPTION_SWITCHING, OPTION_CONTENTION,   OPTION_DUPLEX,
    OPTION_COMBINING, OPTION_OVERLAP,   OPTION_ASYNCHRONOUS, OPTION_POSTING,
    OPTION_FINISH,    OPTION_TIES,      OPTION_REAL_K,       OPTION_CEIL_CHUNKS,
};
static const OptionId subjects[] = {
    OPTION_FOR,   OPTION_USING, OPTION_AMONG, OPTION_WITHOUT, OPTION_COMPOSE, OPTION_ELEMENT,
    OPTION_LOADS, OPTION_ROOT,  OPTION_FROM,  OPTION_TO,      OPTION_WEIGHTS,
};

static bool tell(Query *query, const char *name, Text value)
{
    return study_set(&query->study, (Text){.chars = name, .length = strlen(name)}, value);
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

/* "k=7", "ts=1us", "bandwidth=64GB/s" */
static bool read_setting(Query *query, Text setting)
{
    Text name, value;
    static const char *const free[] = {"k", "segment", "radix", "fanout"};
    if (text_split(setting, '=', &name, &value)) {
        for (size_t i = 0; i < sizeof free / sizeof *free; i++)
            if (text_equals(name, free[i]))
                return tell(query, free[i], value);
        return study_set_parameter(&query->study, name, value);
    }
    diag_error(query->study.diag, setting.span, "expected NAME=VALUE");
    return false;
}

static bool read_machine(Query *query)
{
    const CommandLine *line = query->line;
    const TextArray *settings = &line->values[OPTION_SET];
    bool good = tell(query, "machine",
                     option_given(line, OPTION_MACHINE)
                         ? option_value(line, OPTION_MACHINE)
                         : source_argument(line->arena, "--machine", default_machine));
    for (size_t i = 0; i < settings->count && good; i++)
        good = read_setting(query, settings->items[i]);
    if (good && option_given(line, OPTION_OVERLAP) && option_given(line, OPTION_COMBINING) &&
        !text_equals(option_value(line, OPTION_COMBINING), combining_names[COMBINING_OVERLAP])) {
        diag_error(line->diag, option_value(line, OPTION_COMBINING).span,
                   "--overlap means --combining overlap");
        return false;
    }
    return good && tell_options(query, conditions, sizeof conditions / sizeof *conditions);
}

static bool find_range(Text text, Text *from, Text *to)
{
    for (size_t i = 0; i + 1 < text.length; i++)
        if (text.chars[i] == '.' && text.chars[i + 1] == '.') {
            *from = text_slice(text, 0, i);
            *to = text_slice(text, i + 2, text.length - i - 2);
            return true;
        }
    return false;
}

/* Calls `read` for each piece of "a,b,c". */
static bool each_piece(Query *query, Text text, bool (*read)(Query *, Text))
{
    Text piece, rest = text;
    while (text_split(rest, ',', &piece, &rest))
        if (!read(query, piece))
            return false;
    return read(query, rest);
}

static void add_network(Query *query, int64_t p, const Shape *shape)
{
    *ARRAY_PUSH(query->study.arena, &query->ranks) = p;
    *ARRAY_PUSH(query->study.arena, &query->shapes) = shape;
}

static bool read_ranks_piece(Query *query, Text piece)
{
    Text from_text, to_text;
    int64_t from, to;
    if (!find_range(piece, &from_text, &to_text))
        from_text = to_text = piece;
    if (!quantity_parse_integer(from_text, 1, topology_most_ranks, &from, query->study.diag) ||
        !quantity_parse_integer(to_text, 1, topology_most_ranks, &to, query->study.diag))
        return false;
    if (to < from || to - from >= MOST_VALUES) {
        diag_error(query->study.diag, piece.span,
                   to < from ? "this range is empty: it ends below its start"
                             : "this range is too long");
        return false;
    }
    for (int64_t p = from; p <= to; p++)
        add_network(query, p, NULL);
    return true;
}

/* What stands behind the name of a topology: "4x8", "8", or a range of ranks. */
static bool read_shape_piece(Query *query, Text piece)
{
    Text from, to;
    Shape shape;
    if (find_range(piece, &from, &to))
        return read_ranks_piece(query, piece);
    if (!topology_parse_shape(query->topology, piece, &shape, query->study.diag))
        return false;
    add_network(query, shape.p, ARENA_COPY(query->study.arena, Shape, &shape, 1));
    return true;
}

static bool read_size(const Query *query, Text text, double *size)
{
    if (!quantity_parse(text, DIMENSION_BYTES, size, query->study.diag))
        return false;
    if (*size <= LARGEST_SIZE)
        return true;
    diag_error(query->study.diag, text.span, "a size is at most 2^53 bytes");
    return false;
}

/* LO..HI doubles from LO and ends with HI. */
static bool read_sizes_piece(Query *query, Text piece)
{
    Text from_text, to_text;
    double from, to;
    bool is_range = find_range(piece, &from_text, &to_text);
    if (!is_range)
        from_text = to_text = piece;
    if (!read_size(query, from_text, &from) || !read_size(query, to_text, &to))
        return false;
    query->is_range |= is_range;
    if (is_range && !(from > 0 && from <= to)) {
        diag_error(query->study.diag, piece.span,
                   "a range of sizes must start above 0 and increase");
        return false;
    }
    if (!is_range) {
        *ARRAY_PUSH(query->study.arena, &query->sizes) = from;
        return true;
    }
    for (double size = from; size < to; size *= 2)
        *ARRAY_PUSH(query->study.arena, &query->sizes) = size;
    *ARRAY_PUSH(query->study.arena, &query->sizes) = to;
    return true;
}

/* LO..HI doubles, as with sizes. */
static bool read_orders_piece(Query *query, Text piece)
{
    Text from_text, to_text;
    int64_t from, to;
    bool is_range = find_range(piece, &from_text, &to_text);
    if (!is_range)
        from_text = to_text = piece;
    if (!quantity_parse_integer(from_text, 1, LARGEST_ORDER, &from, query->study.diag) ||
        !quantity_parse_integer(to_text, 1, LARGEST_ORDER, &to, query->study.diag))
        return false;
    if (to < from) {
        diag_error(query->study.diag, piece.span, "this range is empty: it ends below its start");
        return false;
    }
    for (int64_t n = from; is_range && n < to; n *= 2)
        *ARRAY_PUSH(query->study.arena, &query->orders) = n;
    *ARRAY_PUSH(query->study.arena, &query->orders) = to;
    return true;
}

static bool read_matrices(Query *query)
{
    return !option_given(query->line, OPTION_ORDER) ||
           each_piece(query, option_value(query->line, OPTION_ORDER), read_orders_piece);
}

/* Over a range of ranks, those count that the topology allows. */
static void keep_allowed(Query *query)
{
    Diag silent = diag_silent();
    size_t kept = 0;
    for (size_t i = 0; i < query->ranks.count; i++) {
        int64_t p = query->ranks.items[i];
        if (!query->shapes.items[i] && !topology_allows(query->topology, p, NOWHERE, &silent))
            continue;
        query->ranks.items[kept] = p;
        query->shapes.items[kept++] = query->shapes.items[i];
    }
    if (kept > 0)
        query->ranks.count = query->shapes.count = kept;
}

/* Does the topology allow all numbers of ranks that came without sizes? */
static bool allow_ranks(Query *query, Span span)
{
    if (query->is_over_ranks)
        keep_allowed(query);
    for (size_t i = 0; i < query->ranks.count; i++)
        if (!query->shapes.items[i] &&
            !topology_allows(query->topology, query->ranks.items[i], span, query->study.diag))
            return false;
    return true;
}

static bool lie_alike(const Shape *a, const Shape *b)
{
    bool same = a->p == b->p && a->count == b->count;
    for (int i = 0; i < a->count && same; i++)
        same = a->sizes[i] == b->sizes[i];
    return same;
}

/* Is the network with number `index` given before it, too? */
static bool is_repeated(const Query *query, size_t index)
{
    const int64_t *ranks = query->ranks.items;
    for (size_t i = 0; i < index; i++) {
        if (ranks[i] != ranks[index])
            continue;
        Shape before = query_shape(query, i), now = query_shape(query, index);
        if (lie_alike(&before, &now))
            return true;
    }
    return false;
}

/* Networks that are given again count once. As long as numbers rise there are none. */
static void drop_repeated(Query *query)
{
    const int64_t *ranks = query->ranks.items;
    size_t kept = 0;
    while (kept < query->ranks.count && (kept == 0 || ranks[kept - 1] < ranks[kept]))
        kept++;
    for (size_t i = kept; i < query->ranks.count; i++)
        if (!is_repeated(query, i)) {
            query->ranks.items[kept] = query->ranks.items[i];
            query->shapes.items[kept++] = query->shapes.items[i];
        }
    query->ranks.count = query->shapes.count = kept;
}

/* -p beside "-t torus:4x8" must agree with it. */
static bool read_ranks(Query *query, Text text)
{
    IntArray before = query->ranks;
    GivenShapes shapes = query->shapes;
    query->ranks = (IntArray){0};
    query->shapes = (GivenShapes){0};
    if (!each_piece(query, text, read_ranks_piece))
        return false;
    if (before.count == 0)
        return allow_ranks(query, text.span);
    query->shapes = shapes;
    bool same = query->ranks.count == 1 || query->ranks.count == before.count;
    for (size_t i = 0; i < before.count && same; i++)
        same = before.items[i] == query->ranks.items[query->ranks.count == 1 ? 0 : i];
    query->ranks = before;
    if (same)
        return true;
    diag_error(query->study.diag, text.span,
               "this differs from the number of ranks of the topology");
    return false;
}

/* "full:8" and "torus:4x8" give the number of ranks as well. */
static bool read_topology(Query *query)
{
    const CommandLine *line = query->line;
    Text name = source_argument(query->study.arena, "--topology", default_topology), sizes = {0};
    if (option_given(line, OPTION_TOPOLOGY))
        name = option_value(line, OPTION_TOPOLOGY);
    bool has_sizes = text_split(name, ':', &name, &sizes);
    query->topology = library_topology(query->study.library, name, query->study.diag);
    if (!query->topology || (has_sizes && (!each_piece(query, sizes, read_shape_piece) ||
                                           !allow_ranks(query, sizes.span))))
        return false;
    if (option_given(line, OPTION_RANKS))
        return read_ranks(query, option_value(line, OPTION_RANKS));
    if (!has_sizes && query->topology->ranks)
        add_network(query, query->topology->ranks, NULL);
    return allow_ranks(query, name.span);
}

static bool read_format(Query *query)
{
    if (!option_given(query->line, OPTION_OUTPUT))
        return true;
    Text text = option_value(query->line, OPTION_OUTPUT);
    for (int format = 0; format < FORMAT_COUNT; format++)
        if (text_equals(text, format_names[format])) {
            query->format = (Format)format;
            return true;
        }
    diag_error(query->study.diag, text.span, "unknown format '%s'", text.chars);
    diag_note(query->study.diag, NOWHERE, "formats are text, csv, json, markdown, latex and html");
    return false;
}

/* What -m means: m as in MPI, or the size that nccl-tests prints. */
static bool read_size_convention(Query *query)
{
    Text text = source_argument(query->study.arena, "--sizes", "mpi");
    if (option_given(query->line, OPTION_SIZES))
        text = option_value(query->line, OPTION_SIZES);
    query->nccl_sizes = text_equals(text, "nccl");
    query->m_count = 1;
    if (query->nccl_sizes || text_equals(text, "mpi"))
        return true;
    diag_error(query->study.diag, text.span, "invalid value '%s'", text.chars);
    diag_note(query->study.diag, NOWHERE,
              "valid values are mpi and nccl; the message size itself is given with --size or -m");
    return false;
}

/* Answers that are not known for blocks of unequal sizes. */
static bool check_weights(const CommandLine *line)
{
    static const OptionId alike[] = {OPTION_FLOW, OPTION_CERTIFICATE, OPTION_BANDWIDTHS,
                                     OPTION_SYNTHESIZE};
    for (size_t i = 0; i < sizeof alike / sizeof *alike && option_given(line, OPTION_WEIGHTS); i++)
        if (option_given(line, alike[i])) {
            diag_error(line->diag, option_value(line, OPTION_WEIGHTS).span,
                       "--%s is for blocks that are all alike", option_name(alike[i]));
            return false;
        }
    return true;
}

/* Synthesis makes a network of members; other commands ask about groups of them. */
static bool asks_for_groups(const CommandLine *line)
{
    return (line->command->options & OPTION_BIT(ALONG)) &&
           (option_given(line, OPTION_ALONG) || option_given(line, OPTION_MEMBERS));
}

/* Answers that are not known for groups of ranks. */
static bool check_groups(const CommandLine *line)
{
    static const OptionId whole[] = {OPTION_FLOW, OPTION_CERTIFICATE, OPTION_TRAFFIC,
                                     OPTION_SYNTHESIZE};
    const OptionId given = option_given(line, OPTION_ALONG) ? OPTION_ALONG : OPTION_MEMBERS;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (option_given(line, whole[i])) {
            diag_error(line->diag, option_value(line, given).span,
                       "--%s is for all ranks of a network", option_name(whole[i]));
            return false;
        }
    return true;
}

static Query create_query(const CommandLine *line)
{
    return (Query){.line = line,
                   .study.arena = line->arena,
                   .study.diag = line->diag,
                   .study.target = -1,
                   .study.element = 8};
}

static bool read_options(Query *query)
{
    const CommandLine *line = query->line;
    if (!read_format(query) || !read_size_convention(query) || !check_weights(line))
        return false;
    query->study.library = models_of_line(line);
    if (!query->study.library || !read_machine(query) || !read_topology(query))
        return false;
    drop_repeated(query);
    if (option_given(line, OPTION_SIZE) &&
        !each_piece(query, option_value(line, OPTION_SIZE), read_sizes_piece))
        return false;
    query->asked = query->sizes;
    return tell_options(query, subjects, sizeof subjects / sizeof *subjects) &&
           read_matrices(query);
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
    if (query->topology->dimensions != DIMENSIONS_NAMED ||
        topology_allows(query->topology, 1, span, query->study.diag))
        diag_error(query->study.diag, NOWHERE,
                   "the number of ranks is missing: give -t %s:8, or -p 8",
                   query->topology->head.name);
    context_hint(line, OPTION_RANKS);
    return false;
}

/* From now on the ranks of a question are those of the groups that it asks for. */
static bool settle_groups(Query *query)
{
    const CommandLine *line = query->line;
    static const OptionId options[] = {OPTION_ALONG, OPTION_MEMBERS};
    if (!asks_for_groups(line))
        return true;
    if (!check_groups(line) || !tell_options(query, options, 2))
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

bool query_read_ranks(const CommandLine *line, Query *query)
{
    return query_read(line, query) && require_ranks(query) && settle_groups(query);
}

Shape query_shape(const Query *query, size_t index)
{
    const Shape *given = query->shapes.items[index];
    return given ? *given : topology_shape(query->topology, query->ranks.items[index]);
}

bool query_network(const Query *query, size_t index, Network *network)
{
    const Shape shape = query_shape(query, index);
    return study_network(&query->study, query->topology, &shape, network);
}

bool query_answered(const Query *query, collcost_status status)
{
    Workspace *workspace = arena_workspace(query->study.arena);
    if (status == COLLCOST_NO_MEMORY)
        workspace_fail(workspace, workspace_wanted(workspace));
    if (status == COLLCOST_TOO_LARGE)
        workspace_refuse(workspace, workspace_refusal(workspace));
    if (status == COLLCOST_CANCELLED) {
        workspace_cancel(workspace);
        workspace_poll(workspace, NULL);
    }
    return status == COLLCOST_FINE || status == COLLCOST_CHECK_FAILED;
}

bool query_check_ends(const Query *query, const Collective *collective)
{
    const CommandLine *line = query->line;
    if (!study_check_ends(&query->study, collective))
        return false;
    if (!collective->targeted || !option_given(line, OPTION_FROM) ||
        !option_given(line, OPTION_ROOT))
        return true;
    diag_error(query->study.diag, option_value(line, OPTION_FROM).span,
               "--root and --from both name the sender");
    return false;
}

bool query_settle_ends(Query *query, const Collective *collective, const Network *network)
{
    return query_check_ends(query, collective) &&
           study_settle_ends(&query->study, collective, network);
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
    diag_note(study->diag, NOWHERE, "'list %s --for %s' lists what it runs",
              algorithm->collective->head.name, library);
    return false;
}

static bool read_subject(const Query *query, const Collective **collective,
                         const Algorithm **algorithm)
{
    return query_subject(query, query->line->operands.items[0], collective, algorithm) &&
           query_check_subject(query, *collective) &&
           query_check_library(query, *algorithm, query->line->operands.items[0].span);
}

bool query_read_subject(const CommandLine *line, Query *query, const Collective **collective,
                        const Algorithm **algorithm)
{
    return query_read_ranks(line, query) && read_subject(query, collective, algorithm);
}

bool query_read_subject_over_ranks(const CommandLine *line, Query *query,
                                   const Collective **collective, const Algorithm **algorithm)
{
    *query = create_query(line);
    query->is_over_ranks = true;
    if (asks_for_groups(line)) {
        diag_error(line->diag, NOWHERE, "groups of ranks have switch points by size only");
        return false;
    }
    return read_options(query) && require_ranks(query) &&
           read_subject(query, collective, algorithm);
}

bool query_read_subject_sweeping(const CommandLine *line, int64_t most, Query *query,
                                 const Collective **collective, const Algorithm **algorithm)
{
    if (!query_read(line, query))
        return false;
    query->sweeps_ranks = query->ranks.count == 0;
    for (int64_t p = 1; query->sweeps_ranks && p <= most; p++) {
        Diag silent = diag_silent();
        if (topology_allows(query->topology, p, NOWHERE, &silent))
            add_network(query, p, NULL);
    }
    return require_ranks(query) && read_subject(query, collective, algorithm);
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
    {OPTION_ORDER, true, "is a collective: give the size of a message, -m 1MiB"},
    {OPTION_ELEMENT, true, "is a collective: give the size of a message, -m 1MiB"},
};

bool query_check_subject(const Query *query, const Collective *collective)
{
    for (size_t i = 0; i < sizeof options_of_kinds / sizeof *options_of_kinds; i++) {
        const OptionOfKind *foreign = &options_of_kinds[i];
        bool is_problem = collective->problem != NULL;
        if (foreign->of_problems == is_problem || !option_is_spoken(query->line, foreign->option))
            continue;
        diag_error(query->study.diag, option_value(query->line, foreign->option).span, "%s %s",
                   collective->head.name, foreign->message);
        return false;
    }
    return true;
}

bool query_is_collective(const Query *query, Text operand, const Collective *collective)
{
    if (collective->problem)
        diag_error(query->study.diag, operand.span,
                   "%s is a problem, not a collective: use cost, scale, switch, trace or verify",
                   collective->head.name);
    return !collective->problem;
}
