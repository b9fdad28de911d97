#include "format/drawing.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

const StyleInfo style_info[STYLE_COUNT] = {
#define TEXT_STYLE(id, class, light, dark, size, bold, halo, dark_halo)                            \
    {class, {light, dark}, {halo, dark_halo}, 0, NULL, false, size, bold},
#define MARK_STYLE(id, class, fill, dark_fill, stroke, dark_stroke, width, dashes, hatched)        \
    {class, {fill, dark_fill}, {stroke, dark_stroke}, width, dashes, hatched, 0, false},
#include "format/styles.def"
};

static const double margin = 16, head_length = 7, head_width = 3.2;

/* XML has neither control characters nor the two that are none in Unicode: they become question
   marks. */
static const char *clean_text(Arena *arena, const char *text)
{
    char *clean = utf8_clean_line(arena, text);
    for (char *at = clean; (at = strstr(at, "\xEF\xBF")); at += 3)
        if ((unsigned char)at[2] >= 0xBE)
            memset(at, '?', 3);
    return clean;
}

Drawing *drawing_create(Arena *arena, const char *title)
{
    Drawing *drawing = ARENA_NEW(arena, Drawing);
    drawing->arena = arena;
    drawing->title = clean_text(arena, title);
    return drawing;
}

static Mark *add_mark(Drawing *drawing, MarkKind kind, Style style, const Point *points,
                      size_t count)
{
    Mark *mark = ARRAY_PUSH(drawing->arena, &drawing->marks);
    *mark = (Mark){.kind = kind,
                   .style = style,
                   .points = ARENA_COPY(drawing->arena, Point, points, count),
                   .count = count};
    return mark;
}

Mark *drawing_rectangle(Drawing *drawing, Style style, Box box)
{
    return add_mark(drawing, MARK_RECTANGLE, style, (Point[]){box.least, box.most}, 2);
}

Mark *drawing_circle(Drawing *drawing, Style style, Point centre, double radius)
{
    Point points[] = {centre, {centre.x + radius, centre.y}};
    return add_mark(drawing, MARK_CIRCLE, style, points, 2);
}

Mark *drawing_path(Drawing *drawing, Style style, const Point *points, size_t count)
{
    return add_mark(drawing, MARK_PATH, style, points, count);
}

Mark *drawing_line(Drawing *drawing, Style style, Point from, Point to)
{
    return drawing_path(drawing, style, (Point[]){from, to}, 2);
}

Mark *drawing_curve(Drawing *drawing, Style style, Point from, Point control, Point to)
{
    return add_mark(drawing, MARK_CURVE, style, (Point[]){from, control, to}, 3);
}

/* One path: along the line to its end, and there and back along both sides of the head. */
Mark *drawing_arrow(Drawing *drawing, Style style, Point from, Point to)
{
    double length = hypot(to.x - from.x, to.y - from.y);
    if (length < head_width)
        return drawing_line(drawing, style, from, to);
    double share = fmin(head_length, 0.6 * length) / length;
    Point back = {(from.x - to.x) * share, (from.y - to.y) * share};
    Point aside = {-back.y * head_width / head_length, back.x * head_width / head_length};
    Point points[] = {from,
                      to,
                      {to.x + back.x + aside.x, to.y + back.y + aside.y},
                      to,
                      {to.x + back.x - aside.x, to.y + back.y - aside.y}};
    return drawing_path(drawing, style, points, 5);
}

Mark *drawing_text(Drawing *drawing, Style style, Point at, Anchor anchor, const char *text)
{
    Mark *mark = add_mark(drawing, MARK_TEXT, style, &at, 1);
    mark->text = clean_text(drawing->arena, text);
    mark->anchor = anchor;
    return mark;
}

Mark *drawing_label(Drawing *drawing, Style style, Point at, Anchor anchor, const char *text)
{
    Mark *mark = drawing_text(drawing, style, at, anchor, text);
    const Box box = mark_box(mark);
    for (size_t i = 0; i + 1 < drawing->marks.count; i++) {
        const Box other = mark_box(&drawing->marks.items[i]);
        if (drawing->marks.items[i].kind != MARK_TEXT || !boxes_overlap(&box, &other))
            continue;
        drawing->marks.count--;
        return NULL;
    }
    return mark;
}

void drawing_append(Drawing *drawing, const Drawing *other, Point by)
{
    for (size_t i = 0; i < other->marks.count; i++) {
        Mark mark = other->marks.items[i];
        Point *points = ARENA_COPY(drawing->arena, Point, mark.points, mark.count);
        for (size_t j = 0; j < mark.count; j++)
            points[j] = (Point){points[j].x + by.x, points[j].y + by.y};
        mark.points = points;
        *ARRAY_PUSH(drawing->arena, &drawing->marks) = mark;
    }
}

