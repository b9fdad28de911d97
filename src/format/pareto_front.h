/* Pictures of Pareto fronts: two times of each algorithm, logarithmic, those on the front by number
   and name, the others as dots. What lies beyond the least of either time is hatched. */
#ifndef COLLCOST_FORMAT_PARETO_FRONT_H
#define COLLCOST_FORMAT_PARETO_FRONT_H

#include "format/captions.h"

typedef struct {
    double x, y; /* seconds */
    const char *name, *tip;
    bool on_front;
} ParetoPoint;

typedef struct {
    Heading heading;
    const char *x_title, *y_title;
    size_t count;
    const ParetoPoint *points; /* those on the front in the order of their numbers, all above 0 */
    double least_x, least_y;   /* nothing is less; 0: not known */
} ParetoFront;

/* NULL where nothing is on the front. Others that are far from it are left out, and counted. */
Drawing *pareto_front_draw(Arena *arena, const ParetoFront *front);

#endif
