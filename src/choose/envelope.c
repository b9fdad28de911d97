#include "choose/envelope.h"

#include "choose/breakpoints.h"

#include <math.h>

enum { DEEPEST = 200, MANY_CHUNKS = 256 };

/* A curve that far above another one neither wins nor ties, however times are rounded. */
static const double clearly = 1e-6;

/* Pieces that are narrower, relatively, have no width. */
static const double empty = 1e-9;

typedef struct {
    IntervalScan scan;
    PieceArray *pieces;
} Search;

/* Between two breakpoints; at one size where they are the same. */
typedef struct {
    const Breakpoint *low, *high;
} Interval;

static bool is_same_line(const CurvePoint *a, const CurvePoint *b)
{
    return fabs(a->intercept - b->intercept) <= tie_tolerance * a->intercept &&
           fabs(a->slope - b->slope) <= tie_tolerance * a->slope;
}

/* Do both curves cost the same at a size with each number of chunks that can be the best between
   two sizes? Taken to be so where these are very many. */
static bool has_same_chunks(const Search *search, Interval in, size_t a, size_t b, double bytes)
{
    Diag silent = diag_silent();
    double from = fmin(in.low->points[a].k, in.low->points[b].k);
    double to = fmax(in.high->points[a].k, in.high->points[b].k);
    if (to - from > MANY_CHUNKS || from != floor(from) || to != floor(to))
        return true;
    for (int64_t k = (int64_t)from + 1; k < (int64_t)to; k++) {
        double left, right;
        if (!curve_total(search->scan.axis->curves[a], k, 0, bytes, &left, &silent) ||
            !curve_total(search->scan.axis->curves[b], k, 0, bytes, &right, &silent) ||
            !time_is_equal(left, right))
            return false;
    }
    return true;
}

static bool is_left_out(const Search *search, size_t curve)
{
    return search->scan.left_out && search->scan.left_out[curve];
}

/* Is curve `a` nowhere above curve `b` between two breakpoints by more than the tolerance? */
static bool stays_below(const Search *search, Interval in, size_t a, size_t b)
{
    const Sample b_low = {in.low->bytes, in.low->points[b].total};
    const Sample b_high = {in.high->bytes, in.high->points[b].total};
    Lines upper = {.count = 0}, lower = {.count = 0};
    double somewhere;
    /* Two algorithms of one cost would be halved down to each change of k to prove that they tie.
       Within a factor of two, equal lines at both ends, and equal costs with each k between, are
       taken to mean equal curves. */
    if (in.high->bytes <= 2 * in.low->bytes &&
        is_same_line(&in.low->points[a], &in.low->points[b]) &&
        is_same_line(&in.high->points[a], &in.high->points[b]) &&
        (search->scan.axis->scales || in.low->points[a].branches || in.low->points[b].branches ||
         (has_same_chunks(search, in, a, b, in.low->bytes) &&
          has_same_chunks(search, in, a, b, in.high->bytes))))
        return true;
    if (time_is_below(b_low.seconds, in.low->points[a].total) ||
        time_is_below(b_high.seconds, in.high->points[a].total))
        return false;
    lines_add(&upper, point_line(&in.low->points[a]));
    lines_add(&upper, point_line(&in.high->points[a]));
    lines_add(&lower, line_chord(&b_low, &b_high));
    return !lines_may_cross(&lower, &upper, in.low->bytes, in.high->bytes, &somewhere);
}

static bool is_settled(const Search *search, Interval in, size_t winner)
{
    for (size_t i = 0; i < search->scan.axis->count; i++)
        if (i != winner && !is_left_out(search, i) && !stays_below(search, in, winner, i))
            return false;
    return true;
}

/* Marks the curves that are clearly above the winner at one end or the other all the way between
   two breakpoints, and those of `before`, which were marked on a longer interval. Most lose so on
   the first intervals, and need no times on those that these are cut into. */
static const bool *leave_out(const Search *search, Interval in, const bool *before)
{
    const IntervalScan *scan = &search->scan;
    bool *left_out = ARENA_ARRAY(scan->axis->arena, bool, scan->axis->count);
    Lines upper = {.count = 0};
    double somewhere;
    lines_add(&upper, point_line(&in.low->points[in.low->best]));
    lines_add(&upper, point_line(&in.high->points[in.high->best]));
    for (size_t i = 0; i < scan->axis->count; i++) {
        const Sample from = {in.low->bytes, in.low->points[i].total * (1 - clearly)};
        const Sample to = {in.high->bytes, in.high->points[i].total * (1 - clearly)};
        Lines lower = {.count = 0};
        left_out[i] = before && before[i];
        if (left_out[i] || i == in.low->best || i == in.high->best)
            continue;
        lines_add(&lower, line_chord(&from, &to));
        left_out[i] = !lines_may_cross(&lower, &upper, in.low->bytes, in.high->bytes, &somewhere);
    }
    return left_out;
}

/* Does `b`, which is nowhere below `a`, cost the same all along? */
static bool is_tied(const Search *search, Interval in, size_t a, size_t b)
{
    double low_gap = fabs(in.low->points[a].total - in.low->points[b].total);
    double high_gap = fabs(in.high->points[a].total - in.high->points[b].total);
    return low_gap <= tie_tolerance * in.low->points[a].total &&
           high_gap <= tie_tolerance * in.high->points[a].total &&
           (in.low == in.high || stays_below(search, in, b, a));
}

