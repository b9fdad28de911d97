/* Pictures as plain data: marks in the order in which they are painted.

   x grows to the right and y downwards, in CSS pixels (1/96 inch). What looks how is a matter of
   styles (styles.def); carriers (picture.h) write a drawing as SVG, PNG or PDF and know nothing of
   what it shows.

   Layout needs the width of texts before any font is known. text_width is an estimate on the safe
   side: no letter of DejaVu Sans or Verdana, the widest of the usual fonts, is wider. */
#ifndef COLLCOST_FORMAT_DRAWING_H
#define COLLCOST_FORMAT_DRAWING_H

#include "base/array.h"

#include <stdio.h>

typedef enum {
#define TEXT_STYLE(id, ...) STYLE_##id,
#define MARK_STYLE(id, ...) STYLE_##id,
#include "format/styles.def"
    STYLE_COUNT
} Style;

enum { CURVE_STYLES = 6, LINK_STYLES = 6, REGION_STYLES = 8, HEAT_STYLES = 5 };

/* Colours are "#rrggbb", or NULL: nothing is painted. */
typedef struct {
    const char *class;
    const char *fill[2],
        *stroke[2];     /* in light and in dark; the stroke of letters is around them */
    double width;       /* of the stroke */
    const char *dashes; /* lengths, by turns painted and not; NULL: all painted */
    bool is_hatched;
    double size; /* of letters; 0: no style for texts */
    bool is_bold;
} StyleInfo;
extern const StyleInfo style_info[STYLE_COUNT];

typedef struct {
    double x, y;
} Point;

typedef struct {
    Point least, most;
} Box;

typedef enum { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } Anchor;

typedef enum { MARK_RECTANGLE, MARK_CIRCLE, MARK_PATH, MARK_CURVE, MARK_TEXT } MarkKind;

typedef struct {
    MarkKind kind;
    Style style;
    const Point *points; /* two corners; centre and a point on the circle; a path's; the ends of a
                            curve with its control point between; the middle of a text's height */
    size_t count;
    const char *text; /* valid UTF-8 without control characters */
    Anchor anchor;
    const char *tip; /* what it says when pointed at; NULL: nothing */
} Mark;

ARRAY_TYPE(MarkArray, Mark);

typedef struct {
    Arena *arena;
    const char *title; /* for readers who do not see the picture */
    double width;      /* of the file, in its pixels, whatever the marks cover; 0: as they say */
    MarkArray marks;
} Drawing;

Drawing *drawing_create(Arena *arena, const char *title);

/* Each returns the mark, which stays valid until the next one is added. */
Mark *drawing_rectangle(Drawing *drawing, Style style, Box box);
Mark *drawing_circle(Drawing *drawing, Style style, Point centre, double radius);
Mark *drawing_line(Drawing *drawing, Style style, Point from, Point to);
Mark *drawing_path(Drawing *drawing, Style style, const Point *points, size_t count);
Mark *drawing_curve(Drawing *drawing, Style style, Point from, Point control, Point to);
/* A line with a head at `to`. */
Mark *drawing_arrow(Drawing *drawing, Style style, Point from, Point to);
Mark *drawing_text(Drawing *drawing, Style style, Point at, Anchor anchor, const char *text);
/* A text, if it would overlap no other that is there already; else NULL. */
Mark *drawing_label(Drawing *drawing, Style style, Point at, Anchor anchor, const char *text);

/* Another title, also where it stands in the picture; above all of it where it has several. */
void drawing_retitle(Drawing *drawing, const char *title);

/* Makes its title that of a part of a picture. */
void drawing_make_part(Drawing *drawing);

/* What the mark says when it is pointed at. */
void drawing_explain(const Drawing *drawing, Mark *mark, const char *tip);

/* Adds the marks of another drawing in the same arena, moved by so much. */
void drawing_append(Drawing *drawing, const Drawing *other, Point by);

double text_width(Style style, const char *text);
/* The text, or its beginning and "..." where it is wider than `width`. */
const char *text_shorten(Arena *arena, Style style, const char *text, double width);

/* What a mark covers, and what all of them do, with a margin around. */
Box mark_box(const Mark *mark);
Box drawing_box(const Drawing *drawing);
/* Pixels of the file for each of the drawing: 1, or what its width makes of it. */
double drawing_scale(const Drawing *drawing);
bool boxes_overlap(const Box *a, const Box *b);

/* Drawings as PNG and PDF through cairo, in light colours. Texts stand where the layout has them;
   one that the font makes wider than the layout's estimate is pressed together. */

/* Two pixels of the PNG for each of the drawing, where that has no width of its own. NULL, or what
   is wrong: the library is not there, the stream does not take it, memory is short. */
const char *raster_write_png(FILE *stream, const Drawing *drawing);
const char *raster_write_pdf(FILE *stream, const Drawing *drawing);

#endif
