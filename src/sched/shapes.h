/* The shapes on which an algorithm is tried: how p ranks can lie, as far as it matters to it. */
#ifndef COLLCOST_SCHED_SHAPES_H
#define COLLCOST_SCHED_SHAPES_H

#include "model/algorithm.h"

ARRAY_TYPE(ShapeArray, Shape);

/* Appends the shapes of p ranks: one line for an algorithm that knows no dimensions; all grids with
   the named dimensions; for one that runs along every dimension all grids of up to three, and of
   twos; along every level, two and three levels as well. */
void shapes_list(Arena *arena, const Algorithm *algorithm, int64_t p, ShapeArray *shapes);
/* "4x2", with names where they are not the usual ones: "device 4 x node 2". */
const char *shape_describe(Arena *arena, const Shape *shape);

#endif
