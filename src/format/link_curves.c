#include "format/link_curves.h"

#include <math.h>

const double node_radius = 13;

/* Room between a link and a node; two links nearer than `apart` for longer than `longest_touch`
   would be taken for one. */
static const double clearance = 4, apart = 2, longest_touch = 32;

/* How far a link is bent, on either side. Two directions that look different stand side by side. */
static const double bows[] = {0, 10, 20, 30, 40, 60, 80, 100, 120}, twin_bow = 8;
enum { BOWS = sizeof bows / sizeof *bows };

/* A curve as straight parts, without what its nodes hide. */
enum { CURVE_PARTS = 16 };
typedef struct {
    Point points[CURVE_PARTS + 1];
    size_t count;
    Box box;
} Trail;

typedef struct {
    const Network *network;
    const NetworkLinks *links;
    const Point *places;
    LinkCurve *curves; /* without points where none is found yet */
    Trail *trails;
} Search;

static double distance(Point a, Point b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

static Point between(Point a, Point b, double share)
{
    return (Point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

static Point towards(Point from, Point to, double by)
{
    return between(from, to, fmin(1, by / fmax(distance(from, to), 1)));
}

static Point on_curve(const Point *points, double share)
{
    return between(between(points[0], points[1], share), between(points[1], points[2], share),
                   share);
}

Point link_curve_middle(const LinkCurve *curve)
{
    return curve->count == 3
               ? on_curve(curve->points, 0.5)
               : between(curve->points[curve->count / 2 - 1], curve->points[curve->count / 2], 0.5);
}

Point link_curve_before_end(const LinkCurve *curve, double by)
{
    const Point *points = curve->points;
    size_t last = curve->count - 1;
    if (curve->count == 3)
        return on_curve(points, 1 - fmin(0.5, by / fmax(distance(points[0], points[last]), 1)));
    return towards(points[last], points[last - 1], by);
}

/* The middle of the curve is `bow` beside that of the line, as a curve or all along. */
static LinkCurve bend(Point from, Point to, double bow, bool is_curve)
{
    double length = fmax(distance(from, to), 1);
    Point aside = {bow * (to.y - from.y) / length, -bow * (to.x - from.x) / length};
    if (bow == 0)
        return (LinkCurve){{from, to}, 2};
    if (is_curve) {
        Point middle = between(from, to, 0.5);
        return (LinkCurve){{from, {middle.x + 2 * aside.x, middle.y + 2 * aside.y}, to}, 3};
    }
    Point first = towards(from, to, 2 * fabs(bow)), last = towards(to, from, 2 * fabs(bow));
    return (LinkCurve){
        {from, {first.x + aside.x, first.y + aside.y}, {last.x + aside.x, last.y + aside.y}, to},
        4};
}

static Trail trail_of(const LinkCurve *curve)
{
    Trail trail = {.count = curve->count};
    double hidden =
        node_radius / fmax(distance(curve->points[0], curve->points[curve->count - 1]), 1);
    for (size_t i = 0; i < curve->count; i++)
        trail.points[i] = curve->points[i];
    if (curve->count == 3) {
        trail.count = CURVE_PARTS + 1;
        for (size_t i = 0; i < trail.count; i++)
            trail.points[i] =
                on_curve(curve->points, hidden + (1 - 2 * hidden) * (double)i / CURVE_PARTS);
    } else {
        trail.points[0] = towards(curve->points[0], curve->points[1], node_radius);
        trail.points[curve->count - 1] = link_curve_before_end(curve, node_radius);
    }
    Mark mark = {
        .kind = MARK_PATH, .style = STYLE_RANK, .points = trail.points, .count = trail.count};
    trail.box = mark_box(&mark);
    return trail;
}

/* The shares of a line at which what grows evenly along it is between `least` and `most`. */
static void clip(double first, double last, double least, double most, double *from, double *to)
{
    double slope = last - first;
    if (fabs(slope) < 1e-9) {
        *to = first >= least && first <= most ? *to : *from;
        return;
    }
    double a = (least - first) / slope, b = (most - first) / slope;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

/* How long the line a runs beside the line b, nearer than `apart`. */
static double touch(const Point *a, const Point *b)
{
    double length = distance(b[0], b[1]), along[2], beside[2], from = 0, to = 1;
    if (length == 0)
        return 0;
    Point unit = {(b[1].x - b[0].x) / length, (b[1].y - b[0].y) / length};
    for (int i = 0; i < 2; i++) {
        along[i] = (a[i].x - b[0].x) * unit.x + (a[i].y - b[0].y) * unit.y;
        beside[i] = (a[i].x - b[0].x) * unit.y - (a[i].y - b[0].y) * unit.x;
    }
    clip(along[0], along[1], 0, length, &from, &to);
    clip(beside[0], beside[1], -apart, apart, &from, &to);
    return fmax(0, to - from) * distance(a[0], a[1]);
}

static bool run_together(const Trail *a, const Trail *b)
{
    double touching = 0;
    if (!boxes_overlap(&a->box, &b->box))
        return false;
    for (size_t i = 1; i < a->count; i++)
        for (size_t j = 1; j < b->count; j++)
            touching += touch(&a->points[i - 1], &b->points[j - 1]);
    return touching > longest_touch;
}

static bool passes_near(const Trail *trail, Point node)
{
    double reach = node_radius + clearance;
    Box around = {{node.x - reach, node.y - reach}, {node.x + reach, node.y + reach}};
    if (!boxes_overlap(&trail->box, &around))
        return false;
    for (size_t i = 1; i < trail->count; i++) {
        Point a = trail->points[i - 1], b = trail->points[i];
        double length = fmax(distance(a, b), 1e-9);
        double share =
            ((node.x - a.x) * (b.x - a.x) + (node.y - a.y) * (b.y - a.y)) / (length * length);
        if (distance(between(a, b, fmin(1, fmax(0, share))), node) < reach)
            return true;
    }
    return false;
}

static bool is_free(const Search *search, size_t index, const Trail *trail)
{
    const NetworkLink *link = &search->links->items[index];
    for (int64_t n = 0; n < search->network->node_count; n++)
        if (n != link->from && n != link->to && passes_near(trail, search->places[n]))
            return false;
    for (size_t i = 0; i < search->links->count; i++)
        if (i != index && search->curves[i].count && run_together(trail, &search->trails[i]))
            return false;
    return true;
}

static bool take(Search *search, size_t index, LinkCurve curve)
{
    Trail trail = trail_of(&curve);
    if (!is_free(search, index, &trail))
        return false;
    search->curves[index] = curve;
    search->trails[index] = trail;
    return true;
}

/* Is there a link back that looks different? */
static bool has_twin(const NetworkLinks *links, const NetworkLink *link)
{
    for (size_t i = 0; i < links->count && !link->both; i++)
        if (links->items[i].from == link->to && links->items[i].to == link->from)
            return true;
    return false;
}

static bool find_curve(Search *search, size_t index, int most_bows)
{
    const NetworkLink *link = &search->links->items[index];
    Point from = search->places[link->from], to = search->places[link->to];
    double least = has_twin(search->links, link) ? twin_bow : 0;
    for (int i = 0; i < most_bows; i++)
        for (int try = 0; try < 4; try++) {
            double bow = (try % 2 ? -1 : 1) * (least + bows[i]);
            if (take(search, index, bend(from, to, bow, try < 2)))
                return true;
        }
    return false;
}

const LinkCurve *link_curves_find(Arena *arena, const Network *network, const NetworkLinks *links,
                                  const Point *places)
{
    Search search = {network, links, places, ARENA_ARRAY(arena, LinkCurve, links->count),
                     ARENA_ARRAY(arena, Trail, links->count)};
    /* What can be straight is, before the others are led around it. */
    for (size_t i = 0; i < links->count; i++)
        find_curve(&search, i, 1);
    for (size_t i = 0; i < links->count; i++)
        if (!search.curves[i].count && !find_curve(&search, i, BOWS))
            return NULL;
    return search.curves;
}
