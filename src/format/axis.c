#include "format/axis.h"

#include "base/quantity.h"

#include <math.h>

static const struct {
    double seconds;
    const char *name;
} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
enum { UNIT_COUNT = COUNT_OF(units) };

const char *axis_show_number(Arena *arena, double value)
{
    return arena_printf(arena, "%.6g", value);
}

double axis_place(const Axis *axis, double value)
{
    double share = axis->is_log ? log(value / axis->from) / log(axis->to / axis->from)
                                : (value - axis->from) / (axis->to - axis->from);
    return axis->begin + share * (axis->end - axis->begin);
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double round_step(double least)
{
    double power = pow(10, floor(log10(least)));
    double times = least / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

enum { MOST_TICKS = 8 };

void axis_draw_times(Drawing *drawing, const Axis *axis, double y)
{
    const double step = round_step((axis->to - axis->from) / MOST_TICKS);
    const int64_t last = (int64_t)floor((axis->to - axis->from) / step * (1 + 1e-12));
    size_t u = 0;
    while (u + 1 < UNIT_COUNT && axis->to < units[u].seconds)
        u++;
    drawing_line(drawing, STYLE_AXIS, (Point){axis->begin, y}, (Point){axis->end, y});
    for (int64_t i = 0; i <= last; i++) {
        const double value = axis->from + (double)i * step, x = axis_place(axis, value);
        drawing_line(drawing, STYLE_AXIS, (Point){x, y}, (Point){x, y + 5});
        drawing_label(drawing, STYLE_SMALL, (Point){x, y + 13}, ANCHOR_MIDDLE,
                      arena_printf(drawing->arena, "%.6g", value / units[u].seconds));
    }
    drawing_text(drawing, STYLE_SMALL, (Point){axis->begin, y + 29}, ANCHOR_START,
                 arena_printf(drawing->arena, "time, %s", units[u].name));
}

static void push_value(Arena *arena, const Axis *axis, double value, ShowValue show,
                       TickArray *ticks)
{
    double slack = 1e-9 * (axis->to - axis->from);
    if (value >= axis->from - slack && value <= axis->to + slack)
        *ARRAY_PUSH(arena, ticks) = (Tick){value, show(arena, value)};
}

TickArray axis_values(Arena *arena, const Axis *axis, int most, ShowValue show)
{
    /* With less between the ends than this there are too few of 1, 2 and 5 times powers of ten. */
    static const double short_axis = 5;
    TickArray ticks = {0};
    if (axis->is_log && axis->to > short_axis * axis->from) {
        const int first = (int)floor(log10(axis->from)), last = (int)ceil(log10(axis->to));
        const bool is_fine = axis->to <= 150 * axis->from;
        for (int power = first; power <= last; power += (last - first) / most + 1) {
            push_value(arena, axis, pow(10, power), show, &ticks);
            for (int times = 2; is_fine && times <= 5; times += 3)
                push_value(arena, axis, times * pow(10, power), show, &ticks);
        }
        return ticks;
    }
    const double step = round_step((axis->to - axis->from) / most);
    const int64_t first = (int64_t)ceil(axis->from / step - 1e-9);
    for (int64_t i = first; (double)i * step <= axis->to * (1 + 1e-9); i++)
        push_value(arena, axis, (double)i * step, show, &ticks);
    return ticks;
}

void axis_draw_below(Drawing *drawing, const Axis *axis, const TickArray *ticks, double top,
                     double bottom)
{
    for (size_t i = 0; i < ticks->count; i++) {
        double x = axis_place(axis, ticks->items[i].value);
        drawing_line(drawing, STYLE_GRID, (Point){x, bottom + 5}, (Point){x, top});
        drawing_label(drawing, STYLE_SMALL, (Point){x, bottom + 14}, ANCHOR_MIDDLE,
                      ticks->items[i].label);
    }
}

void axis_draw_left(Drawing *drawing, const Axis *axis, const TickArray *ticks, double width)
{
    for (size_t i = 0; i < ticks->count; i++) {
        double y = axis_place(axis, ticks->items[i].value);
        drawing_line(drawing, STYLE_GRID, (Point){0, y}, (Point){width, y});
        drawing_label(drawing, STYLE_SMALL, (Point){-8, y}, ANCHOR_END, ticks->items[i].label);
    }
}

void axis_draw_sizes(Drawing *drawing, const Axis *axis, double top, double bottom,
                     const char *title, ShowValue show)
{
    Arena *arena = drawing->arena;
    const Workspace *workspace = arena_workspace(arena);
    TickArray sizes = {0};
    if (workspace && workspace->size_units == SIZES_DECIMAL) {
        sizes = axis_values(arena, axis, MOST_TICKS, show);
    } else {
        const int least = (int)ceil(log2(axis->from)), last = (int)floor(log2(axis->to));
        int step = 1;
        while ((last - least) / step + 1 > MOST_TICKS)
            step = step == 2 ? 5 : step * 2; /* 1, 2, 5, 10: each unit is ten powers of two */
        for (int power = (int)ceil((double)least / step) * step; power <= last; power += step)
            *ARRAY_PUSH(arena, &sizes) = (Tick){ldexp(1, power), show(arena, ldexp(1, power))};
    }
    axis_draw_below(drawing, axis, &sizes, top, bottom);
    drawing_text(drawing, STYLE_SMALL, (Point){(axis->begin + axis->end) / 2, bottom + 34},
                 ANCHOR_MIDDLE, title);
}
