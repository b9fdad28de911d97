/* The points of a proposed form in words: those that have determined it, and those that agree. */
#ifndef COLLCOST_CLI_POINTS_TEXT_H
#define COLLCOST_CLI_POINTS_TEXT_H

#include "forms/propose.h"

/* "p = 2", "torus:2x4, root = 1, k = 3" */
const char *points_show(Arena *arena, const FitPoints *points, size_t i);
/* How many have determined a factor, and each of these. */
size_t points_count_fitted(const FitPoints *points);
const char *points_list_fitted(Arena *arena, const FitPoints *points);
/* The points that have determined nothing: "p = 1, 3 .. 64, 96; 31 grids of 2 sides up to
   torus:8x8; k = 1, 2, 3, 5, 8" */
const char *points_describe_checked(Arena *arena, const FitPoints *points);
int64_t points_largest_p(const FitPoints *points);

#endif
