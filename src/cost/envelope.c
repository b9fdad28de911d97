#include "cost/envelope.h"

#include "base/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times that differ by less than this share are equal; formulas written differently round
   differently. */
static const double tie_tolerance = 1e-12;

/* The lines on both sides of a bend are those of sizes so much smaller and larger. */
static const double beside_bend = 1e-9;

enum { DEEPEST = 200, MOST_CONSTRAINED = 65536 };

/* All curves at one size; where a curve jumps there, on one side of it. */
typedef struct {
    double bytes;
    CurvePoint *points;
    size_t best;
    bool behind_jump; /* some curve is elsewhere just below */
} Station;

typedef struct {
    Arena *arena;
    Curve *const *curves;
    size_t count;
    int64_t most_chunks; /* of the interval at hand */
    double begin;        /* of the interval between bends */
    PieceArray *pieces;
    Diag *diag;
} Search;

static bool is_below(double a, double b)
{
    return a < b - tie_tolerance * fabs(b);
}

static double line_at(const CurvePoint *point, double bytes)
{
    return point->intercept + point->slope * bytes;
}

/* Where `beside` is not 0, the lines are those of sizes that much larger. */
static Station *visit_beside(Search *search, double bytes, double beside)
{
    watch_poll();
    Station *station = ARENA_NEW(search->arena, Station);
    station->bytes = bytes;
    station->points = ARENA_ARRAY(search->arena, CurvePoint, search->count);
    for (size_t i = 0; i < search->count; i++) {
        CurvePoint *point = &station->points[i];
        if (!curve_at(search->curves[i], bytes * (1 + beside), search->most_chunks, point,
                      search->diag))
            return NULL;
        if (beside != 0)
            point->total = line_at(point, bytes);
        if (is_below(point->total, station->points[station->best].total))
            station->best = i;
    }
    return station;
}

static Station *visit(Search *search, double bytes)
{
    return visit_beside(search, bytes, 0);
}

static bool has_jump(const Search *search, const Station *below, const Station *above)
{
    for (size_t i = 0; i < search->count; i++)
        if (is_below(below->points[i].total, above->points[i].total) ||
            is_below(above->points[i].total, below->points[i].total))
            return true;
    return false;
}

/* Where the lines of two points of one concave curve meet. */
static double corner(const CurvePoint *low, const CurvePoint *high, double from, double to)
{
    double fall = low->slope - high->slope;
    double at = fall > 0 ? (high->intercept - low->intercept) / fall : from;
    return at < from ? from : at > to ? to : at;
}

static bool is_same_line(const CurvePoint *a, const CurvePoint *b)
{
    return fabs(a->intercept - b->intercept) <= tie_tolerance * a->intercept &&
           fabs(a->slope - b->slope) <= tie_tolerance * a->slope;
}

/* Two algorithms of one cost would be halved down to each change of k to prove that they tie.
   Within a factor of two, equal lines at both ends are taken to mean equal curves. */
static bool is_twin(const Station *low, const Station *high, size_t a, size_t b)
{
    return high->bytes <= 2 * low->bytes && is_same_line(&low->points[a], &low->points[b]) &&
           is_same_line(&high->points[a], &high->points[b]);
}

/* Is curve `a` nowhere above curve `b` between two stations, or nowhere below (sign -1), by more
   than the tolerance? The upper curve's chord must clear the lines of the lower one. */
static bool stays_below(const Station *low, const Station *high, size_t a, size_t b)
{
    const CurvePoint *a_low = &low->points[a], *a_high = &high->points[a];
    double b_low = low->points[b].total, b_high = high->points[b].total;
    double at = corner(a_low, a_high, low->bytes, high->bytes);
    double share = (at - low->bytes) / (high->bytes - low->bytes);
    double chord = b_low + (b_high - b_low) * share;
    double above = fmin(line_at(a_low, at), line_at(a_high, at));
    if (is_twin(low, high, a, b))
        return true;
    return !is_below(b_low, a_low->total) && !is_below(b_high, a_high->total) &&
           !is_below(chord, above);
}

