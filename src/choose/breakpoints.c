#include "choose/breakpoints.h"

#include "base/sort.h"
#include "base/watch.h"

#include <math.h>

enum { MOST_CONSTRAINED = 65536 };

/* The lines on both sides of a bend are those of sizes so much smaller and larger. */
static const double beside_bend = 1e-9;

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

bool walk_point(const Walk *walk, size_t curve, double bytes, CurvePoint *point)
{
    if (!curve_at(walk->curves[curve], bytes, walk->most_chunks, point, walk->diag))
        return false;
    double scale = walk->scales ? walk->scales[curve] : 1;
    point->total *= scale;
    point->intercept *= scale;
    point->slope *= scale;
    return true;
}

/* Where `beside` is not 0, the lines are those of sizes that much larger. */
static Station *visit_beside(Walk *walk, double bytes, double beside)
{
    watch_poll(walk->arena);
    Station *station = ARENA_NEW(walk->arena, Station);
    station->bytes = bytes;
    station->points = ARENA_ARRAY(walk->arena, CurvePoint, walk->count);
    for (size_t i = 0; i < walk->count; i++) {
        CurvePoint *point = &station->points[i];
        if (!walk_point(walk, i, bytes * (1 + beside), point))
            return NULL;
        if (beside != 0)
            point->total = point_line_at(point, bytes);
        if (time_is_below(point->total, station->points[station->best].total))
            station->best = i;
    }
    return station;
}

Station *walk_station(Walk *walk, double bytes)
{
    return visit_beside(walk, bytes, 0);
}

static bool has_jump(const Walk *walk, const Station *below, const Station *above)
{
    for (size_t i = 0; i < walk->count; i++)
        if (time_is_below(below->points[i].total, above->points[i].total) ||
            time_is_below(above->points[i].total, below->points[i].total))
            return true;
    return false;
}

bool curve_behind(Curve *curve, double bytes, CurvePoint *point, Diag *diag)
{
    CurvePoint behind;
    int64_t most = curve_most_chunks(bytes);
    if (!curve_at(curve, bytes, most, point, diag) ||
        !curve_at(curve, bytes * (1 + beside_bend), most, &behind, diag))
        return false;
    behind.total = point_line_at(&behind, bytes);
    if (fabs(behind.total - point->total) > beside_bend * point->total)
        *point = behind;
    return true;
}

/* All bends, rising, also one just at the first size: a range has what is behind that. */
static bool find_bends(Walk *walk, double from, double to, SizeArray *bends)
{
    for (size_t i = 0; i < walk->count; i++)
        if (!curve_bends(walk->curves[i], from * (1 - beside_bend), to, walk->arena, bends,
                         walk->diag))
            return false;
    sort_doubles(bends->items, bends->count);
    return true;
}

/* So short an interval that it is all like its end. */
static bool walk_point_like(Walk *walk, double from, double to)
{
    Station *high = walk_station(walk, to);
    if (!high)
        return false;
    Station *low = ARENA_COPY(walk->arena, Station, high, 1);
    low->bytes = walk->begin = from;
    return walk->interval(walk, low, high);
}

/* An interval on which each curve is concave between its bends. Bends that are no farther apart
   than the lines beside them are one. */
static bool walk_between(Walk *walk, double from, double to)
{
    SizeArray bends = {0};
    if (to - from <= 2 * beside_bend * to)
        return walk_point_like(walk, from, to);
    if (!find_bends(walk, from, to, &bends))
        return false;
    bool begins = bends.count && bends.items[0] <= from * (1 + beside_bend);
    bool ends = bends.count && bends.items[bends.count - 1] >= to * (1 - beside_bend);
    Station *low = visit_beside(walk, from, begins ? beside_bend : 0);
    Station *high = low ? visit_beside(walk, to, ends ? -beside_bend : 0) : NULL;
    walk->begin = from;
    if (!high)
        return false;
    for (size_t i = 0; i < bends.count && bends.items[i] < to * (1 - beside_bend); i++) {
        if (bends.items[i] <= low->bytes * (1 + beside_bend))
            continue;
        Station *bend = visit_beside(walk, bends.items[i], -beside_bend);
        if (!bend || !walk->interval(walk, low, bend))
            return false;
        low = visit_beside(walk, bends.items[i], beside_bend);
        if (!low)
            return false;
        low->behind_jump = has_jump(walk, bend, low);
        walk->begin = low->bytes;
    }
    return walk->interval(walk, low, high);
}

/* The best number of chunks, were there no bytes to cut. */
static bool wanted_chunks(const Walk *walk, size_t curve, double bytes, double *chunks)
{
    static const int64_t any = (int64_t)1 << 53;
    CurvePoint point;
    if (!curve_at(walk->curves[curve], bytes, any, &point, walk->diag))
        return false;
    *chunks = point.k;
    return true;
}

/* The last whole size in (low, high] at which a curve wants as many chunks as there are bytes, or
   more; `chunks` are those of high. They are taken never to fall as the size grows. */
static bool find_held(const Walk *walk, size_t curve, double low, double high, double chunks,
                      double *last)
{
    double middle = low + floor((high - low) / 2), fewer;
    if (chunks < low + 1 || high <= *last)
        return true;
    if (chunks >= high) {
        *last = high;
        return true;
    }
    return high - low <= 1 ||
           (find_held(walk, curve, middle, high, chunks, last) &&
            (*last > middle || (wanted_chunks(walk, curve, middle, &fewer) &&
                                find_held(walk, curve, low, middle, fewer, last))));
}

static bool report_constrained(Walk *walk)
{
    diag_error(
        walk->diag, NOWHERE,
        "the startup is so short for this number of ranks that messages of up to %d bytes and more "
        "are best cut into single bytes, where switch points are not found; give a longer one, or "
        "fix the number of chunks with --set k=NUMBER",
        MOST_CONSTRAINED);
    return false;
}

/* The last whole size at which the number of chunks of a curve is held down by the bytes, if that
   is more than *last. */
static bool find_last_held(const Walk *walk, size_t curve, double from, double to, double *last)
{
    double most = (double)curve_largest_chunks(walk->curves[curve]), chunks;
    double low = fmax(floor(from), 1), high = fmin(fmin(MOST_CONSTRAINED, most), ceil(to));
    if (!curve_is_free(walk->curves[curve]) || high < 2 || high <= low)
        return true;
    if (curve_has_protocols(walk->curves[curve])) { /* more and fewer by turns, at any size */
        *last = fmax(*last, high);
        return true;
    }
    return wanted_chunks(walk, curve, high, &chunks) &&
           find_held(walk, curve, low, high, chunks, last);
}

/* While the number of chunks is held down by the bytes to cut, it can grow at each whole size, so
   the curves are concave only between whole sizes. */
static bool walk_constrained(Walk *walk, double *from, double to)
{
    double last = 1;
    for (size_t i = 0; i < walk->count; i++)
        if (!find_last_held(walk, i, *from, to, &last))
            return false;
    if (last >= MOST_CONSTRAINED && to > MOST_CONSTRAINED)
        return report_constrained(walk);
    while (*from < fmin(last, to)) {
        double next = fmin(floor(*from) + 1, to);
        walk->most_chunks = curve_most_chunks(*from);
        if (!walk_between(walk, *from, next))
            return false;
        *from = next;
    }
    return true;
}

bool walk_range(Walk *walk, double from, double to)
{
    walk->most_chunks = 1;
    if (walk->count == 0)
        return true;
    if (!walk_constrained(walk, &from, to))
        return false;
    walk->most_chunks = curve_most_chunks(to);
    return from >= to || walk_between(walk, from, to);
}
