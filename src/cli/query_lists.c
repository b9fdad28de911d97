#include "cli/query_lists.h"

#include "base/watch.h"
#include "cli/models.h"
#include "net/without.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char default_topology[] = "full";
enum { MOST_RANKS_WITHOUT = 1 << 15 };

/* Calls `read` for each piece of "a,b,c". */
static bool each_piece(Query *query, Text text, bool (*read)(Query *, Text))
{
    Text piece, rest = text;
    while (text_next(&rest, ',', &piece))
        if (!read(query, piece))
            return false;
    return true;
}

/* "2-8" and "2:8": how a range is written. False. */
static bool note_range(const Query *query, Text piece)
{
    Text from, to, rest = text_behind(piece, piece.length > 0);
    const bool is_range = text_split(rest, '-', &from, &to) || text_split(rest, ':', &from, &to);
    if (is_range && to.length && isdigit((unsigned char)to.chars[0]) &&
        (!from.length || tolower((unsigned char)from.chars[from.length - 1]) != 'e'))
        diag_note(query->study.diag, NOWHERE, "a range is written %.*s..%.*s", (int)from.length + 1,
                  piece.chars, TEXT_ARGS(to));
    return false;
}

static void add_network(Query *query, int64_t p, const Shape *shape)
{
    *ARRAY_PUSH(query->study.arena, &query->ranks) = p;
    *ARRAY_PUSH(query->study.arena, &query->shapes) = shape;
}

/* "8", or a range. */
static bool read_integers(const Query *query, Text piece, int64_t most, int64_t *from, int64_t *to)
{
    Text first = piece, last = piece;
    text_range(piece, &first, &last);
    if (!quantity_parse_integer(first, 1, most, from, query->study.diag) ||
        !quantity_parse_integer(last, 1, most, to, query->study.diag))
        return note_range(query, piece);
    return *from <= *to || diag_error(query->study.diag, piece.span,
                                      "this range is empty: it ends below its start");
}

static bool read_ranks_piece(Query *query, Text piece)
{
    int64_t from, to;
    if (!read_integers(query, piece, topology_most_ranks, &from, &to))
        return false;
    if (to - from >= LIMIT_RANGE)
        return diag_error(query->study.diag, piece.span, "this range is too long");
    for (int64_t p = from; p <= to; p++)
        add_network(query, p, NULL);
    return true;
}

/* What stands behind the name of a topology: "4x8", "8", or a range of ranks. */
static bool read_shape_piece(Query *query, Text piece)
{
    Arena *arena = query->study.arena;
    Diag *diag = query->study.diag;
    Text from, to, last, rest;
    Shape shape;
    if (!text_range(piece, &from, &to)) {
        if (!topology_parse_shape(query->topology, piece, &shape, diag))
            return false;
        add_network(query, shape.p, ARENA_COPY(arena, Shape, &shape, 1));
        return true;
    }
    if (!text_split(to, 'x', &last, &rest))
        return read_ranks_piece(query, piece);
    /* "2..4x8" is 2x8,3x8,4x8. */
    int64_t first, most;
    if (!quantity_parse_integer(from, 1, LIMIT_RANGE, &first, diag) ||
        !quantity_parse_integer(last, first, LIMIT_RANGE, &most, diag))
        return false;
    for (int64_t i = first; i <= most; i++) {
        const char *sizes = arena_printf(arena, "%lldx%.*s", (long long)i, TEXT_ARGS(rest));
        if (!topology_parse_shape(query->topology, source_argument(arena, "--topology", sizes),
                                  &shape, diag))
            return false;
        add_network(query, shape.p, ARENA_COPY(arena, Shape, &shape, 1));
    }
    return true;
}

bool query_check_size(const Query *query, Text text, double size)
{
    return (size <= LARGEST_SIZE && (size <= 0 || size >= 1)) ||
           diag_error(query->study.diag, text.span, "a size is %s",
                      size < 1 ? "0 or at least one byte" : "at most 2^53 bytes");
}

bool query_read_size(const Query *query, Text text, double *size)
{
    return quantity_parse(text, DIMENSION_BYTES, size, query->study.diag) &&
           query_check_size(query, text, *size);
}

/* Answers have the units of the sizes that are asked about: of 1000 and 1500 those of 1000, of 1024
   and 8 those of 1024. Formulas and models name sizes of their own. */
