/* Which collectives along which dimensions make up another one.

       allreduce on cluster:16x8       reduce-scatter device, allreduce node, allgather device
                                       reduce device, allreduce node, broadcast device
                                       allreduce device, allreduce node

   Dimensions are wrapped from the innermost, the fastest, to the outermost: what is exchanged
   farthest is then the least. */
#ifndef COLLCOST_STUDY_PLANS_H
#define COLLCOST_STUDY_PLANS_H

#include "base/array.h"
#include "model/shape.h"

typedef struct {
    const char *collective;
    int dimension; /* of the shape */
} PlanStage;

enum {
    MOST_PLAN_DIMENSIONS = 6,
    MOST_ORDERED_DIMENSIONS = 4,
    MOST_PLAN_STAGES = 2 * MOST_PLAN_DIMENSIONS
};

typedef struct {
    PlanStage stages[MOST_PLAN_STAGES];
    size_t count;
    bool pipelined; /* stages overlap, each on another chunk */
} Plan;

ARRAY_TYPE(PlanArray, Plan);

/* Appends all plans over the dimensions of size > 1; none where there are fewer than two of them,
   more than MOST_PLAN_DIMENSIONS, or the collective cannot be so made. With `any_order` the
   up to MOST_ORDERED_DIMENSIONS are wrapped in every order, else they are in the natural one. For n
   dimensions and w ways to wrap (plans.def) there are w^(n-1) plans, or n! times as many. */
void plans_list(Arena *arena, const char *collective, const Shape *shape, bool any_order,
                PlanArray *plans);
/* Appends the plans with their stages pipelined, and again with what runs the collective by itself
   in two stages, so that these overlap too. */
void plans_pipeline(Arena *arena, const char *collective, const PlanArray *plans,
                    PlanArray *pipelined);

#endif
