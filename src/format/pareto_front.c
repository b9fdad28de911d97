#include "format/charts.h"

#include "base/quantity.h"
#include "format/axis.h"

#include <math.h>

typedef struct {
    const ParetoFront *front;
    Drawing *drawing;
    Axis x, y;
} Plot;

static const double width = 520, height = 400, radius = 5, dot = 3, line_height = 18,
                    names_top = 68;
/* Room around the front, and how far other points may be from it, as factors. */
static const double spare = 1.3, farthest = 4;

static void widen(Axis *axis, double value, bool only_down)
{
    if (value > 0) {
        axis->from = fmin(axis->from, value);
        axis->to = only_down ? axis->to : fmax(axis->to, value);
    }
}

/* Of the front, of others near it, and of what is the least. */
static bool set_axes(Plot *plot)
{
    const ParetoFront *front = plot->front;
    plot->x = (Axis){INFINITY, 0, 0, width, true};
    plot->y = (Axis){INFINITY, 0, 0, -height, true};
    for (size_t i = 0; i < front->count; i++)
        if (front->points[i].on_front) {
            widen(&plot->x, front->points[i].x, false);
            widen(&plot->y, front->points[i].y, false);
        }
    if (!(plot->x.to > 0) || !(plot->y.to > 0))
        return false;
    double most_x = farthest * plot->x.to, most_y = farthest * plot->y.to;
    for (size_t i = 0; i < front->count; i++) {
        const ParetoPoint *point = &front->points[i];
        if (point->x <= most_x && point->y <= most_y) {
            widen(&plot->x, point->x, false);
            widen(&plot->y, point->y, false);
        }
    }
    widen(&plot->x, front->least_x, true);
    widen(&plot->y, front->least_y, true);
    plot->x.from /= spare, plot->x.to *= spare;
    plot->y.from /= spare, plot->y.to *= spare;
    return true;
}

static Point place(const Plot *plot, const ParetoPoint *point)
{
    return (Point){axis_place(&plot->x, point->x), axis_place(&plot->y, point->y)};
}

/* Circles with numbers, and below the plot what they are. */
static void draw_front(const Plot *plot)
{
    static const Point sides[] = {{10, -10}, {10, 10}, {-10, 10}, {-10, -10},
                                  {0, -15},  {0, 15},  {16, 0},   {-16, 0}};
    const ParetoFront *front = plot->front;
    Drawing *drawing = plot->drawing;
    int number = 0;
    for (size_t i = 0; i < front->count; i++)
        if (front->points[i].on_front)
            drawing_explain(
                drawing,
                drawing_circle(drawing, STYLE_INNER, place(plot, &front->points[i]), radius),
                front->points[i].tip);
    for (size_t i = 0; i < front->count; i++) {
        const ParetoPoint *point = &front->points[i];
        if (!point->on_front)
            continue;
        const char *text = arena_printf(drawing->arena, "%d", ++number);
        double y = names_top + line_height * number;
        /* The number is on the side where there is room. */
        const Point at = place(plot, point);
        size_t side = 0;
        while (side < COUNT_OF(sides) &&
               !drawing_label(drawing, STYLE_STRONG,
                              (Point){at.x + sides[side].x, at.y + sides[side].y}, ANCHOR_MIDDLE,
                              text))
            side++;
        drawing_text(drawing, STYLE_STRONG, (Point){0, y}, ANCHOR_MIDDLE, text);
        drawing_text(drawing, STYLE_LABEL, (Point){14, y}, ANCHOR_START, point->name);
    }
}

Drawing *pareto_front_draw(Arena *arena, const ParetoFront *front)
{
    Plot plot = {.front = front, .drawing = drawing_create(arena, front->heading.title)};
    if (!set_axes(&plot))
        return NULL;
    Drawing *drawing = plot.drawing;
    /* Where nothing can be. */
    double x = front->least_x > 0 ? axis_place(&plot.x, front->least_x) : 0;
    if (front->least_x > 0) {
        drawing_rectangle(drawing, STYLE_BEYOND, (Box){{0, -height}, {x, 0}});
        drawing_line(drawing, STYLE_LIMIT, (Point){x, -height}, (Point){x, 0});
    }
    if (front->least_y > 0) {
        double y = axis_place(&plot.y, front->least_y);
        drawing_rectangle(drawing, STYLE_BEYOND, (Box){{x, y}, {width, 0}});
        drawing_line(drawing, STYLE_LIMIT, (Point){0, y}, (Point){width, y});
    }
    TickArray across = axis_values(arena, &plot.x, 6, quantity_show_time);
    TickArray up = axis_values(arena, &plot.y, 8, quantity_show_time);
    axis_draw_below(drawing, &plot.x, &across, -height, 0);
    axis_draw_left(drawing, &plot.y, &up, width);
    const Point corner[] = {{0, -height}, {0, 0}, {width, 0}};
    drawing_path(drawing, STYLE_AXIS, corner, 3);
    drawing_text(drawing, STYLE_SMALL, (Point){width / 2, 34}, ANCHOR_MIDDLE, front->x_title);
    drawing_text(drawing, STYLE_SMALL, (Point){-50, -height - 14}, ANCHOR_START, front->y_title);
    size_t outside = 0;
    for (size_t i = 0; i < front->count; i++) {
        const ParetoPoint *point = &front->points[i];
        if (point->on_front)
            continue;
        if (point->x > plot.x.to || point->y > plot.y.to)
            outside++;
        else
            drawing_explain(drawing, drawing_circle(drawing, STYLE_OTHER, place(&plot, point), dot),
                            point->tip);
    }
    draw_front(&plot);
    const double y = 60, samples[] = {radius, 150, 360};
    drawing_circle(drawing, STYLE_INNER, (Point){samples[0], y}, radius);
    drawing_text(drawing, STYLE_LABEL, (Point){samples[0] + 14, y}, ANCHOR_START, "on the front");
    drawing_circle(drawing, STYLE_OTHER, (Point){samples[1], y}, dot);
    drawing_text(drawing, STYLE_LABEL, (Point){samples[1] + 14, y}, ANCHOR_START,
                 outside ? arena_printf(arena, "others, %zu outside of the frame", outside)
                         : "others");
    const LegendEntry bounds = {STYLE_LIMIT, "lower bounds"};
    if (front->least_x > 0 || front->least_y > 0)
        legend_draw(drawing, &bounds, 1, NULL, (Point){samples[2] + 50, y}, width + 200);
    heading_draw(drawing, &front->heading, -50, -height - 32);
    return drawing;
}
