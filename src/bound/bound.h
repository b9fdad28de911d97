/* A lower bound as a value: a multiple of a parameter, or a time by itself; bounds.h says what
   kinds there are and finds them. */
#ifndef COLLCOST_BOUND_BOUND_H
#define COLLCOST_BOUND_BOUND_H

#include "cost/rules.h"

typedef struct {
    BoundKind kind;
    Exact coefficient;
    bool is_time; /* seconds, or seconds a byte, not a multiple of the kind's parameter */
    const char *reason;
} Bound;

typedef struct {
    Bound items[BOUND_KIND_COUNT];
    /* No algorithm exists: no path leads from this rank to that one, which needs its data. */
    bool is_disconnected;
    int64_t disconnected_from, disconnected_to; /* numbers in the network */
} BoundSet;

/* The bound in seconds for m bytes; `parameters` are the least that anything costs (rules_least).
 */
double bound_seconds(const Bound *bound, const double *parameters, double bytes);
Exact bound_exact(const Bound *bound, const ExactParameters *parameters, Exact bytes);
/* The kind that binds: the largest (the first of equals). */
BoundKind bounds_binding(const BoundSet *bounds, const double *parameters, double bytes);
/* The parameter by which a kind of bound is multiplied. */
Parameter bound_parameter(BoundKind kind);
/* "3 ts", "7/8 m tc", "m / (47 GB/s)", "0"; where `own_tw` is not 0, all links have this in place
   of the machine's: "3/2 m / (8 GB/s)". */
const char *bound_formula(Arena *arena, const Bound *bound, double own_tw);

#endif
