/* Which collectives along which dimensions make up another one.

       allreduce on cluster:16x8       reduce-scatter device, allreduce node, allgather device
                                       reduce device, allreduce node, broadcast device
                                       allreduce device, allreduce node

   Dimensions are wrapped from the innermost, the fastest, to the outermost: what is exchanged
   farthest is then the least. */
#ifndef COLLCOST_STUDY_PLANS_H
#define COLLCOST_STUDY_PLANS_H

#include "model/algorithm.h"

typedef struct {
    const char *collective;
    int dimension; /* of the grid; or PLAN_ALL_RANKS: in one line of all ranks */
} PlanStage;

enum {
    PLAN_ALL_RANKS = -1,
    MOST_PLAN_DIMENSIONS = 6,
    MOST_ORDERED_DIMENSIONS = 4,
    MOST_PLAN_STAGES = 2 * MOST_PLAN_DIMENSIONS
};

/* How the ranks lie for a plan. */
typedef struct {
    Shape shape;
    const char *text; /* "{node: 16, device1: 4, device2: 2}"; "": as the network says */
} PlanGrid;

ARRAY_TYPE(PlanGridArray, PlanGrid);

typedef struct {
    const PlanGrid *grid;
    PlanStage stages[MOST_PLAN_STAGES];
    size_t count;
    bool pipelined; /* stages overlap, each on another chunk */
} Plan;

ARRAY_TYPE(PlanArray, Plan);

/* Appends the grids that come of cutting one dimension in two, 8 = 2 x 4 = 4 x 2, where a grid may
   have so many; those of size 1 are left out. O(sum of the sizes). */
void plans_cut(Arena *arena, const Shape *shape, PlanGridArray *grids);

/* Appends all plans over the dimensions of size > 1; none where there are fewer than two of them,
   more than MOST_PLAN_DIMENSIONS, or the collective cannot be so made. With `any_order` the
   up to MOST_ORDERED_DIMENSIONS are wrapped in every order, else they are in the natural one. For n
   dimensions and w ways to wrap (plans.def) there are w^(n-1) plans, or n! times as many. */
void plans_list(Arena *arena, const char *collective, const PlanGrid *grid, bool any_order,
                PlanArray *plans);
/* Appends the plans again, with what runs the collective by itself in two stages (HALVES in
   plans.def): those of which that can be said. */
void plans_halve(Arena *arena, const char *collective, const PlanArray *plans, PlanArray *halved);
/* Appends the plan of two stages that take all dimensions together, if there is one. */
void plans_together(Arena *arena, const char *collective, const PlanGrid *grid, PlanArray *plans);
/* Appends the plans with their stages pipelined, and again halved, so that the halves overlap too.
 */
void plans_pipeline(Arena *arena, const char *collective, const PlanArray *plans,
                    PlanArray *pipelined);

/* Pareto fronts of compositions: those that no other one beats in both startup and transfer. */

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
