/* Pareto fronts of compositions: those that no other one beats in both startup and transfer. */
#ifndef COLLCOST_STUDY_FRONT_H
#define COLLCOST_STUDY_FRONT_H

#include "model/algorithm.h"
#include "study/plans.h"

typedef struct {
    double startup, rest; /* seconds; `rest` is all that grows with the size */
    const Plan *plan;
    const Algorithm *chosen[MOST_PLAN_STAGES];
} FrontPoint;

/* By rising startup, and so by falling rest. */
ARRAY_TYPE(Front, FrontPoint);

/* Is a as good as b in all `count` criteria, but for rounding? */
bool front_covers(const double *a, const double *b, size_t count);
/* Adds the point unless one that is there is as good in both; those that it beats go. O(n). */
void front_add(Arena *arena, Front *front, const FrontPoint *point);

#endif
