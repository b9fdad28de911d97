#include "choose/breakpoints.h"

#include "base/watch.h"

#include <math.h>

enum { MOST_CONSTRAINED = 65536 };

/* The lines on both sides of a bend are those of sizes so much smaller and larger. */
static const double beside_bend = 1e-9;

Line point_line(const CurvePoint *point)
{
    return (Line){0, point->intercept, point->slope};
}

double point_line_at(const CurvePoint *point, double bytes)
{
    return point->intercept + point->slope * bytes;
}

double points_corner(const CurvePoint *low, const CurvePoint *high, double from, double to)
{
    double fall = low->slope - high->slope;
    double at = fall > 0 ? (high->intercept - low->intercept) / fall : from;
    return at < from ? from : at > to ? to : at;
}

static void scale_point(const IntervalScan *scan, size_t curve, CurvePoint *point)
{
    double scale = scan->axis->scales ? scan->axis->scales[curve] : 1;
    point->total *= scale;
    point->intercept *= scale;
    point->slope *= scale;
}

bool scan_point(const IntervalScan *scan, size_t curve, double bytes, CurvePoint *point)
{
    if (!curve_at(scan->axis->curves[curve], bytes, scan->most_chunks, point, scan->axis->diag))
        return false;
    /* where a size is at a jump but for rounding, its line is that of the side which has it */
    double line = point_line_at(point, bytes);
    if (!time_is_equal(line, point->total))
        point->total = line;
    scale_point(scan, curve, point);
    return true;
}

/* Where `beside` is not 0, the lines are those of sizes that much larger. */
static Breakpoint *visit_beside(IntervalScan *scan, double bytes, double beside)
{
    watch_poll(scan->axis->arena);
    Breakpoint *breakpoint = ARENA_NEW(scan->axis->arena, Breakpoint);
    breakpoint->bytes = bytes;
    breakpoint->points = ARENA_ARRAY(scan->axis->arena, CurvePoint, scan->axis->count);
    double *seconds = ARENA_ARRAY(scan->axis->arena, double, scan->axis->count);
    for (size_t i = 0; i < scan->axis->count; i++) {
        CurvePoint *point = &breakpoint->points[i];
        if (scan->left_out && scan->left_out[i]) {
            point->total = seconds[i] = NAN;
            continue;
        }
        const double at = bytes * (1 + beside);
        if (beside != 0
                ? !curve_line(scan->axis->curves[i], at, scan->most_chunks, point, scan->axis->diag)
                : !scan_point(scan, i, bytes, point))
            return NULL;
        if (beside != 0) {
            scale_point(scan, i, point);
            point->total = point_line_at(point, bytes);
        }
        seconds[i] = point->total;
    }
    breakpoint->best = winner_find(seconds, scan->axis->count);
    const CurvePoint *points = breakpoint->points;
    bool *tied = ARENA_ARRAY(scan->axis->arena, bool, scan->axis->count);
    winner_find_tied(seconds, scan->axis->count, tied);
    for (size_t i = 0; i < scan->axis->count; i++)
        if (tied[i] && curve_point_is_under(&points[i], &points[breakpoint->best]))
            breakpoint->best = i;
    return breakpoint;
}

Breakpoint *scan_at(IntervalScan *scan, double bytes)
{
    return visit_beside(scan, bytes, 0);
}

/* Where numbers of chunks, or of branches, cost the same at a size, takes the one that is the best
 * just above. */
static void take_chunks_above(const CurvePoint *above, double bytes, CurvePoint *point)
{
    double total = point->total;
    bool is_same = fabs(above->k - point->k) < 1 && above->branches == point->branches;
    if (is_same || !time_is_equal(point_line_at(above, bytes), total))
        return;
    *point = *above;
    point->total = total;
}

bool scan_start(const IntervalScan *scan, size_t curve, double bytes, CurvePoint *point)
{
    CurvePoint above;
    if (!scan_point(scan, curve, bytes, point) ||
        !scan_point(scan, curve, bytes * (1 + beside_bend), &above))
        return false;
    take_chunks_above(&above, bytes, point);
    return true;
}

bool curve_just_above(Curve *curve, double bytes, CurvePoint *point, Diag *diag)
{
    CurvePoint above;
    int64_t most = curve_most_chunks(bytes);
    if (!curve_at(curve, bytes, most, point, diag) ||
        !curve_at(curve, bytes * (1 + beside_bend), most, &above, diag))
        return false;
    above.total = point_line_at(&above, bytes);
    if (fabs(above.total - point->total) > beside_bend * point->total)
        *point = above;
    else
        take_chunks_above(&above, bytes, point);
    return true;
}

/* An interval on which each curve is concave between its bends. Bends that are no farther apart
   than the lines beside them are one. */