static bool is_settled(const Search *search, const Station *low, const Station *high, size_t winner)
{
    for (size_t i = 0; i < search->count; i++)
        if (i != winner && !stays_below(low, high, winner, i))
            return false;
    return true;
}

static bool is_tied(const Station *low, const Station *high, size_t a, size_t b)
{
    double low_gap = fabs(low->points[a].total - low->points[b].total);
    double high_gap = fabs(high->points[a].total - high->points[b].total);
    return low_gap <= tie_tolerance * low->points[a].total &&
           high_gap <= tie_tolerance * high->points[a].total;
}

/* The crossing near `at` of two curves, to full precision: Newton's method, by their lines. It
   stays where it is if the lines do not cross between `low` and `high`. */
static bool polish(Search *search, size_t before, size_t after, double low, double high, double *at)
{
    for (int i = 0; i < 8; i++) {
        CurvePoint a, b;
        if (!curve_at(search->curves[before], *at, search->most_chunks, &a, search->diag) ||
            !curve_at(search->curves[after], *at, search->most_chunks, &b, search->diag))
            return false;
        double next = (b.intercept - a.intercept) / (a.slope - b.slope);
        if (!(next > low && next < high) || next == *at)
            return true;
        *at = next;
    }
    return true;
}

/* A new piece [from, high] behind the pieces so far. Behind a jump it begins there. */
static bool begin_piece(Search *search, const Station *low, const Station *high, size_t winner,
                        const bool *tied)
{
    Piece piece = {low->bytes, high->bytes, winner, low->points[winner], tied};
    PieceArray *pieces = search->pieces;
    if (pieces->count && !low->behind_jump &&
        !is_same_line(&low->points[winner], &low->points[pieces->items[pieces->count - 1].curve])) {
        Piece *last = &pieces->items[pieces->count - 1];
        if (!polish(search, last->curve, winner, fmax(last->from, search->begin), high->bytes,
                    &piece.from) ||
            !curve_at(search->curves[winner], piece.from, search->most_chunks, &piece.start,
                      search->diag))
            return false;
        last->to = piece.from;
    }
    *ARRAY_PUSH(search->arena, pieces) = piece;
    return true;
}

/* Adds [low, high], won by `winner`, or lengthens the piece before it. */
static bool add_piece(Search *search, const Station *low, const Station *high, size_t winner)
{
    bool *tied = ARENA_ARRAY(search->arena, bool, search->count);
    for (size_t i = 0; i < search->count; i++)
        tied[i] = i != winner && is_tied(low, high, winner, i);
    Piece *last = search->pieces->count ? &search->pieces->items[search->pieces->count - 1] : NULL;
    if (!last || last->curve != winner)
        return begin_piece(search, low, high, winner, tied);
    bool *both = ARENA_ARRAY(search->arena, bool, search->count);
    for (size_t i = 0; i < search->count; i++)
        both[i] = last->tied[i] && tied[i];
    last->tied = both;
    last->to = high->bytes;
    return true;
}

/* Do the two best curves cost the same at the lower end and a little beyond? Then the first of them
   keeps the piece up to where they part. */
static bool starts_tied(const Station *low, const Station *high)
{
    return low->best != high->best &&
           is_same_line(&low->points[low->best], &low->points[high->best]);
}

/* Where to cut: the crossing of the winners' lines, which is the switch point once both keep to
   these lines; by turns, and where they do not cross inside, the middle. */
static double find_cut(const Station *low, const Station *high, int depth)
{
    const CurvePoint *before = &low->points[low->best], *after = &high->points[high->best];
    double at = (after->intercept - before->intercept) / (before->slope - after->slope);
    if (depth % 2 == 0 && at > low->bytes && at < high->bytes)
        return at;
    return high->bytes > 2 * low->bytes ? sqrt(low->bytes * high->bytes)
                                        : low->bytes + (high->bytes - low->bytes) / 2;
}