static SizeUnits find_units(const CommandLine *line)
{
    const Command *command = line->command; /* NULL: a formula of a session */
    if (!command || strncmp(command->operands, "EXPR", 4) == 0 ||
        strncmp(command->operands, "MODEL", 5) == 0)
        return SIZES_MIXED;
    if (!option_given(line, OPTION_SIZE))
        return SIZES_BINARY;
    const Text typed = option_value(line, OPTION_SIZE);
    bool has_unit = false;
    size_t last = 0; /* where the last number begins */
    for (size_t i = 1; i < typed.length; i++) {
        if (typed.chars[i] == 'B' && typed.chars[i - 1] == 'i')
            return SIZES_BINARY;
        has_unit |= typed.chars[i] == 'B' && isalpha((unsigned char)typed.chars[i - 1]);
        if (typed.chars[i - 1] == '.' || typed.chars[i - 1] == ',')
            last = i;
    }
    const double bare = strtod(typed.chars + last, NULL);
    const bool is_round = bare >= 1000 && fmod(bare, 1024) != 0;
    return has_unit || is_round ? SIZES_DECIMAL : SIZES_BINARY;
}

bool query_read_sizes(Query *query)
{
    arena_workspace(query->study.arena)->size_units = find_units(query->line);
    if (!option_given(query->line, OPTION_SIZE))
        return true;
    Text piece, rest = option_value(query->line, OPTION_SIZE);
    while (text_next(&rest, ',', &piece)) {
        Text from_text = piece, to_text = piece;
        double from, to;
        const bool is_range = text_range(piece, &from_text, &to_text);
        if (!query_read_size(query, from_text, &from) || !query_read_size(query, to_text, &to)) {
            if (strcspn(piece.chars, "^*<") < piece.length) /* "2^20", "2**20", "1<<20" */
                diag_note(query->study.diag, NOWHERE,
                          "a size is a number with a unit: 2^10 bytes are 1KiB, 2^20 are 1MiB, "
                          "2^30 are 1GiB");
            return note_range(query, piece);
        }
        if (from_text.length == 3 && from_text.chars[0] == '0' &&
            from == strtod(from_text.chars, NULL))
            return diag_error(query->study.diag, piece.span,
                              "digits are not grouped by commas: write 1000000, or 1MB");
        query->is_range |= is_range;
        if (is_range && !(from > 0 && from <= to))
            return diag_error(query->study.diag, piece.span,
                              "a range of sizes must start above 0 and increase");
        /* LO..HI doubles from LO and ends with HI. */
        for (double size = from; is_range && size < to; size *= 2)
            *ARRAY_PUSH(query->study.arena, &query->sizes) = size;
        *ARRAY_PUSH(query->study.arena, &query->sizes) = to;
    }
    query->asked = query->sizes;
    return true;
}

bool query_read_orders(Query *query)
{
    NetworkWish wish;
    if (!option_given(query->line, OPTION_ORDER) ||
        (models_read_wish(query->line, &wish) && wish.order.length))
        return true;
    Text piece, rest = option_value(query->line, OPTION_ORDER);
    while (text_next(&rest, ',', &piece)) {
        int64_t from, to;
        if (!read_integers(query, piece, LARGEST_ORDER, &from, &to))
            return false;
        for (int64_t n = from; n < to; n *= 2) /* LO..HI doubles, as with sizes */
            *ARRAY_PUSH(query->study.arena, &query->orders) = n;
        *ARRAY_PUSH(query->study.arena, &query->orders) = to;
    }
    return true;
}

/* Does the topology allow all numbers of ranks that came without sizes? */
static bool allow_ranks(Query *query, Span span)
{
    if (query->is_over_ranks) {
        /* Over a range of ranks, those count that the topology allows. */
        size_t kept = 0;
        for (size_t j = 0; j < query->ranks.count; j++) {
            int64_t p = query->ranks.items[j];
            if (!query->shapes.items[j] && !topology_takes(query->topology, p))
                continue;
            query->ranks.items[kept] = p;
            query->shapes.items[kept++] = query->shapes.items[j];
        }
        if (kept > 0)
            query->ranks.count = query->shapes.count = kept;
    }
    for (size_t i = 0; i < query->ranks.count; i++)
        if (!query->shapes.items[i] &&
            !topology_allows(query->topology, query->ranks.items[i], span, query->study.diag))
            return false;
    return true;
}

Shape query_shape(const Query *query, size_t index)
{
    const Shape *given = query->shapes.items[index];
    return given ? *given : topology_shape(query->topology, query->ranks.items[index]);
}

static int compare_ranks(const void *a, const void *b)
{
    const Shape *left = a, *right = b;
    return (left->p > right->p) - (left->p < right->p);
}

Shape *query_shapes_by_ranks(const Query *query)
{
    Shape *shapes = ARENA_ARRAY(query->study.arena, Shape, query->ranks.count + 1);
    for (size_t i = 0; i < query->ranks.count; i++)
        shapes[i] = query_shape(query, i);
    qsort(shapes, query->ranks.count, sizeof *shapes, compare_ranks);
    return shapes;
}

/* One of the networks that were given. */
typedef struct {
    const Query *query;
    size_t position;
} Given;