static bool scan_between(IntervalScan *scan, double from, double to)
{
    SizeArray bends = {0};
    const BendList list = {from * (1 - beside_bend), to, scan->axis->arena, &bends,
                           scan->axis->diag};
    if (to - from <= 2 * beside_bend * to) {
        /* So short an interval that it is all like its end. */
        Breakpoint *high = scan_at(scan, to);
        if (!high)
            return false;
        Breakpoint *low = ARENA_COPY(scan->axis->arena, Breakpoint, high, 1);
        low->bytes = scan->begin = from;
        return scan->interval(scan, low, high);
    }
    /* All bends, rising, also one just at the first size: a range has what is after that. */
    for (size_t i = 0; i < scan->axis->count; i++)
        if (!curve_bends(scan->axis->curves[i], &list))
            return false;
    sort_doubles(bends.items, bends.count);
    bool begins = bends.count && bends.items[0] <= from * (1 + beside_bend);
    bool ends = bends.count && bends.items[bends.count - 1] >= to * (1 - beside_bend);
    Breakpoint *low = visit_beside(scan, from, begins ? beside_bend : 0);
    Breakpoint *high = low ? visit_beside(scan, to, ends ? -beside_bend : 0) : NULL;
    scan->begin = from;
    if (!high)
        return false;
    for (size_t i = 0; i < bends.count && bends.items[i] < to * (1 - beside_bend); i++) {
        if (bends.items[i] <= low->bytes * (1 + beside_bend))
            continue;
        Breakpoint *bend = visit_beside(scan, bends.items[i], -beside_bend);
        if (!bend || !scan->interval(scan, low, bend))
            return false;
        low = visit_beside(scan, bends.items[i], beside_bend);
        if (!low)
            return false;
        for (size_t n = 0; n < scan->axis->count; n++)
            low->after_jump |= time_is_below(bend->points[n].total, low->points[n].total) ||
                               time_is_below(low->points[n].total, bend->points[n].total);
        scan->begin = low->bytes;
    }
    return scan->interval(scan, low, high);
}

/* The best number of chunks, were there no bytes to cut. */
static bool wanted_chunks(const IntervalScan *scan, size_t curve, double bytes, double *chunks)
{
    static const int64_t any = (int64_t)1 << 53;
    CurvePoint point;
    if (!curve_at(scan->axis->curves[curve], bytes, any, &point, scan->axis->diag))
        return false;
    *chunks = point.k;
    return true;
}

/* The last whole size in (low, high] at which a curve wants as many chunks as there are bytes, or
   more; `chunks` are those of high. They are taken never to fall as the size grows. */
static bool find_held(const IntervalScan *scan, size_t curve, double low, double high,
                      double chunks, double *last)
{
    double middle = low + floor((high - low) / 2), fewer;
    if (chunks < low + 1 || high <= *last)
        return true;
    if (chunks >= high) {
        *last = high;
        return true;
    }
    return high - low <= 1 ||
           (find_held(scan, curve, middle, high, chunks, last) &&
            (*last > middle || (wanted_chunks(scan, curve, middle, &fewer) &&
                                find_held(scan, curve, low, middle, fewer, last))));
}

/* The last whole size at which the number of chunks of a curve is held down by the bytes, if that
   is more than *last. */
static bool find_last_held(const IntervalScan *scan, size_t curve, double from, double to,
                           double *last)
{
    double most = (double)curve_largest_chunks(scan->axis->curves[curve]), chunks;
    double low = fmax(floor(from), 1), high = fmin(fmin(MOST_CONSTRAINED, most), ceil(to));
    if (!curve_is_free(scan->axis->curves[curve]) || high < 2 || high <= low)
        return true;
    if (curve_may_rise_and_fall(scan->axis->curves[curve])) { /* so may k, at any size */
        *last = fmax(*last, high);
        return true;
    }
    return wanted_chunks(scan, curve, high, &chunks) &&
           find_held(scan, curve, low, high, chunks, last);
}

bool scan_range(IntervalScan *scan)
{
    double from = scan->axis->from, to = scan->axis->to, last = 1;
    scan->most_chunks = 1;
    if (scan->axis->count == 0)
        return true;
    for (size_t i = 0; i < scan->axis->count; i++)
        if (!find_last_held(scan, i, from, to, &last))
            return false;
    if (last >= MOST_CONSTRAINED && to > MOST_CONSTRAINED)
        return diag_error(
            scan->axis->diag, NOWHERE,
            "the startup time is so short that even messages of %d bytes are best cut into "
            "chunks of one byte, where switch points cannot be found; increase the startup "
            "time, or fix the number of chunks with --set k=NUMBER",
            MOST_CONSTRAINED);
    /* While the number of chunks is held down by the bytes to cut, it can grow at each whole size,
       so the curves are concave only between whole sizes. */
    while (from < fmin(last, to)) {
        const double next = fmin(floor(from) + 1, to);
        scan->most_chunks = curve_most_chunks(from);
        if (!scan_between(scan, from, next))
            return false;
        from = next;
    }
    scan->most_chunks = curve_most_chunks(to);
    return from >= to || scan_between(scan, from, to);
}
