#include "format/network_picture.h"

#include <math.h>

const double node_radius = 13;

/* Room between a link and a node; two links nearer than `apart` for longer than `longest_touch`
   would be taken for one. */
static const double clearance = 4, apart = 2, longest_touch = 32;

/* How far a link is bent, on either side. Two directions that look different stand side by side. */
static const double bows[] = {0, 10, 20, 30, 40, 60, 80, 100, 120}, twin_bow = 8;
enum { BOWS = COUNT_OF(bows) };

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

/* So far from where it ends, along its last part. */
static Point link_curve_before_end(const LinkCurve *curve, double by)
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

static bool take(Search *search, size_t index, LinkCurve curve)
{
    Trail trail = trail_of(&curve);
    const NetworkLink *link = &search->links->items[index];
    for (int64_t n = 0; n < search->network->node_count; n++)
        if (n != link->from && n != link->to && passes_near(&trail, search->places[n]))
            return false;
    for (size_t i = 0; i < search->links->count; i++)
        if (i != index && search->curves[i].count && run_together(&trail, &search->trails[i]))
            return false;
    search->curves[index] = curve;
    search->trails[index] = trail;
    return true;
}

static bool find_curve(Search *search, size_t index, int most_bows)
{
    const NetworkLink *link = &search->links->items[index];
    Point from = search->places[link->from], to = search->places[link->to];
    double least = 0;
    for (size_t i = 0; i < search->links->count && !link->both; i++) {
        const NetworkLink *back = &search->links->items[i]; /* which looks different */
        if (back->from == link->to && back->to == link->from)
            least = twin_bow;
    }
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

/* Links that are labelled one by one, if they differ. */
enum { MOST_LABELS = 48 };
/* Nodes, and links in one or both directions, that are led round one another; so many times as many
   where switches give them levels. */
enum { MOST_NODES = 256, MOST_LINKS = 1024, TIMES_BY_LEVEL = 4 };

typedef struct {
    const Network *network;
    const NetworkSides *sides; /* or NULL */
    Drawing *drawing;
    NetworkLinks links;
    const Point *places;
    const LinkCurve *curves;
} Picture;

static bool crosses(const NetworkSides *sides, int64_t from, int64_t to)
{
    return sides->nodes[from] && !sides->nodes[to];
}

/* An arrow ends at the rim of its node, so that its head is seen. */
static void draw_link(const Picture *picture, size_t index)
{
    const NetworkLink *link = &picture->links.items[index];
    const LinkCurve *curve = &picture->curves[index];
    /* Of its class; or, between two sides, whether it leads from one to the other. */
    const NetworkSides *sides = picture->sides;
    Style style = STYLE_LINK0 + link->class % LINK_STYLES;
    if (sides)
        style = crosses(sides, link->from, link->to) ||
                        ((link->both || sides->both) && crosses(sides, link->to, link->from))
                    ? STYLE_CROSSED
                    : STYLE_OTHER;
    Point points[] = {curve->points[0], curve->points[1], curve->points[2], curve->points[3]};
    if (!link->both) {
        Point rim = link_curve_before_end(curve, node_radius + 2);
        drawing_arrow(picture->drawing, STYLE_ARROW, link_curve_before_end(curve, node_radius + 14),
                      rim);
        if (curve->count != 3)
            points[curve->count - 1] = rim;
    }
    if (curve->count == 3)
        drawing_curve(picture->drawing, style, points[0], points[1], points[2]);
    else
        drawing_path(picture->drawing, style, points, curve->count);
}

static void draw_node(const Picture *picture, int64_t node)
{
    const Network *network = picture->network;
    Point at = picture->places[node];
    bool is_rank = node < network->p;
    const char *name = arena_printf(picture->drawing->arena, is_rank ? "%lld" : "s%lld",
                                    (long long)(is_rank ? node : node - network->p));
    const NetworkSides *sides = picture->sides;
    bool inside = sides && (is_rank ? sides->memories[node] : sides->nodes[node]);
    if (is_rank && sides && sides->memories[node] != sides->nodes[node])
        drawing_circle(picture->drawing, STYLE_CROSSED, at, node_radius + 4);
    if (is_rank)
        drawing_circle(picture->drawing, inside ? STYLE_INNER : STYLE_RANK, at, node_radius);
    else
        drawing_rectangle(picture->drawing, inside ? STYLE_INNER : STYLE_SWITCH,
                          (Box){{at.x - node_radius, at.y - node_radius},
                                {at.x + node_radius, at.y + node_radius}});
    drawing_text(picture->drawing, STYLE_NODE, at, ANCHOR_MIDDLE, name);
}

static void draw_legend(const Picture *picture, Point at, double right)
{
    const Network *network = picture->network;
    const NetworkSides *sides = picture->sides;
    Arena *arena = picture->drawing->arena;
    if (sides) {
        bool crosses_ports = false;
        for (int64_t r = 0; r < network->p; r++)
            crosses_ports |= sides->memories[r] != sides->nodes[r];
        const LegendEntry entries[] = {
            {STYLE_INNER, "the side that data must leave"},
            {STYLE_CROSSED,
             crosses_ports ? "links and ports (rings) across the cut" : "links across the cut"},
            {STYLE_OTHER, "other links"},
        };
        legend_draw(picture->drawing, entries, COUNT_OF(entries), NULL, at, right);
        return;
    }
    size_t count = 0;
    LegendEntry *entries = ARENA_ARRAY(arena, LegendEntry, network->class_count + 2);
    entries[count++] = (LegendEntry){STYLE_RANK, "rank"};
    if (network->node_count > network->p)
        entries[count++] = (LegendEntry){STYLE_SWITCH, "switch"};
    for (size_t i = 0; i < network->class_count && picture->links.count; i++) {
        /* "device, 300 GB/s, 2 lanes, latency 500 ns" */
        const LinkClass *class = &network->classes[i];
        const char *text = class->level ? class->level : "link";
        if (class->tw > 0)
            text =
                arena_printf(arena, "%s, %s", text, quantity_show_bandwidth(arena, 1 / class->tw));
        if (class->lanes > 1)
            text = arena_printf(arena, "%s, %lld lanes", text, (long long)class->lanes);
        if (class->th >= 0)
            text =
                arena_printf(arena, "%s, latency %s", text, quantity_show_time(arena, class->th));
        entries[count++] = (LegendEntry){STYLE_LINK0 + (Style)(i % LINK_STYLES), text};
    }
    legend_draw(picture->drawing, entries, count, NULL, at, right);
}

bool network_is_drawable(Arena *arena, const Network *network, const char **what)
{
    const int times = network->node_count > network->p ? TIMES_BY_LEVEL : 1;
    const int nodes = times * MOST_NODES, links = times * MOST_LINKS;
    const bool few_nodes = network->node_count <= nodes;
    *what = arena_printf(arena, "%s for a picture (at most %d)", few_nodes ? "links" : "nodes",
                         few_nodes ? links : nodes);
    return few_nodes &&
           network_link_count(network) - (network->starts ? 0 : network->p) <= 2 * links;
}

/* Where few links can be led round one another, that; else by level. False: neither can be. */
static bool lay_out(Arena *arena, Picture *picture)
{
    const Network *network = picture->network;
    const NetworkLinks *links = &picture->links;
    for (int rings = 0; rings < 2 && network->node_count <= MOST_NODES &&
                        links->count <= MOST_LINKS && !picture->curves;
         rings++) {
        picture->places = network_places(arena, network, links, rings);
        if (picture->places)
            picture->curves = link_curves_find(arena, network, links, picture->places);
    }
    if (picture->curves)
        return true;
    picture->places = network_places_by_level(arena, network, links);
    if (!picture->places)
        return false;
    /* Straight lines; from a rank up out of its block, and then to its switch. */
    LinkCurve *curves = ARENA_ARRAY(arena, LinkCurve, links->count + 1);
    for (size_t i = 0; i < links->count; i++) {
        const int64_t nodes[] = {links->items[i].from, links->items[i].to};
        Point ends[2], turns[2];
        for (int end = 0; end < 2; end++) {
            ends[end] = picture->places[nodes[end]];
            turns[end] =
                nodes[end] < network->p ? (Point){ends[end].x, -network_gap / 2} : ends[end];
        }
        curves[i] = (LinkCurve){{ends[0], turns[0], turns[1], ends[1]}, 4};
    }
    picture->curves = curves;
    return true;
}

Drawing *network_draw(Arena *arena, const Network *network, const Heading *heading,
                      const NetworkSides *sides)
{
    Picture picture = {.network = network,
                       .sides = sides,
                       .drawing = drawing_create(arena, heading->title),
                       .links = network_links(arena, network)};
    if (!lay_out(arena, &picture))
        return NULL;
    for (size_t i = 0; i < picture.links.count; i++)
        draw_link(&picture, i);
    for (int64_t n = 0; n < network->node_count; n++)
        draw_node(&picture, n);
    /* Bandwidths where they differ: beside the middle of each link, where there is room. */
    bool differ = false;
    for (size_t i = 1; i < network->class_count; i++)
        differ |= network->classes[i].tw != network->classes[0].tw;
    for (size_t i = 0; i < picture.links.count && differ && picture.links.count <= MOST_LABELS;
         i++) {
        const LinkCurve *curve = &picture.curves[i];
        const Point *half = &curve->points[curve->count / 2];
        const double tw = network->classes[picture.links.items[i].class].tw;
        if (tw > 0)
            drawing_label(picture.drawing, STYLE_NOTE,
                          curve->count == 3 ? on_curve(curve->points, 0.5)
                                            : between(half[-1], half[0], 0.5),
                          ANCHOR_MIDDLE, quantity_show_bandwidth(arena, 1 / tw));
    }
    Box box = drawing_box(picture.drawing);
    heading_draw(picture.drawing, heading, box.least.x, box.least.y);
    draw_legend(&picture, (Point){box.least.x, box.most.y + 6},
                fmax(box.most.x, box.least.x + 480));
    return picture.drawing;
}