/* Shapes are looked at where ranks are as many. */
static int order_networks(const Given *a, const Given *b)
{
    const Query *query = a->query;
    const int64_t p = query->ranks.items[a->position], q = query->ranks.items[b->position];
    if (p != q)
        return p < q ? -1 : 1;
    if (query->shapes.items[a->position] == query->shapes.items[b->position])
        return 0;
    const Shape one = query_shape(query, a->position), other = query_shape(query, b->position);
    /* Negative, 0 or positive, as shape `a` goes before `b`, which has as many ranks. */
    if (one.count != other.count)
        return one.count - other.count;
    for (int i = 0; i < one.count; i++)
        if (one.sizes[i] != other.sizes[i])
            return one.sizes[i] < other.sizes[i] ? -1 : 1;
    return one.taper < other.taper ? -1 : one.taper > other.taper;
}

static int order_given(const void *one, const void *other)
{
    const Given *a = one, *b = other;
    const int order = order_networks(a, b);
    return order ? order : a->position < b->position ? -1 : a->position > b->position;
}

/* Networks that are given again count once. As long as numbers rise there are none. */
static void drop_repeated(Query *query)
{
    const int64_t *ranks = query->ranks.items;
    size_t kept = 0;
    while (kept < query->ranks.count && (kept == 0 || ranks[kept - 1] < ranks[kept]))
        kept++;
    if (kept == query->ranks.count)
        return;
    Arena *scratch = arena_scratch(query->study.arena);
    bool *repeated = ARENA_ARRAY(scratch, bool, query->ranks.count);
    /* Marks those that lie as one before them does. */
    const size_t count = query->ranks.count;
    Given *given = ARENA_ROOM(scratch, Given, count);
    for (size_t i = 0; i < count; i++)
        given[i] = (Given){query, i};
    watch_poll(query->study.arena);
    qsort(given, count, sizeof *given, order_given);
    for (size_t i = 1; i < count; i++) {
        watch_poll(query->study.arena);
        repeated[given[i].position] = order_networks(&given[i - 1], &given[i]) == 0;
    }
    for (size_t i = kept; i < query->ranks.count; i++)
        if (!repeated[i]) {
            query->ranks.items[kept] = query->ranks.items[i];
            query->shapes.items[kept++] = query->shapes.items[i];
        }
    query->ranks.count = query->shapes.count = kept;
    arena_destroy(scratch);
}

/* "full:8" and "torus:4x8" give the number of ranks as well. */
static bool read_topology(Query *query)
{
    const CommandLine *line = query->line;
    Text name = source_argument(query->study.arena, "--topology", default_topology), sizes = {0};
    if (option_given(line, OPTION_TOPOLOGY))
        name = option_value(line, OPTION_TOPOLOGY);
    bool has_sizes = text_split(name, ':', &name, &sizes);
    name = models_name_in(query->study.library, name, KIND_TOPOLOGY);
    query->topology = library_topology(query->study.library, name, query->study.diag);
    if (!query->topology || (has_sizes && (!each_piece(query, sizes, read_shape_piece) ||
                                           !allow_ranks(query, sizes.span))))
        return false;
    /* "torus:4,8" is two rings: who means a grid is told how it is written. */
    const char *list = "";
    const size_t count = query->shapes.count;
    bool are_lines =
        query->topology->dimensions == DIMENSIONS_ANY && count > 1 && count <= MOST_DIMENSIONS;
    for (size_t i = 0; i < count && are_lines; i++) {
        const Shape *shape = query->shapes.items[i];
        are_lines = shape && shape->count == 1;
        list = arena_printf(query->study.arena, "%s%s%lld", list, i ? "x" : "",
                            (long long)query->ranks.items[i]);
    }
    if (are_lines)
        diag_note(query->study.diag, sizes.span,
                  "these are %zu networks of one dimension; a grid is %.*s:%s", count,
                  TEXT_ARGS(name), list);
    if (!option_given(line, OPTION_RANKS)) {
        if (!has_sizes && query->topology->ranks)
            add_network(query, query->topology->ranks, NULL);
        return allow_ranks(query, name.span);
    }
    /* -p beside "-t torus:4x8" must agree with it. */
    const Text ranks = option_value(line, OPTION_RANKS);
    const IntArray before = query->ranks;
    const GivenShapes shapes = query->shapes;
    query->ranks = (IntArray){0};
    query->shapes = (GivenShapes){0};
    if (!each_piece(query, ranks, read_ranks_piece))
        return false;
    if (before.count == 0)
        return allow_ranks(query, ranks.span);
    query->shapes = shapes;
    bool same = query->ranks.count == 1 || query->ranks.count == before.count;
    for (size_t i = 0; i < before.count && same; i++)
        same = before.items[i] == query->ranks.items[query->ranks.count == 1 ? 0 : i];
    query->ranks = before;
    return same || diag_error(query->study.diag, ranks.span,
                              "this differs from the number of ranks of the topology");
}