/* The crossing near `at` of two curves, to full precision: Newton's method, by their lines. It
   stays where it is if the lines do not cross between `low` and `high`. */
static bool polish(Search *search, size_t before, size_t after, double low, double high, double *at)
{
    for (int i = 0; i < 8; i++) {
        CurvePoint a, b;
        if (!scan_point(&search->scan, before, *at, &a) ||
            !scan_point(&search->scan, after, *at, &b))
            return false;
        double next = (b.intercept - a.intercept) / (a.slope - b.slope);
        if (!(next > low && next < high) || next == *at)
            return true;
        *at = next;
    }
    return true;
}

/* Adds [low, high], won by `winner`, or lengthens the piece before it. Behind a jump a piece begins
   there. */
static bool add_piece(Search *search, Interval in, size_t winner)
{
    Arena *arena = search->scan.axis->arena;
    const size_t count = search->scan.axis->count;
    bool *tied = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++)
        tied[i] = i != winner && !is_left_out(search, i) && is_tied(search, in, winner, i);
    Piece *last = search->pieces->count ? &search->pieces->items[search->pieces->count - 1] : NULL;
    if (last && last->curve == winner) {
        for (size_t i = 0; i < count; i++)
            tied[i] &= last->tied[i];
        last->tied = tied;
        last->to = in.high->bytes;
        return true;
    }
    Piece piece = {in.low->bytes, in.high->bytes, winner, in.low->points[winner], tied};
    if (!last) {
        /* The first piece: where the curve does not jump, k is that just above. */
        CurvePoint point;
        if (!scan_start(&search->scan, winner, piece.from, &point))
            return false;
        if (time_is_equal(point.total, piece.start.total))
            piece.start = point;
    } else if (!in.low->after_jump &&
               !is_same_line(&in.low->points[winner], &in.low->points[last->curve])) {
        if (!polish(search, last->curve, winner, fmax(last->from, search->scan.begin),
                    in.high->bytes, &piece.from) ||
            !scan_start(&search->scan, winner, piece.from, &piece.start))
            return false;
        last->to = piece.from;
    }
    *ARRAY_PUSH(arena, search->pieces) = piece;
    return true;
}

/* Do the two best curves cost the same at an end of an interval, and a little way into it? Then the
   first of them has all of the interval where they do, and the other one the rest. */
static bool are_tied_beside(const Breakpoint *end, const Breakpoint *other)
{
    return end->best != other->best &&
           is_same_line(&end->points[end->best], &end->points[other->best]);
}

static bool search_interval(Search *search, Interval in, int depth)
{
    if (!are_tied_beside(in.high, in.low) && is_settled(search, in, in.low->best))
        return add_piece(search, in, in.low->best);
    if (!are_tied_beside(in.low, in.high) && is_settled(search, in, in.high->best))
        return add_piece(search, in, in.high->best);
    /* Where to cut: the crossing of the winners' lines, which is the switch point once both keep to
       these lines; every other time, and where they do not cross inside, the middle. */
    const CurvePoint *first = &in.low->points[in.low->best],
                     *second = &in.high->points[in.high->best];
    double at = (second->intercept - first->intercept) / (first->slope - second->slope);
    if (depth % 2 || !(at > in.low->bytes && at < in.high->bytes))
        at = in.high->bytes > 2 * in.low->bytes
                 ? sqrt(in.low->bytes * in.high->bytes)
                 : in.low->bytes + (in.high->bytes - in.low->bytes) / 2;
    if (depth == DEEPEST || !(at > in.low->bytes && at < in.high->bytes)) {
        /* Two neighbouring sizes with different winners: the switch point is the upper one. */
        if (search->pieces->count)
            search->pieces->items[search->pieces->count - 1].to = in.high->bytes;
        return add_piece(search, (Interval){in.high, in.high}, in.high->best);
    }
    const bool *before = search->scan.left_out;
    search->scan.left_out = leave_out(search, in, before);
    Breakpoint *middle = scan_at(&search->scan, at);
    bool good = middle && search_interval(search, (Interval){in.low, middle}, depth + 1) &&
                search_interval(search, (Interval){middle, in.high}, depth + 1);
    search->scan.left_out = before;
    return good;
}

static bool take_interval(IntervalScan *scan, const Breakpoint *low, const Breakpoint *high)
{
    return search_interval(scan->context, (Interval){low, high}, 0);
}

bool envelope_find(const ChoiceAxis *axis, PieceArray *pieces)
{
    Search search = {.scan = {.axis = axis, .interval = take_interval}, .pieces = pieces};
    search.scan.context = &search;
    if (!scan_range(&search.scan))
        return false;
    /* Where several curves meet in one size, rounding may leave a piece of no width between two
       others: the one behind it begins there. */
    size_t kept = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        Piece piece = pieces->items[i];
        const bool follows = kept > 0 && pieces->items[kept - 1].to < piece.from;
        if (kept > 0 && i + 1 < pieces->count && piece.to - piece.from < empty * piece.from)
            continue;
        if (follows) {
            piece.from = pieces->items[kept - 1].to;
            if (!scan_start(&search.scan, piece.curve, piece.from, &piece.start))
                return false;
        }
        pieces->items[kept++] = piece;
    }
    pieces->count = kept;
    return true;
}
