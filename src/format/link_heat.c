#include "format/charts.h"

#include "base/quantity.h"

#include <math.h>

typedef struct {
    const LinkHeat *data;
    Drawing *drawing;
    double row, column; /* height and width of a cell */
    double *tops;       /* of the rows */
    double bottom;
    double values[HEAT_STYLES]; /* the different values, if there are so few; rising */
    size_t value_count;         /* 0: there are more, and shades are equal parts of the largest */
} Heat;

static const double usual_width = 760, least_column = 4, most_column = 63;
static const double usual_height = 520, least_row = 6, most_row = 18;
static const double label_height = 14, row_gap = 1, least_with_gap = 8;
static const double group_gap = 22, bars = 40, header = 22;

static double left_of(const Heat *heat, size_t column)
{
    return heat->column * (double)column;
}

/* Rounding must not make two values of one. */
static bool is_same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(a, b);
}

/* Fills `values`, unless there are too many, or another map has others. */
static void find_values(Heat *heat)
{
    const LinkHeat *data = heat->data;
    for (size_t i = 0; i < data->row_count * data->column_count; i++) {
        size_t at = 0, count = heat->value_count;
        if (!(data->busy[i] > 0))
            continue;
        while (at < count && heat->values[at] < data->busy[i] &&
               !is_same(heat->values[at], data->busy[i]))
            at++;
        if (at < count && is_same(heat->values[at], data->busy[i]))
            continue;
        if (count == HEAT_STYLES || data->is_compared) {
            heat->value_count = 0;
            return;
        }
        for (size_t j = count; j > at; j--)
            heat->values[j] = heat->values[j - 1];
        heat->values[at] = data->busy[i];
        heat->value_count++;
    }
}

/* The largest value has the darkest shade. */
static Style shade_of(const Heat *heat, double seconds)
{
    const Style darkest = STYLE_HEAT0 + HEAT_STYLES - 1;
    const size_t steps = heat->value_count > 1 ? (HEAT_STYLES - 1) / (heat->value_count - 1) : 0;
    for (size_t i = 0; i < heat->value_count; i++)
        if (is_same(heat->values[i], seconds))
            return darkest - (Style)(steps * (heat->value_count - 1 - i));
    double part = ceil(seconds / heat->data->most_busy * HEAT_STYLES * (1 - 1e-9));
    return STYLE_HEAT0 + (Style)fmin(fmax(part, 1), HEAT_STYLES) - 1;
}

/* "rounds 3..6", "round 3" */
static const char *rounds_text(const Heat *heat, size_t from, size_t to)
{
    const LinkHeat *data = heat->data;
    Arena *arena = heat->drawing->arena;
    int64_t first = (int64_t)from * data->together + 1, last = (int64_t)(to + 1) * data->together;
    last = last < data->rounds ? last : data->rounds;
    return first == last
               ? arena_printf(arena, "round %lld", (long long)first)
               : arena_printf(arena, "rounds %lld..%lld", (long long)first, (long long)last);
}

/* Columns next to each other that are alike are one mark. */
static void draw_row(const Heat *heat, size_t row)
{
    const LinkHeat *data = heat->data;
    const double *busy = &data->busy[row * data->column_count];
    const double *bytes = &data->bytes[row * data->column_count];
    Arena *arena = heat->drawing->arena;
    double top = heat->tops[row], gap = heat->row >= least_with_gap ? row_gap : 0;
    for (size_t from = 0, to; from < data->column_count; from = to) {
        for (to = from + 1; to < data->column_count && is_same(busy[from], busy[to]) &&
                            is_same(bytes[from], bytes[to]);)
            to++;
        if (!(busy[from] > 0))
            continue;
        Box box = {{left_of(heat, from), top}, {left_of(heat, to), top + heat->row - gap}};
        Mark *run = drawing_rectangle(heat->drawing, shade_of(heat, busy[from]), box);
        drawing_explain(heat->drawing, run,
                        arena_printf(arena, "%s, %s: %s in %s", data->rows[row].name,
                                     rounds_text(heat, from, to - 1),
                                     quantity_show_bytes(arena, bytes[from]),
                                     quantity_show_time(arena, busy[from])));
    }
}

/* The least of 1, 2, 5, 10, ... whose labels have so much room, where each place has `each`. */
static size_t label_step(double room, double each)
{
    static const size_t firsts[] = {1, 2, 5};
    for (size_t power = 1;; power *= 10)
        for (int i = 0; i < 3; i++)
            if (each * (double)(firsts[i] * power) >= room)
                return firsts[i] * power;
}

