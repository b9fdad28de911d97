#include "choose/margin.h"

#include "choose/breakpoints.h"

#include <math.h>

/* A bound on a ratio that is so little above a ratio that was seen is reached. */
static const double settled_share = 1e-9;

enum { DEEPEST = 100, SLOWER = 0, FASTER = 1 };

/* The largest ratio of two times so far. */
typedef struct {
    IntervalScan scan;
    double ratio, at;
    bool is_found;
} RatioSearch;

/* Of two equal times the ratio is 1, also where both are zero. */
static double ratio_of(double slower, double faster)
{
    return slower == faster ? 1 : slower / faster;
}

static void see_ratio(RatioSearch *search, const Breakpoint *breakpoint)
{
    double ratio = ratio_of(breakpoint->points[SLOWER].total, breakpoint->points[FASTER].total);
    bool is_larger = isinf(ratio) || time_is_below(search->ratio, ratio);
    if (search->is_found && !is_larger)
        return;
    search->is_found = true;
    search->ratio = ratio;
    search->at = breakpoint->bytes;
}

static bool search_ratio(RatioSearch *search, const Breakpoint *low, const Breakpoint *high,
                         int depth)
{
    const CurvePoint *slower = &low->points[SLOWER], *end = &high->points[SLOWER];
    double at = points_corner(slower, end, low->bytes, high->bytes);
    double share = (at - low->bytes) / (high->bytes - low->bytes);
    double from = low->points[FASTER].total, to = high->points[FASTER].total;
    double line = fmin(point_line_at(slower, at), point_line_at(end, at));
    double bound = ratio_of(line, from + (to - from) * share);
    if (!(bound > search->ratio * (1 + settled_share)) || depth == DEEPEST)
        return true;
    if (!(at > low->bytes && at < high->bytes) || depth % 2)
        at = low->bytes + (high->bytes - low->bytes) / 2;
    if (!(at > low->bytes && at < high->bytes))
        return true;
    Breakpoint *middle = scan_at(&search->scan, at);
    if (!middle)
        return false;
    see_ratio(search, middle);
    return search_ratio(search, low, middle, depth + 1) &&
           search_ratio(search, middle, high, depth + 1);
}

static bool take_interval(IntervalScan *scan, const Breakpoint *low, const Breakpoint *high)
{
    RatioSearch *search = scan->context;
    see_ratio(search, low);
    see_ratio(search, high);
    return search_ratio(search, low, high, 0);
}

/* What the first curve of an axis loses to the second, in an arena of its own; negative where it is
   the faster one all along. False after a report, as all that follow. */
static bool find_margin(const ChoiceAxis *whole, Margin *margin)
{
    ChoiceAxis axis = *whole;
    RatioSearch search = {.scan = {.axis = &axis, .interval = take_interval}};
    axis.arena = arena_create(curve_workspace(axis.curves[SLOWER]));
    search.scan.context = &search;
    bool good = scan_range(&search.scan);
    if (good && !search.is_found) { /* an interval of one size */
        Breakpoint *breakpoint = scan_at(&search.scan, axis.from);
        good = breakpoint != NULL;
        if (good)
            see_ratio(&search, breakpoint);
    }
    arena_destroy(axis.arena);
    margin->loss = search.ratio - 1;
    margin->at = search.at;
    return good;
}

static void keep_larger(Margin *most, const Margin *margin)
{
    if (margin->loss > most->loss)
        *most = *margin;
}

/* The same between two other sizes, of two curves. */
static ChoiceAxis within(const ChoiceAxis *axis, Curve *const *curves, double from, double to)
{
    return (ChoiceAxis){.arena = axis->arena,
                        .count = 2,
                        .from = from,
                        .to = to,
                        .diag = axis->diag,
                        .curves = curves};
}

/* Which of two curves is below the other one where on a piece. */
static bool find_lower(const ChoiceAxis *axis, const size_t curves[2], const double *scales,
                       const Piece *on, PieceArray *found)
{
    Curve *const both[] = {axis->curves[curves[0]], axis->curves[curves[1]]};
    ChoiceAxis along = within(axis, both, on->from, on->to);
    along.scales = scales;
    return envelope_find(&along, found);
}