/* Two neighbouring sizes with different winners: the switch point is the upper one. */
static bool add_step(Search *search, const Station *high)
{
    if (search->pieces->count)
        search->pieces->items[search->pieces->count - 1].to = high->bytes;
    return add_piece(search, high, high, high->best);
}

static bool search_interval(Search *search, const Station *low, const Station *high, int depth)
{
    if (is_settled(search, low, high, low->best))
        return add_piece(search, low, high, low->best);
    if (!starts_tied(low, high) && is_settled(search, low, high, high->best))
        return add_piece(search, low, high, high->best);
    double at = find_cut(low, high, depth);
    if (depth == DEEPEST || !(at > low->bytes && at < high->bytes))
        return add_step(search, high);
    Station *middle = visit(search, at);
    return middle && search_interval(search, low, middle, depth + 1) &&
           search_interval(search, middle, high, depth + 1);
}

static int compare_sizes(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* An interval on which each curve is concave between its bends. */
static bool search_between(Search *search, double from, double to)
{
    Station *low = visit(search, from), *high = low ? visit(search, to) : NULL;
    SizeArray bends = {0};
    search->begin = from;
    if (!high)
        return false;
    for (size_t i = 0; i < search->count; i++)
        if (!curve_bends(search->curves[i], from, to, search->arena, &bends, search->diag))
            return false;
    if (bends.count)
        qsort(bends.items, bends.count, sizeof *bends.items, compare_sizes);
    for (size_t i = 0; i < bends.count; i++) {
        if (bends.items[i] <= low->bytes)
            continue;
        Station *bend = visit_beside(search, bends.items[i], -beside_bend);
        if (!bend || !search_interval(search, low, bend, 0))
            return false;
        low = visit_beside(search, bends.items[i], beside_bend);
        if (!low)
            return false;
        low->behind_jump = has_jump(search, bend, low);
        search->begin = low->bytes;
    }
    return search_interval(search, low, high, 0);
}

/* Does some curve want more chunks at this size than there are bytes? */
static bool is_constrained(Search *search, double bytes, bool *constrained)
{
    *constrained = false;
    for (size_t i = 0; i < search->count; i++) {
        CurvePoint point;
        int64_t most = curve_most_chunks(bytes);
        if (!curve_is_free(search->curves[i]))
            continue;
        if (!curve_at(search->curves[i], bytes, most, &point, search->diag))
            return false;
        *constrained |= point.k >= (double)most && most > 1;
    }
    return true;
}

static bool report_constrained(Search *search)
{
    diag_error(
        search->diag, NOWHERE,
        "the best number of chunks is as large as the message up to %d bytes and more, where "
        "switch points are not found; fix it with --set k=NUMBER or give the startup a time",
        MOST_CONSTRAINED);
    return false;
}

/* While the number of chunks is held down by the bytes to cut, it can grow at each whole size, so
   the curves are concave only between whole sizes. */
static bool search_constrained(Search *search, double *from, double to)
{
    bool constrained;
    if (!is_constrained(search, fmin(MOST_CONSTRAINED, to), &constrained))
        return false;
    if (constrained && to > MOST_CONSTRAINED)
        return report_constrained(search);
    while (*from < to) {
        double next = fmin(floor(*from) + 1, to);
        if (!is_constrained(search, fmax(next, 2), &constrained))
            return false;
        if (!constrained)
            return true;
        search->most_chunks = curve_most_chunks(*from);
        if (!search_between(search, *from, next))
            return false;
        *from = next;
    }
    return true;
}

bool envelope_find(Arena *arena, Curve *const *curves, size_t count, double from, double to,
                   PieceArray *pieces, Diag *diag)
{
    Search search = {.arena = arena,
                     .curves = curves,
                     .count = count,
                     .most_chunks = 1,
                     .pieces = pieces,
                     .diag = diag};
    if (count == 0)
        return true;
    if (!search_constrained(&search, &from, to))
        return false;
    search.most_chunks = curve_most_chunks(to);
    return from >= to || search_between(&search, from, to);
}
