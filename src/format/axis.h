/* Axes: where a value is, and which values are written beside the axis. */
#ifndef COLLCOST_FORMAT_AXIS_H
#define COLLCOST_FORMAT_AXIS_H

#include "format/drawing.h"

typedef struct {
    double from, to;   /* values, from < to; above 0 where logarithmic */
    double begin, end; /* pixels; begin > end for an axis that goes up */
    bool is_log;
} Axis;

typedef struct {
    double value;
    const char *label;
} Tick;

ARRAY_TYPE(TickArray, Tick);

double axis_place(const Axis *axis, double value);
/* Draws an axis of seconds, at the height y, with round values and their unit below it. */
void axis_draw_times(Drawing *drawing, const Axis *axis, double y);
typedef const char *(*ShowValue)(Arena *arena, double value);
/* Six digits. */
const char *axis_show_number(Arena *arena, double value);
/* Draws values with lines through a plot: below it, from the height `top` to `bottom`; or at its
   left side, where the plot begins at 0 and is so wide. */
void axis_draw_below(Drawing *drawing, const Axis *axis, const TickArray *ticks, double top,
                     double bottom);
void axis_draw_left(Drawing *drawing, const Axis *axis, const TickArray *ticks, double width);
/* Draws a logarithmic axis of message sizes, or ranks, below a plot, from the height `top` to
   `bottom`: powers of two with a line through the plot, and a title. */
void axis_draw_sizes(Drawing *drawing, const Axis *axis, double top, double bottom,
                     const char *title, ShowValue show);
/* Round values: powers of ten on a logarithmic axis, or 1, 2 and 5 times them where there are few;
   even steps on one that is not, or that is short. At most about so many. */
TickArray axis_values(Arena *arena, const Axis *axis, int most, ShowValue show);

#endif
