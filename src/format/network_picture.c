#include "format/network_picture.h"

#include "base/quantity.h"
#include "format/network_layout.h"

#include <limits.h>
#include <math.h>

static const double radius = 13, clearance = 4;

/* Links that are labelled one by one, if they differ. */
enum { MOST_LABELS = 48 };

/* Bows that are tried, on either side. */
enum { MOST_BOWS = 9 };

typedef struct {
    const Network *network;
    Drawing *drawing;
    NetworkLinks links;
    const Point *places;
} Picture;

static Point between(Point a, Point b, double share)
{
    return (Point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

/* On a curve with one control point. */
static Point on_curve(Point from, Point control, Point to, double share)
{
    return between(between(from, control, share), between(control, to, share), share);
}

/* The control point of a curve whose middle is `bow` beside that of the straight line. */
static Point bowed(Point from, Point to, double bow)
{
    double length = fmax(hypot(to.x - from.x, to.y - from.y), 1);
    Point middle = between(from, to, 0.5);
    return (Point){middle.x + 2 * bow * (to.y - from.y) / length,
                   middle.y - 2 * bow * (to.x - from.x) / length};
}

static bool is_near(Point from, Point control, Point to, Point node)
{
    int steps = 8 + (int)(hypot(to.x - from.x, to.y - from.y) / 8);
    for (int s = 0; s <= steps; s++) {
        Point at = on_curve(from, control, to, (double)s / steps);
        if (hypot(at.x - node.x, at.y - node.y) < radius + clearance)
            return true;
    }
    return false;
}

/* How many nodes, but those at its ends, the curve touches. */
static int count_touched(const Picture *picture, const NetworkLink *link, double bow)
{
    int count = 0;
    Point from = picture->places[link->from], to = picture->places[link->to];
    Mark curve = {.kind = MARK_CURVE,
                  .style = STYLE_RANK,
                  .points = (Point[]){from, bowed(from, to, bow), to},
                  .count = 3};
    Box box = mark_box(&curve);
    for (int64_t n = 0; n < picture->network->node_count; n++) {
        Point node = picture->places[n];
        double reach = radius + clearance;
        Box around = {{node.x - reach, node.y - reach}, {node.x + reach, node.y + reach}};
        if (n != link->from && n != link->to && boxes_overlap(&box, &around))
            count += is_near(from, curve.points[1], to, node);
    }
    return count;
}

/* Is there a link back that looks different? Then they stand side by side. */
static bool has_twin(const Picture *picture, const NetworkLink *link)
{
    for (size_t i = 0; i < picture->links.count && !link->both; i++) {
        const NetworkLink *other = &picture->links.items[i];
        if (other->from == link->to && other->to == link->from)
            return true;
    }
    return false;
}

/* How far the link is bent to pass all nodes, as little as possible; where that cannot be, so that
   it touches the fewest. */
static double find_bow(const Picture *picture, const NetworkLink *link)
{
    double bow = has_twin(picture, link) ? 8 : 0, best = bow;
    int least = INT_MAX;
    for (int i = 0; i < MOST_BOWS && least > 0; i++) {
        for (int side = 1; side >= -1; side -= 2) {
            int touched = count_touched(picture, link, side * bow);
            if (touched < least)
                least = touched, best = side * bow;
        }
        bow += i < 4 ? 10 : 20;
    }
    return best;
}

/* The ends of a link are the rims of its nodes, so that heads of arrows are seen. */
static void draw_link(const Picture *picture, const NetworkLink *link)
{
    Style style = STYLE_LINK0 + link->class % LINK_STYLES;
    Point from = picture->places[link->from], to = picture->places[link->to];
    double bow = find_bow(picture, link);
    Point control = bowed(from, to, bow);
    double length = fmax(hypot(to.x - from.x, to.y - from.y), 1);
    Point rim = on_curve(from, control, to, 1 - (radius + 2) / length);
    if (!link->both)
        drawing_arrow(picture->drawing, STYLE_ARROW,
                      on_curve(from, control, to, 1 - fmin(0.5, (radius + 14) / length)), rim);
    if (bow == 0)
        drawing_line(picture->drawing, style, from, link->both ? to : rim);
    else
        drawing_curve(picture->drawing, style, from, control, to);
}

static void draw_node(const Picture *picture, int64_t node)
{
    const Network *network = picture->network;
    Point at = picture->places[node];
    bool is_rank = node < network->p;
    const char *name = arena_printf(picture->drawing->arena, is_rank ? "%lld" : "s%lld",
                                    (long long)(is_rank ? node : node - network->p));
    if (is_rank)
        drawing_circle(picture->drawing, STYLE_RANK, at, radius);
    else
        drawing_rectangle(picture->drawing, STYLE_SWITCH,
                          (Box){{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}});
    drawing_text(picture->drawing, STYLE_NODE, at, ANCHOR_MIDDLE, name);
}

/* "device, 300 GB/s, 2 lanes, latency 500 ns" */
static const char *class_text(Arena *arena, const LinkClass *class)
{
    const char *text = class->level ? class->level : "link";
    if (class->tw > 0)
        text = arena_printf(arena, "%s, %s", text, quantity_show_bandwidth(arena, 1 / class->tw));
    if (class->lanes > 1)
        text = arena_printf(arena, "%s, %lld lanes", text, (long long)class->lanes);
    if (class->th >= 0)
        text = arena_printf(arena, "%s, latency %s", text, quantity_show_time(arena, class->th));
    return text;
}

static bool bandwidths_differ(const Network *network)
{
    for (size_t i = 1; i < network->class_count; i++)
        if (network->classes[i].tw != network->classes[0].tw)
            return true;
    return false;
}

/* Beside the middle of each link, where there is room. */
static void label_bandwidths(const Picture *picture)
{
    if (!bandwidths_differ(picture->network) || picture->links.count > MOST_LABELS)
        return;
    for (size_t i = 0; i < picture->links.count; i++) {
        const NetworkLink *link = &picture->links.items[i];
        const LinkClass *class = &picture->network->classes[link->class];
        Point from = picture->places[link->from], to = picture->places[link->to];
        if (class->tw > 0)
            drawing_label(picture->drawing, STYLE_NOTE,
                          on_curve(from, bowed(from, to, find_bow(picture, link)), to, 0.5),
                          ANCHOR_MIDDLE,
                          quantity_show_bandwidth(picture->drawing->arena, 1 / class->tw));
    }
}

static void draw_legend(const Picture *picture, Point at, double right)
{
    const Network *network = picture->network;
    Arena *arena = picture->drawing->arena;
    size_t count = 0;
    LegendEntry *entries = ARENA_ARRAY(arena, LegendEntry, network->class_count + 2);
    entries[count++] = (LegendEntry){STYLE_RANK, "rank"};
    if (network->node_count > network->p)
        entries[count++] = (LegendEntry){STYLE_SWITCH, "switch"};
    for (size_t i = 0; i < network->class_count && picture->links.count; i++)
        entries[count++] = (LegendEntry){STYLE_LINK0 + (Style)(i % LINK_STYLES),
                                         class_text(arena, &network->classes[i])};
    legend_draw(picture->drawing, entries, count, NULL, at, right);
}

bool network_is_drawable(const Network *network, const char **what)
{
    int64_t links =
        network->starts ? network->starts[network->node_count] : network->p * (network->p - 1);
    bool few_nodes = network->node_count <= NETWORK_MOST_NODES;
    *what = few_nodes ? "links" : "nodes";
    return few_nodes && links <= 2 * NETWORK_MOST_LINKS;
}

Drawing *network_draw(Arena *arena, const Network *network, const Heading *heading)
{
    Picture picture = {.network = network,
                       .drawing = drawing_create(arena, heading->title),
                       .links = network_links(arena, network)};
    picture.places = network_places(arena, network, &picture.links);
    for (size_t i = 0; i < picture.links.count; i++)
        draw_link(&picture, &picture.links.items[i]);
    for (int64_t n = 0; n < network->node_count; n++)
        draw_node(&picture, n);
    label_bandwidths(&picture);
    Box box = drawing_box(picture.drawing);
    heading_draw(picture.drawing, heading, box.least.x, box.least.y);
    draw_legend(&picture, (Point){box.least.x, box.most.y + 6},
                fmax(box.most.x, box.least.x + 480));
    return picture.drawing;
}