/* The pieces of --without that name nothing of the network, as a list again, with its place if they
   stand side by side; marks the others. */
static Text mark_failures(const Query *query, Failures *failures)
{
    const TextArray *given = &query->line->values[OPTION_WITHOUT];
    Text others = {.chars = ""};
    for (size_t i = 0; i < given->count; i++) {
        Text piece, rest = given->items[i];
        while (text_next(&rest, ',', &piece)) {
            piece = text_trim(piece);
            const bool is_other = !text_equals(piece, "none") && !failures_mark(failures, piece);
            if (is_other && !others.length) {
                others = piece;
            } else if (is_other && others.verbatim && piece.span.source == others.span.source &&
                       piece.span.offset == others.span.offset + others.length + 1) {
                others.span.length = others.length += 1 + piece.length;
            } else if (is_other) {
                others.chars = arena_printf(query->study.arena, "%.*s,%.*s", TEXT_ARGS(others),
                                            TEXT_ARGS(piece));
                others.length = strlen(others.chars);
                others.span = given->items[0].span;
                others.verbatim = false;
            }
        }
    }
    return others;
}

/* Can `text` be of algorithms? They begin with a letter. */
static bool may_name_algorithms(const Query *query, const char *text)
{
    return (query->line->command->options & (OPTIONS(AMONG, COMPOSE))) &&
           !isdigit((unsigned char)*text);
}

bool query_take_away(Query *query, const Topology **topology, Shape *shape)
{
    Arena *arena = query->study.arena;
    Diag *diag = query->study.diag;
    Network network;
    Topology laid = **topology;
    Buffer out = {.arena = arena};
    if (!option_given(query->line, OPTION_WITHOUT))
        return true;
    const Text given = option_value(query->line, OPTION_WITHOUT);
    laid.direct = false;
    if (shape->p > MOST_RANKS_WITHOUT && !may_name_algorithms(query, given.chars))
        diag_limit(diag, given.span, "links and nodes fail in networks of at most %d ranks",
                   MOST_RANKS_WITHOUT);
    if (shape->p > MOST_RANKS_WITHOUT)
        return may_name_algorithms(query, given.chars);
    if (!network_create(arena, &laid, shape, TIES_PLUS, &network, diag))
        return false;
    Failures failures = failures_of(arena, &network);
    CommandLine *line = ARENA_COPY(arena, CommandLine, query->line, 1);
    const Text others = mark_failures(query, &failures);
    query->line = line;
    line->values[OPTION_WITHOUT] = (TextArray){0};
    if (others.length)
        *ARRAY_PUSH(arena, &line->values[OPTION_WITHOUT]) = others;
    if (others.length && !may_name_algorithms(query, others.chars))
        return diag_error(diag, others.span, "%s has no node or link '%.*s'", network.name,
                          TEXT_ARGS(others));
    if (!failures.node_count && !failures.link_count)
        return true;
    if (!failures_leave_ranks(&failures))
        return diag_error(diag, given.span, "no rank of %s is left", network.name);
    const char *name = arena_printf(arena, "%s-without", (*topology)->head.name);
    failures_write(&failures, name, &out);
    if (!library_add_source(query->study.library,
                            source_from_text(arena, "--without", out.items, out.count), diag))
        return false;
    const Topology *left = library_topology(query->study.library, text_plain(name), diag);
    if (!left)
        return false;
    Topology *named = ARENA_COPY(arena, Topology, left, 1);
    named->head.span = given.span; /* nobody wrote the text that it was read from */
    *topology = named;
    *shape = topology_shape(named, named->ranks);
    return true;
}

bool query_read_networks(Query *query)
{
    if (!read_topology(query))
        return false;
    drop_repeated(query);
    const CommandLine *line = query->line;
    if (query->ranks.count != 1 && option_given(line, OPTION_WITHOUT) &&
        !line->command->shows_models &&
        !may_name_algorithms(query, option_value(line, OPTION_WITHOUT).chars))
        return diag_error(query->study.diag, option_value(line, OPTION_WITHOUT).span,
                          "links and nodes fail in one network: give one number of ranks");
    if (query->ranks.count != 1)
        return true;
    Shape shape = query_shape(query, 0);
    const Topology *whole = query->topology;
    if (!query_take_away(query, &query->topology, &shape))
        return false;
    if (query->topology != whole) {
        query->ranks.items[0] = shape.p;
        query->shapes.items[0] = ARENA_COPY(query->study.arena, Shape, &shape, 1);
    }
    return true;
}

void query_sweep_ranks(Query *query, int64_t most)
{
    query->sweeps_ranks = query->ranks.count == 0;
    for (int64_t p = 1; query->sweeps_ranks && p <= most; p++)
        if (topology_takes(query->topology, p))
            add_network(query, p, NULL);
}
