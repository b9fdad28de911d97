/* Where a function of one number that falls, then rises, is the least: Brent's method, by GSL,
   which is only given what it cannot object to: its error handler belongs to the whole process. */
#ifndef COLLCOST_COST_MINIMUM_H
#define COLLCOST_COST_MINIMUM_H

#include "base/arena.h"

/* What one search after the other needs. */
typedef struct Minimum Minimum;

typedef double FunctionOfOne(double at, void *context);

Minimum *minimum_create(Arena *arena);
/* Moves *at, where low <= *at <= high, to the least inside (low, high), to 1e-10 of it; it stays
   where none is less than both ends. The function's values must be finite. */
void minimum_between(Minimum *minimum, FunctionOfOne *function, void *context, double low,
                     double high, double *at);

#endif