void drawing_explain(const Drawing *drawing, Mark *mark, const char *tip)
{
    mark->tip = clean_text(drawing->arena, tip);
}

void drawing_retitle(Drawing *drawing, const char *title)
{
    Mark *written = NULL;
    size_t count = 0;
    drawing->title = clean_text(drawing->arena, title);
    for (size_t i = 0; i < drawing->marks.count; i++)
        if (drawing->marks.items[i].style == STYLE_TITLE && count++ == 0)
            written = &drawing->marks.items[i];
    Box box = drawing_box(drawing);
    if (count == 1)
        written->text = drawing->title;
    else
        drawing_text(drawing, STYLE_TITLE, (Point){box.least.x + margin, box.least.y}, ANCHOR_START,
                     title);
}

void drawing_make_part(Drawing *drawing)
{
    for (size_t i = 0; i < drawing->marks.count; i++)
        if (drawing->marks.items[i].style == STYLE_TITLE)
            drawing->marks.items[i].style = STYLE_STRONG;
}

double text_width(Style style, const char *text)
{
    double width = 0; /* in parts of the size of letters */
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        width += (*at & 0xC0) == 0x80                                    ? 0
                 : *at >= 0x80 || strchr("mwMW%@", *at)                  ? 1
                 : strchr("ijltfrI.,:;'|!/-() []", *at)                  ? 0.42
                 : strchr("+<=>#~^&", *at) || (*at >= 'A' && *at <= 'Z') ? 0.84
                                                                         : 0.66;
    return width * style_info[style].size * (style_info[style].is_bold ? 1.1 : 1);
}

const char *text_shorten(Arena *arena, Style style, const char *text, double width)
{
    size_t length = strlen(text);
    const char *shown = text;
    while (length > 0 && text_width(style, shown) > width) {
        do
            length--;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80);
        shown = arena_printf(arena, "%.*s...", (int)length, text);
    }
    return shown;
}

static void extend(Box *box, Point point, double by)
{
    box->least.x = fmin(box->least.x, point.x - by);
    box->least.y = fmin(box->least.y, point.y - by);
    box->most.x = fmax(box->most.x, point.x + by);
    box->most.y = fmax(box->most.y, point.y + by);
}

/* Where a quadratic curve turns back, in one coordinate; its end where it does not. */
static double turning_point(double from, double control, double to)
{
    double divisor = from - 2 * control + to;
    double share = divisor != 0 ? (from - control) / divisor : 0;
    if (share <= 0 || share >= 1)
        return from;
    return (1 - share) * (1 - share) * from + 2 * share * (1 - share) * control +
           share * share * to;
}

Box mark_box(const Mark *mark)
{
    if (mark->kind == MARK_TEXT) {
        double width = text_width(mark->style, mark->text);
        double height = 1.2 * style_info[mark->style].size;
        double left = mark->points->x - (mark->anchor == ANCHOR_MIDDLE ? width / 2
                                         : mark->anchor == ANCHOR_END  ? width
                                                                       : 0);
        return (Box){{left, mark->points->y - height / 2},
                     {left + width, mark->points->y + height / 2}};
    }
    double pen = style_info[mark->style].width / 2;
    Box box = {mark->points[0], mark->points[0]};
    if (mark->kind == MARK_CIRCLE) {
        extend(&box, mark->points[0], mark->points[1].x - mark->points[0].x + pen);
        return box;
    }
    if (mark->kind == MARK_CURVE) {
        extend(&box,
               (Point){turning_point(mark->points[0].x, mark->points[1].x, mark->points[2].x),
                       turning_point(mark->points[0].y, mark->points[1].y, mark->points[2].y)},
               pen);
        extend(&box, mark->points[2], pen);
    }
    for (size_t i = 0; i < mark->count && mark->kind != MARK_CURVE; i++)
        extend(&box, mark->points[i], pen);
    return box;
}

Box drawing_box(const Drawing *drawing)
{
    if (drawing->marks.count == 0)
        return (Box){{0, 0}, {0, 0}};
    Box all = mark_box(&drawing->marks.items[0]);
    for (size_t i = 1; i < drawing->marks.count; i++) {
        Box box = mark_box(&drawing->marks.items[i]);
        extend(&all, box.least, 0);
        extend(&all, box.most, 0);
    }
    all.least.x = floor(all.least.x - margin);
    all.least.y = floor(all.least.y - margin);
    all.most.x = ceil(all.most.x + margin);
    all.most.y = ceil(all.most.y + margin);
    return all;
}

double drawing_scale(const Drawing *drawing)
{
    Box box = drawing_box(drawing);
    return drawing->width > 0 ? drawing->width / (box.most.x - box.least.x) : 1;
}

bool boxes_overlap(const Box *a, const Box *b)
{
    return a->least.x < b->most.x && b->least.x < a->most.x && a->least.y < b->most.y &&
           b->least.y < a->most.y;
}
