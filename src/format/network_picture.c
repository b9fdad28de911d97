#include "format/network_picture.h"

#include "base/quantity.h"
#include "format/link_curves.h"

#include <math.h>

/* Links that are labelled one by one, if they differ. */
enum { MOST_LABELS = 48 };

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

/* Of its class; or, between two sides, whether it leads from one to the other. */
static Style link_style(const Picture *picture, const NetworkLink *link)
{
    const NetworkSides *sides = picture->sides;
    if (!sides)
        return STYLE_LINK0 + link->class % LINK_STYLES;
    bool out = crosses(sides, link->from, link->to), in = crosses(sides, link->to, link->from);
    return out || ((link->both || sides->both) && in) ? STYLE_CROSSED : STYLE_OTHER;
}

/* An arrow ends at the rim of its node, so that its head is seen. */
static void draw_link(const Picture *picture, size_t index)
{
    const NetworkLink *link = &picture->links.items[index];
    const LinkCurve *curve = &picture->curves[index];
    Style style = link_style(picture, link);
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
        if (class->tw > 0)
            drawing_label(picture->drawing, STYLE_NOTE, link_curve_middle(&picture->curves[i]),
                          ANCHOR_MIDDLE,
                          quantity_show_bandwidth(picture->drawing->arena, 1 / class->tw));
    }
}

static bool any_port_crossed(const Picture *picture)
{
    const NetworkSides *sides = picture->sides;
    for (int64_t r = 0; r < picture->network->p; r++)
        if (sides->memories[r] != sides->nodes[r])
            return true;
    return false;
}

static void draw_legend_of_sides(const Picture *picture, Point at, double right)
{
    const LegendEntry entries[] = {
        {STYLE_INNER, "the side that data must leave"},
        {STYLE_CROSSED, any_port_crossed(picture) ? "links and ports (rings) across the cut"
                                                  : "links across the cut"},
        {STYLE_OTHER, "other links"},
    };
    legend_draw(picture->drawing, entries, sizeof entries / sizeof *entries, NULL, at, right);
}

static void draw_legend(const Picture *picture, Point at, double right)
{
    const Network *network = picture->network;
    Arena *arena = picture->drawing->arena;
    size_t count = 0;
    LegendEntry *entries = ARENA_ARRAY(arena, LegendEntry, network->class_count + 2);
    if (picture->sides) {
        draw_legend_of_sides(picture, at, right);
        return;
    }
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

Drawing *network_draw(Arena *arena, const Network *network, const Heading *heading,
                      const NetworkSides *sides)
{
    Picture picture = {.network = network,
                       .sides = sides,
                       .drawing = drawing_create(arena, heading->title),
                       .links = network_links(arena, network)};
    picture.places = network_places(arena, network, &picture.links);
    picture.curves = link_curves_find(arena, network, &picture.links, picture.places);
    if (!picture.curves) {
        picture.places = network_places_in_rings(arena, network, &picture.links);
        if (picture.places)
            picture.curves = link_curves_find(arena, network, &picture.links, picture.places);
    }
    if (!picture.curves)
        return NULL;
    for (size_t i = 0; i < picture.links.count; i++)
        draw_link(&picture, i);
    for (int64_t n = 0; n < network->node_count; n++)
        draw_node(&picture, n);
    label_bandwidths(&picture);
    Box box = drawing_box(picture.drawing);
    heading_draw(picture.drawing, heading, box.least.x, box.least.y);
    draw_legend(&picture, (Point){box.least.x, box.most.y + 6},
                fmax(box.most.x, box.least.x + 480));
    return picture.drawing;
}
