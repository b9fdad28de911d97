#include "format/charts.h"

#include "format/axis.h"

#include <math.h>

typedef struct {
    const SpaceTime *data;
    Drawing *drawing;
    Axis time;
    double row, bar; /* heights */
} Layout;

static const double header = 46; /* above the first row, of the rounds */
static const double least_width = 640, most_width = 1500, turn_width = 84;

static double line_of(const Layout *layout, int64_t rank)
{
    return ((double)rank + 0.5) * layout->row;
}

static double place(const Layout *layout, double time)
{
    return axis_place(&layout->time, time);
}

static Mark *draw_bar(const Layout *layout, Style style, double from, double to, double top)
{
    Box box = {{place(layout, from), top}, {place(layout, to), top + layout->bar}};
    return drawing_rectangle(layout->drawing, style, box);
}

/* The parts of a message on its sender's line, those that take no time left out. */
static void draw_parts(const Layout *layout, const SpaceTimeMessage *message, double top)
{
    const Style styles[] = {STYLE_STARTUP, STYLE_HOP, STYLE_TRANSFER, STYLE_SHARED};
    const double lengths[] = {message->startup, message->hops, message->transfer, message->shared};
    double from = message->start;
    for (size_t i = 0; i < COUNT_OF(styles); i++) {
        double to = from + lengths[i];
        if (lengths[i] > 0)
            draw_bar(layout, styles[i], from, to, top);
        from = to;
    }
}

static double message_end(const SpaceTimeMessage *message)
{
    return message->start + message->startup + message->hops + message->transfer + message->shared;
}

/* From the beginning of the sender's bar to the end of the receiver's, into its middle. */
static void draw_message(const Layout *layout, const SpaceTimeMessage *message)
{
    double sender = line_of(layout, message->from), receiver = line_of(layout, message->to);
    drawing_arrow(
        layout->drawing, message->is_critical ? STYLE_CRITICAL : STYLE_ARROW,
        (Point){place(layout, message->start), receiver > sender ? sender : sender - layout->bar},
        (Point){place(layout, message_end(message)), receiver + layout->bar / 2});
}

/* In the bar of its transfer, where there is room. */
static void label_transfer(const Layout *layout, const SpaceTimeMessage *message)
{
    double start = message->start + message->startup + message->hops;
    double from = place(layout, start), to = place(layout, start + message->transfer);
    if (layout->bar >= 12 && text_width(STYLE_INSIDE, message->label) < to - from - 6)
        drawing_label(layout->drawing, STYLE_INSIDE,
                      (Point){(from + to) / 2, line_of(layout, message->from) - layout->bar / 2},
                      ANCHOR_MIDDLE, message->label);
}

static void draw_ranks(const Layout *layout)
{
    Arena *arena = layout->drawing->arena;
    for (int64_t r = 0; r < layout->data->ranks; r++) {
        double y = line_of(layout, r);
        drawing_line(layout->drawing, STYLE_AXIS, (Point){layout->time.begin, y},
                     (Point){layout->time.end, y});
        drawing_text(layout->drawing, STYLE_LABEL, (Point){layout->time.begin - 8, y}, ANCHOR_END,
                     arena_printf(arena, "rank %lld", (long long)r));
    }
}

static double bottom_of(const Layout *layout)
{
    return layout->row * (double)layout->data->ranks;
}

/* Words in the middle of a round, if they fit between its ends. */
static bool write_within(const Layout *layout, const SpaceTimeRound *round, Style style, double y,
                         const char *words)
{
    double from = place(layout, round->start), to = place(layout, round->end);
    return words && text_width(style, words) <= to - from - 4 &&
           drawing_label(layout->drawing, style, (Point){(from + to) / 2, y}, ANCHOR_MIDDLE, words);
}

static void draw_round(const Layout *layout, const SpaceTimeRound *round)
{
    double x = place(layout, round->start), end = place(layout, round->end);
    double top = -header, bottom = bottom_of(layout);
    const char *number = arena_printf(layout->drawing->arena, "%lld", (long long)round->number);
    if (round->number % 2 == 0)
        drawing_rectangle(layout->drawing, STYLE_BAND, (Box){{x, top}, {end, bottom}});
    drawing_line(layout->drawing, STYLE_MARKER, (Point){end, top}, (Point){end, bottom});
    if (!write_within(layout, round, STYLE_STRONG, top + 9, round->words))
        write_within(layout, round, STYLE_STRONG, top + 9, number);
    write_within(layout, round, STYLE_SMALL, top + 23, round->detail);
    write_within(layout, round, STYLE_SMALL, top + 37, round->contention);
}

