#include "format/charts.h"

#include "format/axis.h"

#include <math.h>

typedef struct {
    const MessageRoute *data;
    Drawing *drawing;
    Axis time;
    double top; /* of the panel at hand */
} Layout;

static const double width = 640, row = 38, bar = 20, panel_gap = 64;

static double line_of(const Layout *layout, size_t node)
{
    return layout->top + (double)node * row;
}

/* Between the lines of the nodes that the link joins; returns where it ends. */
static double draw_part(const Layout *layout, Style style, size_t hop, double from, double length)
{
    double top = line_of(layout, hop) + (row - bar) / 2;
    double left = axis_place(&layout->time, from), right = axis_place(&layout->time, from + length);
    if (length > 0)
        drawing_rectangle(layout->drawing, style, (Box){{left, top}, {right, top + bar}});
    if (style == STYLE_TRANSFER && text_width(STYLE_INSIDE, layout->data->size) < right - left - 6)
        drawing_text(layout->drawing, STYLE_INSIDE, (Point){(left + right) / 2, top + bar / 2},
                     ANCHOR_MIDDLE, layout->data->size);
    return from + length;
}

static void draw_panel(const Layout *layout, const RoutePanel *panel)
{
    size_t hops = layout->data->hop_count;
    double end = axis_place(&layout->time, panel->end), bottom = line_of(layout, hops);
    drawing_text(layout->drawing, STYLE_STRONG, (Point){layout->time.begin, layout->top - 18},
                 ANCHOR_START, panel->words);
    for (size_t node = 0; node <= hops; node++) {
        double y = line_of(layout, node);
        drawing_line(layout->drawing, STYLE_AXIS, (Point){layout->time.begin, y},
                     (Point){layout->time.end, y});
        drawing_text(layout->drawing, STYLE_LABEL, (Point){layout->time.begin - 8, y}, ANCHOR_END,
                     layout->data->nodes[node]);
    }
    drawing_line(layout->drawing, STYLE_MARKER, (Point){end, layout->top},
                 (Point){end, bottom + 6});
    for (size_t hop = 0; hop < hops; hop++) {
        double from =
            draw_part(layout, STYLE_STARTUP, hop, panel->hops[hop].start, panel->hops[hop].startup);
        from = draw_part(layout, STYLE_HOP, hop, from, panel->hops[hop].header);
        draw_part(layout, STYLE_TRANSFER, hop, from, panel->hops[hop].body);
    }
    drawing_text(layout->drawing, STYLE_STRONG, (Point){end, bottom + 15},
                 end > layout->time.begin + width / 2 ? ANCHOR_END : ANCHOR_START, panel->total);
}

Drawing *message_route_draw(Arena *arena, const MessageRoute *data)
{
    double begin = 0, end = 0;
    for (size_t node = 0; node <= data->hop_count; node++)
        begin = fmax(begin, 24 + text_width(STYLE_LABEL, data->nodes[node]));
    for (size_t i = 0; i < ROUTE_PANELS; i++)
        end = fmax(end, data->panels[i].end);
    Layout layout = {.data = data,
                     .drawing = drawing_create(arena, data->heading.title),
                     .time = {0, end, begin, begin + width, false}};
    for (size_t i = 0; i < ROUTE_PANELS; i++) {
        draw_panel(&layout, &data->panels[i]);
        layout.top += row * (double)layout.data->hop_count + panel_gap;
    }
    layout.top -= 26;
    axis_draw_times(layout.drawing, &layout.time, layout.top);
    const RouteHop *hop = layout.data->panels[0].hops;
    const LegendEntry entries[] = {{STYLE_STARTUP, "startup"},
                                   {STYLE_HOP, "header: per-hop time"},
                                   {STYLE_TRANSFER, "body: transfer"}};
    const bool used[STYLE_COUNT] = {[STYLE_STARTUP] = hop->startup > 0,
                                    [STYLE_HOP] = hop->header > 0,
                                    [STYLE_TRANSFER] = hop->body > 0};
    legend_draw(layout.drawing, entries, COUNT_OF(entries), used,
                (Point){layout.time.begin, layout.top + 52}, layout.time.end);
    heading_draw(layout.drawing, &data->heading, 8, -42);
    return layout.drawing;
}
