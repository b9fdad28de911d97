#include "cost/stations.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CONSTRAINED = 65536 };

static const double tie_tolerance = 1e-12;

/* The lines on both sides of a bend are those of sizes so much smaller and larger. */
static const double beside_bend = 1e-9;

bool time_is_below(double a, double b)
{
    return a < b - tie_tolerance * fabs(b);
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

static int compare_sizes(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* All bends, rising; of a range that begins behind its first size, also one just there. */
static bool find_bends(Walk *walk, double from, double to, SizeArray *bends)
{
    double first = walk->begins_behind ? from * (1 - beside_bend) : from;
    for (size_t i = 0; i < walk->count; i++)
        if (!curve_bends(walk->curves[i], first, to, walk->arena, bends, walk->diag))
            return false;
    if (bends->count)
        qsort(bends->items, bends->count, sizeof *bends->items, compare_sizes);
    return true;
}

/* An interval on which each curve is concave between its bends. */
static bool walk_between(Walk *walk, double from, double to)
{
    SizeArray bends = {0};
    if (!find_bends(walk, from, to, &bends))
        return false;
    bool is_behind = bends.count && bends.items[0] <= from * (1 + beside_bend);
    Station *low = visit_beside(walk, from, walk->begins_behind && is_behind ? beside_bend : 0);
    Station *high = low ? walk_station(walk, to) : NULL;
    walk->begin = from;
    if (!high)
        return false;
    for (size_t i = 0; i < bends.count; i++) {
        if (bends.items[i] <= low->bytes * (is_behind ? 1 + beside_bend : 1))
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

/* Does some curve want more chunks at this size than there are bytes? */
static bool is_constrained(Walk *walk, double bytes, bool *constrained)
{
    *constrained = false;
    for (size_t i = 0; i < walk->count; i++) {
        CurvePoint point;
        int64_t most = curve_most_chunks(bytes);
        if (!curve_is_free(walk->curves[i]))
            continue;
        if (!curve_at(walk->curves[i], bytes, most, &point, walk->diag))
            return false;
        *constrained |= point.k >= (double)most && most > 1;
    }
    return true;
}

static bool report_constrained(Walk *walk)
{
    diag_error(
        walk->diag, NOWHERE,
        "the best number of chunks is as large as the message up to %d bytes and more, where "
        "switch points are not found; fix it with --set k=NUMBER or give the startup a time",
        MOST_CONSTRAINED);
    return false;
}

/* While the number of chunks is held down by the bytes to cut, it can grow at each whole size, so
   the curves are concave only between whole sizes. */
static bool walk_constrained(Walk *walk, double *from, double to)
{
    bool constrained;
    if (!is_constrained(walk, fmin(MOST_CONSTRAINED, to), &constrained))
        return false;
    if (constrained && to > MOST_CONSTRAINED)
        return report_constrained(walk);
    while (*from < to) {
        double next = fmin(floor(*from) + 1, to);
        if (!is_constrained(walk, fmax(next, 2), &constrained))
            return false;
        if (!constrained)
            return true;
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
