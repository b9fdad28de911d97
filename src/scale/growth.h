/* How fast the work of a product must grow with p to keep its efficiency: the order of the
   isoefficiency function, read off a closed form.

   Each term c p^a (log p)^l n^b of a time T adds p times that to the overhead p T - T_1. Work
   W ~ n^w keeps up with it where

       n^w ~ p^(a + 1) (log p)^l n^b,   so   W ~ (p^(a + 1) (log p)^l)^(w / (w - b)),

   and the term that asks for most decides (Grama, Gupta and Kumar, Isoefficiency, IEEE Parallel &
   Distributed Technology 1(3), 1993). */
#ifndef COLLCOST_SCALE_GROWTH_H
#define COLLCOST_SCALE_GROWTH_H

#include "model/claim.h"
#include "model/shape.h"

typedef enum {
    GROWTH_UNKNOWN, /* the formula is no sum of such terms */
    GROWTH_NEVER,   /* no n keeps the efficiency */
    GROWTH_FOUND
} GrowthKind;

typedef struct {
    GrowthKind kind;
    double power, logarithm;           /* W ~ p^power (log p)^logarithm */
    bool decides[PARAMETER_COUNT + 1]; /* whose terms grow like that; the last one is tm */
} Growth;

/* Of a claim about a time, on networks of this shape that grow alike along all dimensions.
   Parameters that are 0 count for nothing; the work is n^`work_power`. */
Growth growth_find(Arena *arena, const Claim *claim, const Shape *shape,
                   const double parameters[PARAMETER_COUNT], double work_power);
/* "p^1.5 log p, by tw" */
const char *growth_describe(Arena *arena, const Growth *growth);

#endif