/* How long each round takes, above the links. */
static void draw_bars(const Heat *heat)
{
    const LinkHeat *data = heat->data;
    Drawing *drawing = heat->drawing;
    double right = left_of(heat, data->column_count);
    for (size_t from = 0, to; from < data->column_count; from = to) {
        const char *time = quantity_show_time(drawing->arena, data->seconds[from]);
        for (to = from + 1;
             to < data->column_count && is_same(data->seconds[from], data->seconds[to]);)
            to++;
        double top = bars * (1 - data->seconds[from] / data->most_seconds);
        if (data->seconds[from] > 0)
            drawing_explain(
                drawing,
                drawing_rectangle(drawing, STYLE_DURATION,
                                  (Box){{left_of(heat, from), top}, {left_of(heat, to), bars}}),
                arena_printf(drawing->arena, "%s: %s", rounds_text(heat, from, to - 1), time));
    }
    drawing_line(drawing, STYLE_AXIS, (Point){0, bars}, (Point){right, bars});
    drawing_line(drawing, STYLE_GRID, (Point){0, 0}, (Point){right, 0});
    drawing_text(drawing, STYLE_SMALL, (Point){-8, 0}, ANCHOR_END,
                 quantity_show_time(drawing->arena, data->most_seconds));
    drawing_text(drawing, STYLE_SMALL, (Point){-8, bars / 2 + 4}, ANCHOR_END, "time");
}

/* The number of the first round of a column, of as many of them as there is room for. */
static void number_rounds(const Heat *heat)
{
    const LinkHeat *data = heat->data;
    Arena *arena = heat->drawing->arena;
    double y = (data->seconds ? bars : 0) + header / 2 + 2;
    const char *longest = arena_printf(arena, "%lld", (long long)data->rounds);
    size_t step = label_step(text_width(STYLE_SMALL, longest) + 8, heat->column);
    drawing_text(heat->drawing, STYLE_SMALL, (Point){-8, y}, ANCHOR_END, "round");
    for (size_t i = 0; i < data->column_count; i += step)
        drawing_text(heat->drawing, STYLE_SMALL, (Point){left_of(heat, i) + heat->column / 2, y},
                     ANCHOR_MIDDLE,
                     arena_printf(arena, "%lld", (long long)((int64_t)i * data->together + 1)));
}

static void draw_legend(const Heat *heat)
{
    Arena *arena = heat->drawing->arena;
    LegendEntry entries[HEAT_STYLES];
    size_t count = heat->value_count ? heat->value_count : HEAT_STYLES;
    for (size_t i = 0; i < count; i++) {
        double seconds = heat->value_count ? heat->values[i]
                                           : heat->data->most_busy * (double)(i + 1) / HEAT_STYLES;
        entries[i] =
            (LegendEntry){heat->value_count ? shade_of(heat, seconds) : STYLE_HEAT0 + (Style)i,
                          arena_printf(arena, "%s%s", heat->value_count ? "" : "up to ",
                                       quantity_show_time(arena, seconds))};
    }
    drawing_text(heat->drawing, STYLE_SMALL, (Point){0, heat->bottom + 16}, ANCHOR_START,
                 "how long a link is busy in one round");
    legend_draw(heat->drawing, entries, count, NULL, (Point){0, heat->bottom + 38},
                fmax(left_of(heat, heat->data->column_count), usual_width));
}

Drawing *link_heat_draw(Arena *arena, const LinkHeat *data)
{
    Heat heat = {.data = data, .drawing = drawing_create(arena, data->heading.title)};
    heat.column =
        fmin(fmax(floor(usual_width / (double)data->column_count), least_column), most_column);
    double y = data->seconds ? bars + header : header;
    heat.row = fmin(fmax(floor(usual_height / (double)data->row_count), least_row), most_row);
    heat.tops = ARENA_ARRAY(arena, double, data->row_count);
    for (size_t i = 0; i < data->row_count; i++) {
        if (i == 0 || data->rows[i].group != data->rows[i - 1].group)
            y += group_gap;
        heat.tops[i] = y;
        y += heat.row;
    }
    heat.bottom = y;
    find_values(&heat);
    if (data->seconds)
        draw_bars(&heat);
    number_rounds(&heat);
    for (size_t i = 0, next; i < data->row_count; i = next) {
        const size_t group = data->rows[i].group;
        for (next = i + 1; next < data->row_count && data->rows[next].group == group;)
            next++;
        drawing_text(heat.drawing, STYLE_STRONG, (Point){0, heat.tops[i] - 10}, ANCHOR_START,
                     data->groups[group]);
        drawing_rectangle(
            heat.drawing, STYLE_BAND,
            (Box){{0, heat.tops[i]},
                  {left_of(&heat, data->column_count), heat.tops[next - 1] + heat.row}});
    }
    /* Of each group the first row has its name, and others at even distances from it. */
    const size_t step = label_step(label_height, heat.row);
    for (size_t i = 0, first = 0; i < data->row_count; i++) {
        if (data->rows[i].group != data->rows[first].group)
            first = i;
        if ((i - first) % step == 0)
            drawing_text(heat.drawing, STYLE_SMALL, (Point){-8, heat.tops[i] + heat.row / 2},
                         ANCHOR_END, data->rows[i].name);
    }
    for (size_t i = 0; i < data->row_count; i++)
        draw_row(&heat, i);
    draw_legend(&heat);
    heading_draw(heat.drawing, &data->heading, drawing_box(heat.drawing).least.x + 16, -18);
    return heat.drawing;
}
