#include "format/charts.h"

#include "base/quantity.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const CostCurves *data;
    Drawing *drawing;
    Axis size, height;
} Plot;

static const double width = 640, height = 400, strip = 20, label_gap = 16, point_radius = 3.5;

/* Points nearer to the line through their neighbours than this are left out. */
static const double smooth = 0.15;

static bool is_shown(double value)
{
    return value > 0 && isfinite(value);
}

static void widen(Axis *axis, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_shown(values[i])) {
            axis->from = fmin(axis->from, values[i]);
            axis->to = fmax(axis->to, values[i]);
        }
}

/* Room beyond the values, as a factor. */
static const double spare = 1.25, spare_linear = 1.05;

static bool set_axes(Plot *plot)
{
    const CostCurves *data = plot->data;
    const CurveHeights *heights = &data->heights;
    plot->size = (Axis){data->sizes[0], data->sizes[data->size_count - 1], 0, width, true};
    plot->height = (Axis){INFINITY, 0, 0, -height, !heights->is_linear};
    for (size_t i = 0; i < data->curve_count; i++)
        widen(&plot->height, data->curves[i].values, data->size_count);
    for (size_t i = 0; i < data->point_count; i++)
        widen(&plot->height, &data->points[i].value, 1);
    bool any = plot->height.to > 0;
    if (data->bound)
        widen(&plot->height, data->bound, data->size_count);
    plot->height.from = heights->is_linear ? 0 : plot->height.from / spare;
    plot->height.to *= heights->is_linear ? spare_linear : spare;
    if (heights->most > 0)
        plot->height.to = fmin(plot->height.to, heights->most);
    return any;
}

static Point place(const Plot *plot, double size, double value)
{
    return (Point){axis_place(&plot->size, size), axis_place(&plot->height, value)};
}

/* One unbroken piece, without points that make no difference to it. */
static void draw_piece(const Plot *plot, Style style, const Point *points, size_t count,
                       const char *tip)
{
    Point *kept = ARENA_ARRAY(plot->drawing->arena, Point, count);
    size_t kept_count = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        bool needed = i == 0 || i + 1 == count;
        for (size_t between = last + 1; between <= i && !needed; between++) {
            const Point a = points[last], b = points[between], c = points[i + 1];
            needed = fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) >
                     smooth * hypot(c.x - a.x, c.y - a.y);
        }
        if (needed)
            kept[kept_count++] = points[last = i];
    }
    if (kept_count > 1)
        drawing_explain(plot->drawing, drawing_path(plot->drawing, style, kept, kept_count), tip);
}

/* The pieces of a curve that are in the plot. */
static void draw_curve(const Plot *plot, Style style, const double *values, const char *tip)
{
    const CostCurves *data = plot->data;
    Point *points = ARENA_ARRAY(plot->drawing->arena, Point, 2 * data->size_count + 2), last;
    size_t count = 0;
    bool has_last = false;
    for (size_t i = 0; i < data->size_count; i++) {
        bool shown = is_shown(values[i]);
        if (!shown && data->joins)
            continue;
        Point at = shown ? place(plot, data->sizes[i], values[i]) : (Point){0, 0};
        bool inside = shown && at.y >= -height - smooth;
        /* Where the line between two points meets the top of the plot. */
        if (shown && has_last && inside != (last.y >= -height - smooth))
            points[count++] =
                (Point){last.x + (at.x - last.x) * (-height - last.y) / (at.y - last.y), -height};
        if (inside)
            points[count++] = at;
        if (!inside && count) {
            draw_piece(plot, style, points, count, tip);
            count = 0;
        }
        has_last = shown;
        last = at;
    }
    if (count)
        draw_piece(plot, style, points, count, tip);
}

static const char *bound_words(const CostCurves *data)
{
    if (data->heights.bound_words)
        return data->heights.bound_words;
    return data->heights.bound_is_most ? "limit by lower bound" : "lower bound";
}

/* The side of the bound on which nothing can be. */
static void draw_beyond(const Plot *plot)
{
    const CostCurves *data = plot->data;
    double edge = data->heights.bound_is_most ? -height : 0;
    Point *points = ARENA_ARRAY(plot->drawing->arena, Point, data->size_count + 2);
    size_t count = 0;
    for (size_t i = 0; i < data->size_count; i++) {
        if (!is_shown(data->bound[i]))
            continue;
        Point at = place(plot, data->sizes[i], data->bound[i]);
        at.y = fmax(at.y, -height);
        if (count == 0)
            points[count++] = (Point){at.x, edge};
        points[count++] = at;
    }
    if (count == 0)
        return;
    points[count] = (Point){points[count - 1].x, edge};
    drawing_path(plot->drawing, STYLE_BEYOND, points, count + 1);
}

/* The strip above the curves: who is the fastest, by name, or by a piece of its curve. */
static void draw_winner(const Plot *plot, const CostPiece *piece)
{
    const CostCurve *curve = &plot->data->curves[piece->curve];
    double left = axis_place(&plot->size, piece->from), right = axis_place(&plot->size, piece->to);
    double bottom = -height - 4, middle = bottom - strip / 2;
    Style style = curve->style < 0 ? STYLE_BAND : STYLE_REGION0 + (Style)curve->style;
    Mark *band =
        drawing_rectangle(plot->drawing, style, (Box){{left, bottom - strip}, {right, bottom}});
    drawing_explain(plot->drawing, band, curve->name);
    bool fits = text_width(STYLE_LABEL, curve->name) < right - left - 4;
    if (!fits && curve->style >= 0)
        drawing_line(plot->drawing, STYLE_CURVE0 + (Style)curve->style, (Point){left, middle},
                     (Point){right, middle});
    if (fits)
        drawing_label(plot->drawing, STYLE_LABEL, (Point){(left + right) / 2, middle},
                      ANCHOR_MIDDLE, curve->name);
}