static void draw_legend(const Layout *layout)
{
    const SpaceTime *data = layout->data;
    bool any[STYLE_COUNT] = {false};
    for (size_t i = 0; i < data->messages.count; i++) {
        const SpaceTimeMessage *message = &data->messages.items[i];
        any[STYLE_STARTUP] |= message->startup > 0;
        any[STYLE_HOP] |= message->hops > 0;
        any[STYLE_TRANSFER] |= message->transfer > 0;
        any[STYLE_SHARED] |= message->shared > 0;
        any[STYLE_RECEIVE] = true;
        any[STYLE_CRITICAL] |= message->is_critical;
    }
    for (size_t i = 0; i < data->works.count; i++)
        any[data->works.items[i].is_product ? STYLE_PRODUCT : STYLE_COMBINE] = true;
    const LegendEntry entries[] = {
        {STYLE_STARTUP, "startup"},     {STYLE_HOP, "hops"},
        {STYLE_TRANSFER, "transfer"},   {STYLE_SHARED, "longer: shared link"},
        {STYLE_RECEIVE, "receiving"},   {STYLE_COMBINE, "combining"},
        {STYLE_PRODUCT, "multiplying"}, {STYLE_CRITICAL, "critical path"},
    };
    Point at = {layout->time.begin, bottom_of(layout) + 58};
    legend_draw(layout->drawing, entries, COUNT_OF(entries), any, at, layout->time.end);
}

Drawing *space_time_draw(Arena *arena, const SpaceTime *data)
{
    double begin = 24 + text_width(STYLE_LABEL, "rank 63");
    double width = fmin(fmax(least_width, turn_width * (double)data->steps), most_width);
    /* Rows get lower as there are more of them. */
    const int64_t ranks = data->ranks;
    const double row = ranks <= 8 ? 54 : ranks <= 16 ? 42 : ranks <= 32 ? 32 : 24;
    Layout layout = {.data = data,
                     .drawing = drawing_create(arena, data->heading.title),
                     .time = {0, data->end, begin, begin + width, false},
                     .row = row};
    layout.bar = fmax(6, layout.row * 0.26);
    for (size_t i = 0; i < data->rounds.count; i++)
        draw_round(&layout, &data->rounds.items[i]);
    draw_ranks(&layout);
    for (size_t i = 0; i < data->messages.count; i++) {
        const SpaceTimeMessage *message = &data->messages.items[i];
        drawing_explain(layout.drawing,
                        draw_bar(&layout, STYLE_RECEIVE, message->start, message_end(message),
                                 line_of(&layout, message->to)),
                        message->tip);
        draw_parts(&layout, message, line_of(&layout, message->from) - layout.bar);
    }
    for (size_t i = 0; i < data->works.count; i++) {
        const SpaceTimeWork *work = &data->works.items[i];
        drawing_explain(layout.drawing,
                        draw_bar(&layout, work->is_product ? STYLE_PRODUCT : STYLE_COMBINE,
                                 work->start, work->end,
                                 line_of(&layout, work->rank) - layout.bar / 2),
                        work->tip);
    }
    for (int critical = 0; critical < 2; critical++) /* above the others */
        for (size_t i = 0; i < data->messages.count; i++)
            if (data->messages.items[i].is_critical == critical)
                draw_message(&layout, &data->messages.items[i]);
    for (size_t i = 0; i < data->messages.count; i++)
        label_transfer(&layout, &data->messages.items[i]);
    double y = bottom_of(&layout) + 4;
    axis_draw_times(layout.drawing, &layout.time, y);
    drawing_text(layout.drawing, STYLE_STRONG, (Point){layout.time.end, y + 29}, ANCHOR_END,
                 layout.data->total);
    draw_legend(&layout);
    heading_draw(layout.drawing, &data->heading, 8, data->rounds.count ? -header - 6 : 0);
    return layout.drawing;
}
