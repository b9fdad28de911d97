/* Lines that enclose a time between places of an axis, which is a size or a parameter of the
   machine, from what is known at single places.

   A schedule's time with k chunks is the longest of many paths, each a line that neither falls nor
   is negative at zero. What holds between two places depends on how the time bends:

       convex (one k): it lies below its chord, and above its tangents and the chords beside it
       made longer;
       concave (the best of many k, each a line): the other way round;
       unknown (a best that is found without trying all k): neither.

   All three rise, and the time by value falls: so a time is no less than at a smaller value, and a
   value that is x times larger does not take more than x times longer. */
#ifndef COLLCOST_CHOOSE_ENCLOSURE_H
#define COLLCOST_CHOOSE_ENCLOSURE_H

#include "base/array.h"

typedef enum { CURVATURE_CONVEX, CURVATURE_CONCAVE, CURVATURE_UNKNOWN } Curvature;

/* A time at one place. */
typedef struct {
    double at, seconds;
} Sample;
ARRAY_TYPE(SampleArray, Sample);

/* seconds = base + slope * (place - from) */
typedef struct {
    double from, base, slope;
} Line;

enum { MOST_LINES = 8 };

/* Bounds all of which hold: the lowest of upper ones, the highest of lower ones counts. */
typedef struct {
    Line items[MOST_LINES];
    size_t count;
} Lines;

Line line_chord(const Sample *from, const Sample *to);
void lines_add(Lines *lines, Line line);

/* The sample at a place; NULL: there is none. Samples rise. */
const Sample *samples_find(const SampleArray *samples, double at);
void samples_insert(Arena *arena, SampleArray *samples, Sample sample);
/* Adds lines that a time over a parameter is nowhere above, or below, from low to high. */
void lines_add_upper(Lines *lines, Curvature curvature, const SampleArray *samples, double low,
                     double high);
void lines_add_lower(Lines *lines, Curvature curvature, const SampleArray *samples, double low,
                     double high);
/* The highest of some lines at a place, at least 0. */
double lines_highest(const Lines *lines, double at);

/* Can a time above the lines `lower` be less than one below the lines `upper`, by more than 1e-12
   of it, anywhere from low to high? Without lower or upper lines it can. *somewhere is where the
   lines leave most room. */
bool lines_may_cross(const Lines *lower, const Lines *upper, double low, double high,
                     double *somewhere);

#endif
