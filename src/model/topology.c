#include "model/topology.h"

const int64_t topology_most_ranks = (int64_t)1 << 53;

/* How named dimensions are written: "node x device". */
static const char *describe_sizes(Arena *arena, const Topology *topology)
{
    const char *text = "";
    for (int i = 0; i < topology->named_count; i++)
        text = i ? arena_printf(arena, "%s x %s", text, topology->named[i].name)
                 : topology->named[i].name;
    return text;
}

static bool is_power(int64_t p)
{
    return (p & (p - 1)) == 0 && p <= (int64_t)1 << MOST_DIMENSIONS;
}

bool topology_has_shape(const Topology *topology, int64_t p)
{
    const Shape shape = topology->factor_count ? topology_shape(topology, p) : shape_line(p);
    for (int i = 0; topology->factor_count && i < shape.count; i++)
        if (!topology_has_shape(topology_factor(topology, &shape, i), shape.sizes[i]))
            return false;
    return (!topology->ranks || p == topology->ranks) &&
           (topology->dimensions != DIMENSIONS_TWOS || is_power(p));
}

static bool fits_ranks(const Topology *topology, int64_t p, Span span, Diag *diag)
{
    return !topology->ranks || p == topology->ranks ||
           diag_error(diag, span, "%s has %lld ranks, not %lld", topology->head.name,
                      (long long)topology->ranks, (long long)p);
}

/* Only its sizes say which of the shapes of p ranks is meant. */
static bool needs_sizes(const Topology *topology)
{
    return topology->dimensions == DIMENSIONS_NAMED && topology->named_count > 1 &&
           !topology->fixed.p;
}

bool topology_takes(const Topology *topology, int64_t p)
{
    return (topology->dimensions != DIMENSIONS_TWOS || is_power(p)) && !needs_sizes(topology) &&
           (!topology->ranks || p == topology->ranks);
}

/* "4x8x2", for a message; of the first dimensions 4, 8, and 2 of all others. */
static const char *sample_sizes(Arena *arena, const Topology *topology)
{
    int count = topology->dimensions == DIMENSIONS_NAMED ? topology->named_count
                : topology->dimensions == DIMENSIONS_ANY ? 2
                                                         : 1;
    const char *sample = count > 1 ? "4" : "8";
    for (int i = 1; i < count; i++)
        sample = arena_printf(arena, "%sx%d", sample, i == 1 ? 8 : 2);
    return sample;
}

bool topology_allows(const Topology *topology, int64_t p, Span span, Diag *diag)
{
    if (topology->dimensions == DIMENSIONS_TWOS && !is_power(p))
        return diag_error(diag, span, "%s needs a power of two of ranks (up to 2^%d), not %lld",
                          topology->head.name, MOST_DIMENSIONS, (long long)p);
    if (needs_sizes(topology)) {
        Arena *arena = arena_create(topology->head.workspace);
        diag_error(diag, span, "%s needs its sizes, %s: for instance -t %s:%s", topology->head.name,
                   describe_sizes(arena, topology), topology->head.name,
                   sample_sizes(arena, topology));
        arena_destroy(arena);
        return false;
    }
    return fits_ranks(topology, p, span, diag);
}

/* Splits p into `count` factors that are as equal as a greedy choice makes them, the largest first:
   each is the largest divisor that is not above the root of what is left. */
static void split_ranks(int64_t p, int count, int64_t *sizes)
{
    for (int i = count - 1; i > 0; i--, p /= sizes[i + 1]) {
        sizes[i] = 1;
        for (int64_t d = 2; d <= p; d++) {
            __int128 power = 1;
            for (int n = 0; n <= i && power <= p; n++)
                power *= d;
            if (power > p)
                break;
            if (p % d == 0)
                sizes[i] = d;
        }
    }
    sizes[0] = p;
}

bool topology_make_shape(const Topology *topology, const int64_t *sizes, int count, Shape *shape)
{
    *shape = (Shape){.p = 1};
    for (int i = 0; i < count; i++) {
        int at = topology->last_is_fastest ? count - 1 - i : i;
        const char *name =
            topology->dimensions == DIMENSIONS_NAMED ? topology->named[at].name : NULL;
        if (!shape_add(shape, name, sizes[at]) || shape->p > topology_most_ranks)
            return false;
    }
    return true;
}

const Topology *topology_factor(const Topology *topology, const Shape *shape, int dimension)
{
    const int written = topology->last_is_fastest ? shape->count - 1 - dimension : dimension;
    return topology->factors[topology->factor_count > 1 ? written : 0];
}

Shape topology_shape(const Topology *topology, int64_t p)
{
    int64_t sizes[MOST_DIMENSIONS] = {p};
    int count = 1;
    Shape shape;
    if (topology->fixed.p)
        return topology->fixed;
    if (topology->dimensions == DIMENSIONS_ANY && topology->factor_count)
        split_ranks(p, count = 2, sizes);
    if (topology->dimensions == DIMENSIONS_NAMED)
        split_ranks(p, count = topology->named_count, sizes);
    if (topology->dimensions == DIMENSIONS_TWOS && p > 1)
        for (count = 0; p > 1; p /= 2)
            sizes[count++] = 2;
    topology_make_shape(topology, sizes, count, &shape);
    return shape;
}

