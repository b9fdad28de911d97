#include "cost/segments.h"

#include <math.h>

/* Up to which part of a segment the rest gets none of its own. */
static double left_over(Segments kind)
{
    return kind == SEGMENTS_NEAREST ? 0.5 : 0;
}

double segments_count(Segments kind, double segment, double bytes)
{
    return fmax(1, ceil(bytes / segment - left_over(kind)));
}

void segments_narrow(Segments kind, double segment, int64_t count, double *from, double *to)
{
    const double largest = ((double)count + left_over(kind)) * segment;
    *from = count > 1 ? fmax(*from, largest - segment) : *from;
    *to = fmin(*to, largest);
}

double segments_largest(double segment)
{
    return LIMIT_SEGMENTS * segment;
}

bool segments_bends(Segments kind, double segment, const BendList *list)
{
    double first = fmax(1, floor(list->from / segment));
    if (list->to / segment - first > LIMIT_SEGMENTS)
        return diag_error(
            list->diag, NOWHERE,
            "messages of %s have more than %d segments, at each of which the time jumps: give a "
            "larger segment, or smaller sizes",
            quantity_show_bytes(list->arena, list->to), LIMIT_SEGMENTS);
    for (double s = first; (s + left_over(kind)) * segment < list->to; s++)
        bend_add(list, (s + left_over(kind)) * segment);
    return true;
}
