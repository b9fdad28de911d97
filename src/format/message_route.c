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
    Drawing *drawing = layout.drawing;
    for (size_t i = 0; i < ROUTE_PANELS; i++) {
        const RoutePanel *panel = &data->panels[i];
        const double ends = axis_place(&layout.time, panel->end);
        const double bottom = line_of(&layout, data->hop_count);
        drawing_text(drawing, STYLE_STRONG, (Point){begin, layout.top - 18}, ANCHOR_START,
                     panel->words);
        for (size_t node = 0; node <= data->hop_count; node++) {
            double y = line_of(&layout, node);
            drawing_line(drawing, STYLE_AXIS, (Point){begin, y}, (Point){begin + width, y});
            drawing_text(drawing, STYLE_LABEL, (Point){begin - 8, y}, ANCHOR_END,
                         data->nodes[node]);
        }
        drawing_line(drawing, STYLE_MARKER, (Point){ends, layout.top}, (Point){ends, bottom + 6});
        for (size_t h = 0; h < data->hop_count; h++) {
            const RouteHop *hop = &panel->hops[h];
            double from = draw_part(&layout, STYLE_STARTUP, h, hop->start, hop->startup);
            from = draw_part(&layout, STYLE_HOP, h, from, hop->header);
            draw_part(&layout, STYLE_TRANSFER, h, from, hop->body);
        }
        drawing_text(drawing, STYLE_STRONG, (Point){ends, bottom + 15},
                     ends > begin + width / 2 ? ANCHOR_END : ANCHOR_START, panel->total);
        layout.top = bottom + panel_gap;
    }
    layout.top -= 26;
    axis_draw_times(drawing, &layout.time, layout.top);
    const RouteHop *hop = data->panels[0].hops;
    const LegendEntry entries[] = {{STYLE_STARTUP, "startup"},
                                   {STYLE_HOP, "header: per-hop time"},
                                   {STYLE_TRANSFER, "body: transfer"}};
    const bool used[STYLE_COUNT] = {[STYLE_STARTUP] = hop->startup > 0,
                                    [STYLE_HOP] = hop->header > 0,
                                    [STYLE_TRANSFER] = hop->body > 0};
    legend_draw(drawing, entries, COUNT_OF(entries), used, (Point){begin, layout.top + 52},
                begin + width);
    heading_draw(drawing, &data->heading, 8, -42);
    return drawing;
}