bool margin_of_second(const ChoiceAxis *axis, const Piece *piece, Margin *margin)
{
    Curve *const *curves = axis->curves;
    ChoiceAxis own = *axis;
    PieceArray others = {0};
    own.arena = arena_create(curve_workspace(curves[piece->curve]));
    /* The pieces of all curves but its own and those tied with it. */
    Curve **left = ARENA_ARRAY(own.arena, Curve *, axis->count);
    size_t *numbers = ARENA_ARRAY(own.arena, size_t, axis->count), count = 0;
    for (size_t i = 0; i < axis->count; i++)
        if (i != piece->curve && !piece->tied[i]) {
            left[count] = curves[i];
            numbers[count++] = i;
        }
    ChoiceAxis among = within(&own, left, piece->from, piece->to);
    among.count = count;
    bool good = envelope_find(&among, &others);
    *margin = (Margin){.loss = -INFINITY};
    for (size_t i = 0; i < others.count && good; i++) {
        const Piece *other = &others.items[i];
        Margin found = {.curve = numbers[other->curve]};
        Curve *const both[] = {[SLOWER] = left[other->curve], [FASTER] = curves[piece->curve]};
        const ChoiceAxis along = within(&own, both, other->from, other->to);
        good = find_margin(&along, &found);
        keep_larger(margin, &found);
    }
    arena_destroy(own.arena);
    return good;
}

bool piece_details(const ChoiceAxis *axis, const Piece *piece, PieceDetails *details)
{
    Curve *const *curves = axis->curves;
    const char **tied = ARENA_ARRAY(axis->arena, const char *, axis->count);
    *details = (PieceDetails){.tied = tied};
    for (size_t i = 0; i < axis->count; i++)
        if (piece->tied[i])
            tied[details->tied_count++] = curve_algorithm(curves[i])->head.name;
    if (!curve_at(curves[piece->curve], piece->to, curve_most_chunks(piece->to), &details->end,
                  axis->diag) ||
        !margin_of_second(axis, piece, &details->second))
        return false;
    if (details->second.loss > -INFINITY)
        details->second_name = curve_algorithm(curves[details->second.curve])->head.name;
    return true;
}

bool margin_to_pieces(const ChoiceAxis *axis, const PieceArray *pieces, size_t curve,
                      Margin *margin)
{
    *margin = (Margin){.loss = 0, .at = axis->from, .curve = curve};
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        double low = fmax(piece->from, axis->from), high = fmin(piece->to, axis->to);
        Margin found = {.curve = curve};
        if (piece->curve == curve || low >= high)
            continue;
        Curve *const both[] = {
            [SLOWER] = axis->curves[curve], [FASTER] = axis->curves[piece->curve]};
        const ChoiceAxis along = within(axis, both, low, high);
        if (!find_margin(&along, &found))
            return false;
        if (time_is_below(1, 1 + found.loss))
            keep_larger(margin, &found);
    }
    return true;
}

/* Sizes at which an algorithm loses no more than the tolerance. */
typedef struct {
    size_t curve;
    double from, to;
} Reach;
ARRAY_TYPE(ReachArray, Reach);

typedef struct {
    const ChoiceAxis *axis;
    const PieceArray *pieces;
    double tolerance;
    ReachArray reaches; /* of each curve, rising */
} Merge;

static void add_reach(Merge *merge, size_t curve, double from, double to)
{
    ReachArray *reaches = &merge->reaches;
    Reach *last = reaches->count ? &reaches->items[reaches->count - 1] : NULL;
    if (last && last->curve == curve && last->to == from)
        last->to = to;
    else
        *ARRAY_PUSH(merge->axis->arena, reaches) = (Reach){curve, from, to};
}

