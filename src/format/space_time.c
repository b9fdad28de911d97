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

static double message_end(const SpaceTimeMessage *message)
{
    return message->start + message->startup + message->hops + message->transfer + message->shared;
}

/* From the beginning of the sender's bar to the end of the receiver's, into its middle, the
   critical ones above the others; and sizes in the bars of transfers, where there is room. */
static void draw_arrows(const Layout *layout)
{
    const SpaceTimeMessages *messages = &layout->data->messages;
    for (int critical = 0; critical < 2; critical++)
        for (size_t i = 0; i < messages->count; i++) {
            const SpaceTimeMessage *message = &messages->items[i];
            double sender = line_of(layout, message->from), receiver = line_of(layout, message->to);
            if (message->is_critical == critical)
                drawing_arrow(
                    layout->drawing, critical ? STYLE_CRITICAL : STYLE_ARROW,
                    (Point){place(layout, message->start),
                            receiver > sender ? sender : sender - layout->bar},
                    (Point){place(layout, message_end(message)), receiver + layout->bar / 2});
        }
    for (size_t i = 0; i < messages->count; i++) {
        const SpaceTimeMessage *message = &messages->items[i];
        double start = message->start + message->startup + message->hops;
        double from = place(layout, start), to = place(layout, start + message->transfer);
        if (layout->bar >= 12 && text_width(STYLE_INSIDE, message->label) < to - from - 6)
            drawing_label(
                layout->drawing, STYLE_INSIDE,
                (Point){(from + to) / 2, line_of(layout, message->from) - layout->bar / 2},
                ANCHOR_MIDDLE, message->label);
    }
}

/* The bars of all messages, those of senders in parts. */
static void draw_messages(const Layout *layout)
{
    const SpaceTimeMessages *messages = &layout->data->messages;
    const double bar = layout->bar;
    for (size_t i = 0; i < messages->count; i++) {
        const SpaceTimeMessage *message = &messages->items[i];
        const double sender = line_of(layout, message->from);
        drawing_explain(layout->drawing,
                        draw_bar(layout, STYLE_RECEIVE, message->start, message_end(message),
                                 line_of(layout, message->to)),
                        message->tip);
        const Style styles[] = {STYLE_STARTUP, STYLE_HOP, STYLE_TRANSFER, STYLE_SHARED};
        const double lengths[] = {message->startup, message->hops, message->transfer,
                                  message->shared};
        double from = message->start;
        for (size_t part = 0; part < COUNT_OF(styles); from += lengths[part++])
            if (lengths[part] > 0)
                draw_bar(layout, styles[part], from, from + lengths[part], sender - bar);
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
    for (size_t i = 0; i < data->rounds.count; i++) {
        const SpaceTimeRound *round = &data->rounds.items[i];
        const double top = -header, bottom = bottom_of(&layout);
        const Point start = {place(&layout, round->start), top};
        const Point end = {place(&layout, round->end), bottom};
        if (round->number % 2 == 0)
            drawing_rectangle(layout.drawing, STYLE_BAND, (Box){start, end});
        drawing_line(layout.drawing, STYLE_MARKER, (Point){end.x, top}, end);
        if (!write_within(&layout, round, STYLE_STRONG, top + 9, round->words))
            write_within(&layout, round, STYLE_STRONG, top + 9,
                         arena_printf(arena, "%lld", (long long)round->number));
        write_within(&layout, round, STYLE_SMALL, top + 23, round->detail);
        write_within(&layout, round, STYLE_SMALL, top + 37, round->contention);
    }
    for (int64_t r = 0; r < ranks; r++) {
        double y = line_of(&layout, r);
        drawing_line(layout.drawing, STYLE_AXIS, (Point){begin, y}, (Point){begin + width, y});
        drawing_text(layout.drawing, STYLE_LABEL, (Point){begin - 8, y}, ANCHOR_END,
                     arena_printf(arena, "rank %lld", (long long)r));
    }
    draw_messages(&layout);
    for (size_t i = 0; i < data->works.count; i++) {
        const SpaceTimeWork *work = &data->works.items[i];
        drawing_explain(layout.drawing,
                        draw_bar(&layout, work->is_product ? STYLE_PRODUCT : STYLE_COMBINE,
                                 work->start, work->end,
                                 line_of(&layout, work->rank) - layout.bar / 2),
                        work->tip);
    }
    draw_arrows(&layout);
    double y = bottom_of(&layout) + 4;
    axis_draw_times(layout.drawing, &layout.time, y);
    drawing_text(layout.drawing, STYLE_STRONG, (Point){layout.time.end, y + 29}, ANCHOR_END,
                 layout.data->total);
    draw_legend(&layout);
    heading_draw(layout.drawing, &data->heading, 8, data->rounds.count ? -header - 6 : 0);
    return layout.drawing;
}