static bool report_size(const Topology *topology, Text size, Diag *diag)
{
    Arena *arena = arena_create(topology->head.workspace);
    const char *sample = sample_sizes(arena, topology);
    diag_error(diag, size.span, "'%.*s' is not a size: sizes are whole numbers%s, as in %s:%s",
               TEXT_ARGS(size), sample[1] ? " with 'x' between them" : "", topology->head.name,
               sample);
    Text name, value;
    if (text_split(size, '=', &name, &value))
        diag_note_foreign(diag, FOREIGN_TOPOLOGY, name);
    arena_destroy(arena);
    return false;
}

/* "4x8x2": whole numbers with an x between. */
static bool parse_sizes(const Topology *topology, Text text, int64_t *sizes, int *count, Diag *diag)
{
    Text rest = text, piece;
    for (*count = 0; text_next(&rest, 'x', &piece);) {
        if (*count == MOST_DIMENSIONS)
            return diag_error(diag, piece.span, "there are at most %d dimensions", MOST_DIMENSIONS);
        if (piece.length == 0)
            return diag_error(diag, text.span, "a size is missing: sizes are written like %s:4x8",
                              topology->head.name);
        const Text digits = text_trim(piece);
        bool is_number = digits.length > 0;
        for (size_t i = 0; i < digits.length; i++)
            is_number &= digits.chars[i] >= '0' && digits.chars[i] <= '9';
        if (!is_number)
            return report_size(topology, piece, diag);
        if (!quantity_parse_integer(piece, 1, topology_most_ranks, &sizes[(*count)++], diag))
            return false;
    }
    return true;
}

/* Reads "taper=2". */
static bool parse_taper(const Topology *topology, Text text, Shape *shape, Diag *diag)
{
    Text name, value;
    if (!text_split(text, '=', &name, &value) || !text_equals(name, "taper"))
        return diag_error(
            diag, text.span,
            "only a taper can follow the sizes, such as taper=2; sizes have an 'x' between them");
    if (!topology->uplinks)
        return diag_error(diag, text.span, "%s cannot be tapered", topology->head.name);
    if (!quantity_parse_integer(value, 1, topology_most_ranks, &shape->taper, diag))
        return false;
    int at = topology->last_is_fastest ? shape->count - 1 - topology->tapered : topology->tapered;
    if (shape->sizes[at] % shape->taper)
        return diag_error(diag, value.span, "a taper must divide the size of '%s', here %lld",
                          shape->names[at], (long long)shape->sizes[at]);
    shape->taper = shape->taper > 1 ? shape->taper : 0;
    return true;
}

static bool parse_grid(const Topology *topology, Text text, Shape *shape, Diag *diag)
{
    int64_t sizes[MOST_DIMENSIONS];
    int count;
    const bool is_named = topology->dimensions == DIMENSIONS_NAMED;
    const int wanted = is_named ? topology->named_count : 1;
    if (!parse_sizes(topology, text, sizes, &count, diag))
        return false;
    if (topology->dimensions != DIMENSIONS_ANY && count != wanted) {
        if (!is_named)
            return diag_error(diag, text.span,
                              "%s is written with its number of ranks, such as %s:8",
                              topology->head.name, topology->head.name);
        Arena *arena = arena_create(topology->head.workspace);
        diag_error(diag, text.span, "%s needs %d size%s: %s, such as %s:%s", topology->head.name,
                   wanted, PLURAL_END(wanted), describe_sizes(arena, topology), topology->head.name,
                   sample_sizes(arena, topology));
        arena_destroy(arena);
        return false;
    }
    if (topology->dimensions == DIMENSIONS_TWOS) {
        if (!topology_allows(topology, sizes[0], text.span, diag))
            return false;
        *shape = topology_shape(topology, sizes[0]);
        return true;
    }
    if (!topology_make_shape(topology, sizes, count, shape))
        return diag_error(diag, text.span, "too many ranks (more than 2^53)");
    return fits_ranks(topology, shape->p, text.span, diag);
}

static bool fits_fixed(const Topology *topology, const Shape *shape)
{
    const Shape *fixed = &topology->fixed;
    bool fits = !fixed->p || (shape->count == fixed->count && shape->taper == fixed->taper);
    for (int i = 0; fits && fixed->p && i < fixed->count; i++)
        fits = shape->sizes[i] == fixed->sizes[i];
    return fits;
}

bool topology_try_named(const Topology *topology, const int64_t *sizes, int count, Shape *shape)
{
    return topology->dimensions == DIMENSIONS_NAMED && count == topology->named_count &&
           topology_make_shape(topology, sizes, count, shape) &&
           (!topology->ranks || shape->p == topology->ranks) && fits_fixed(topology, shape);
}

bool topology_parse_shape(const Topology *topology, Text text, Shape *shape, Diag *diag)
{
    Text sizes = text, taper;
    bool has_taper = text_split(text, ':', &sizes, &taper);
    if (!parse_grid(topology, sizes, shape, diag) ||
        (has_taper && !parse_taper(topology, taper, shape, diag)))
        return false;
    return fits_fixed(topology, shape) ||
           diag_error(diag, text.span, "this topology has sizes of its own: give its name alone");
}

const char *topology_name(Arena *arena, const Topology *topology, const Shape *shape)
{
    const char *name = arena_printf(arena, "%s:", topology->head.name);
    if (topology->dimensions == DIMENSIONS_TWOS)
        return arena_printf(arena, "%s%lld", name, (long long)shape->p);
    for (int i = 0; i < shape->count; i++) {
        int at = topology->last_is_fastest ? shape->count - 1 - i : i;
        name = arena_printf(arena, "%s%s%lld", name, i ? "x" : "", (long long)shape->sizes[at]);
    }
    if (shape->taper)
        name = arena_printf(arena, "%s:taper=%lld", name, (long long)shape->taper);
    return name;
}