/* Where a curve is not above the piece's own, made longer by the tolerance. */
static bool reach_piece(Merge *merge, size_t curve, const Piece *piece)
{
    PieceArray found = {0};
    if (piece->curve == curve) {
        add_reach(merge, curve, piece->from, piece->to);
        return true;
    }
    if (!find_lower(merge->axis, (size_t[]){curve, piece->curve},
                    (double[]){1, 1 + merge->tolerance}, piece, &found))
        return false;
    for (size_t i = 0; i < found.count; i++)
        if (found.items[i].curve == 0)
            add_reach(merge, curve, found.items[i].from, found.items[i].to);
    return true;
}

/* The one to go on with, which gets the farthest; of equal ones that of the last piece. */
static const Reach *choose_reach(const Merge *merge, double from)
{
    const Piece *last = &merge->pieces->items[merge->pieces->count - 1];
    const Reach *chosen = NULL;
    for (size_t i = 0; i < merge->reaches.count; i++) {
        const Reach *reach = &merge->reaches.items[i];
        const bool is_last = last->curve == reach->curve && last->to == reach->to;
        if (reach->from <= from && reach->to > from &&
            (!chosen || reach->to > chosen->to || (reach->to == chosen->to && is_last)))
            chosen = reach;
    }
    return chosen;
}

static bool add_merged(const Merge *merge, const Reach *reach, double from, PieceArray *merged)
{
    Piece piece = {.from = from, .to = reach->to, .curve = reach->curve};
    if (!curve_just_above(merge->axis->curves[reach->curve], from, &piece.start, merge->axis->diag))
        return false;
    *ARRAY_PUSH(merge->axis->arena, merged) = piece;
    return true;
}

/* Does another curve cost the same on a piece all along? The start tells most of them apart. */
static bool find_tie(const Merge *merge, const Piece *piece, size_t other, bool *tied)
{
    PieceArray found = {0};
    CurvePoint point;
    *tied = false;
    if (other == piece->curve || !merge->axis->curves[other])
        return true;
    if (!curve_just_above(merge->axis->curves[other], piece->from, &point, merge->axis->diag))
        return false;
    if (!time_is_equal(point.total, piece->start.total))
        return true;
    if (!find_lower(merge->axis, (size_t[]){piece->curve, other}, NULL, piece, &found))
        return false;
    *tied = true;
    for (size_t i = 0; i < found.count; i++)
        *tied &= found.items[i].tied[!found.items[i].curve];
    return true;
}

bool margin_merge(const ChoiceAxis *axis, const PieceArray *pieces, double tolerance,
                  PieceArray *merged)
{
    Merge merge = {axis, pieces, tolerance, {0}};
    for (size_t curve = 0; curve < axis->count; curve++)
        for (size_t i = 0; i < pieces->count && axis->curves[curve]; i++)
            if (!reach_piece(&merge, curve, &pieces->items[i]))
                return false;
    if (pieces->count == 0)
        return true;
    const double end = pieces->items[pieces->count - 1].to;
    const Reach *chosen = choose_reach(&merge, pieces->items[0].from);
    if (!add_merged(&merge, chosen, pieces->items[0].from, merged))
        return false;
    while (chosen->to < end) {
        const Reach *next = choose_reach(&merge, chosen->to);
        /* The last size at which the second becomes the faster one: an end where there is none. */
        double change = chosen->to;
        const Piece on = {.from = next->from, .to = change};
        PieceArray found = {0};
        if (next->from < change &&
            !find_lower(axis, (size_t[]){chosen->curve, next->curve}, NULL, &on, &found))
            return false;
        if (found.count && found.items[found.count - 1].curve == 1)
            change = found.items[found.count - 1].from;
        merged->items[merged->count - 1].to = change;
        if (!add_merged(&merge, next, change, merged))
            return false;
        chosen = next;
    }
    for (size_t i = 0; i < merged->count; i++) {
        bool *tied = ARENA_ARRAY(axis->arena, bool, axis->count);
        for (size_t other = 0; other < axis->count; other++)
            if (!find_tie(&merge, &merged->items[i], other, &tied[other]))
                return false;
        merged->items[i].tied = tied;
    }
    return true;
}
