#include "cost/segments.h"

#include "base/limits.h"
#include "base/quantity.h"

#include <math.h>

double segments_count(double segment, double bytes)
{
    return fmax(1, ceil(bytes / segment));
}

void segments_narrow(double segment, int64_t count, double *from, double *to)
{
    *from = fmax(*from, (double)(count - 1) * segment);
    *to = fmin(*to, (double)count * segment);
}

double segments_largest(double segment)
{
    return LIMIT_SEGMENTS * segment;
}

bool segments_bends(double segment, double from, double to, Arena *arena, SizeArray *sizes,
                    Diag *diag)
{
    double first = fmax(1, floor(from / segment));
    if (to / segment - first > LIMIT_SEGMENTS) {
        diag_error(
            diag, NOWHERE,
            "messages of %s have more than %d segments, at each of which the time jumps: give a "
            "larger segment, or smaller sizes",
            quantity_show_bytes(arena, to), LIMIT_SEGMENTS);
        return false;
    }
    for (double s = first; s * segment < to; s++)
        if (s * segment > from)
            *ARRAY_PUSH(arena, sizes) = s * segment;
    return true;
}