/* Names at the right ends, pushed apart. */
typedef struct {
    const char *name;
    Style style;
    double end, y; /* of the curve, and of the name */
} EndLabel;

static int compare_ends(const void *a, const void *b)
{
    const EndLabel *left = a, *right = b;
    return (left->end > right->end) - (left->end < right->end);
}

static void draw_ends(const Plot *plot)
{
    const CostCurves *data = plot->data;
    EndLabel *labels = ARENA_ARRAY(plot->drawing->arena, EndLabel, data->curve_count + 1);
    size_t count = 0;
    for (size_t i = 0; i <= data->curve_count; i++) {
        const bool is_bound = i == data->curve_count;
        const CostCurve curve =
            is_bound ? (CostCurve){bound_words(data), data->bound, 0} : data->curves[i];
        size_t last = curve.values && curve.style >= 0 ? data->size_count : 0;
        while (last > 0 && !is_shown(curve.values[last - 1]))
            last--;
        if (last)
            labels[count++] =
                (EndLabel){curve.name, is_bound ? STYLE_LIMIT : STYLE_CURVE0 + (Style)curve.style,
                           fmax(axis_place(&plot->height, curve.values[last - 1]), -height), 0};
    }
    qsort(labels, count, sizeof *labels, compare_ends);
    for (size_t i = 0; i < count; i++)
        labels[i].y = i ? fmax(labels[i].end, labels[i - 1].y + label_gap) : labels[i].end;
    double below = 0;
    for (size_t i = count; i-- > 0;) {
        labels[i].y = fmin(labels[i].y, below);
        below = labels[i].y - label_gap;
    }
    for (size_t i = 0; i < count; i++) {
        Drawing *drawing = plot->drawing;
        if (fabs(labels[i].y - labels[i].end) > 2)
            drawing_line(drawing, STYLE_AXIS, (Point){width + 2, labels[i].end},
                         (Point){width + 14, labels[i].y});
        drawing_line(drawing, labels[i].style, (Point){width + 16, labels[i].y},
                     (Point){width + 44, labels[i].y});
        drawing_text(drawing, STYLE_LABEL, (Point){width + 50, labels[i].y}, ANCHOR_START,
                     labels[i].name);
    }
}

const char *cost_curves_note_others(Arena *arena, size_t count)
{
    return count == 0   ? NULL
           : count == 1 ? "grey: one more algorithm"
                        : arena_printf(arena, "grey: %zu more algorithms", count);
}

Drawing *cost_curves_draw(Arena *arena, const CostCurves *data)
{
    Plot plot = {.data = data, .drawing = drawing_create(arena, data->heading.title)};
    Drawing *drawing = plot.drawing;
    const CurveHeights *heights = &data->heights;
    if (!set_axes(&plot))
        return NULL;
    if (data->bound)
        draw_beyond(&plot);
    const TickArray ticks =
        axis_values(arena, &plot.height, 8, heights->show ? heights->show : quantity_show_time);
    axis_draw_sizes(drawing, &plot.size, -height, 0, data->size_title,
                    data->show_size ? data->show_size : quantity_show_bytes);
    axis_draw_left(drawing, &plot.height, &ticks, width);
    const Point corner[] = {{0, -height}, {0, 0}, {width, 0}};
    drawing_path(drawing, STYLE_AXIS, corner, 3);
    drawing_text(drawing, STYLE_SMALL, (Point){-8, -height - 12}, ANCHOR_END,
                 heights->title ? heights->title : "time");
    for (size_t i = 0; i < data->piece_count; i++)
        draw_winner(&plot, &data->pieces[i]);
    if (data->bound)
        draw_curve(&plot, STYLE_LIMIT, data->bound, bound_words(data));
    for (int labelled = 0; labelled < 2; labelled++) /* above the others */
        for (size_t i = 0; i < data->curve_count; i++) {
            const CostCurve *curve = &data->curves[i];
            if ((curve->style >= 0) == labelled)
                draw_curve(&plot, labelled ? STYLE_CURVE0 + (Style)curve->style : STYLE_OTHER,
                           curve->values, curve->name);
        }
    for (size_t i = 0; i < data->point_count; i++) {
        const CostPoint *point = &data->points[i];
        const int style = data->curves[point->curve].style;
        Mark *mark = drawing_circle(drawing, style < 0 ? STYLE_POINT : STYLE_POINT0 + (Style)style,
                                    place(&plot, point->size, point->value), point_radius);
        drawing_explain(drawing, mark, point->tip);
    }
    for (size_t i = 0; i < data->piece_count; i++) {
        const char *label = data->pieces[i].label;
        if (!label)
            continue;
        /* A line down to the axis, and the size above the strip, in the lowest row that has room.
         */
        double x = axis_place(&plot.size, data->pieces[i].from), top = -height - strip - 4;
        drawing_line(drawing, STYLE_MARKER, (Point){x, top}, (Point){x, 0});
        for (int row = 0; row < 4; row++)
            if (drawing_label(drawing, STYLE_STRONG, (Point){x, top - 10 - row * 16}, ANCHOR_MIDDLE,
                              label))
                break;
    }
    draw_ends(&plot);
    heading_draw(drawing, &data->heading, -60, drawing_box(drawing).least.y + 8);
    return drawing;
}
