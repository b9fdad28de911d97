#include "study/plans.h"

#include <string.h>

static const struct {
    const char *collective, *before, *after;
} wraps[] = {
#define WRAP(collective, before, after) {collective, before, after},
#include "study/plans.def"
#undef WRAP
};

typedef struct {
    Arena *arena;
    const char *collective;
    int order[MOST_PLAN_DIMENSIONS]; /* of dimensions, the first to be wrapped first */
    int count;
    Plan plan; /* as far as it goes: stages before what is left, and after it, from the end */
    size_t before, after;
    PlanArray *plans;
} Planner;

static void keep_plan(Planner *planner, int last)
{
    Plan *plan = ARRAY_PUSH(planner->arena, planner->plans);
    *plan = planner->plan;
    plan->stages[planner->before] = (PlanStage){planner->collective, last};
    memmove(plan->stages + planner->before + 1, plan->stages + MOST_PLAN_STAGES - planner->after,
            planner->after * sizeof *plan->stages);
    plan->count = planner->before + 1 + planner->after;
}

/* Wraps the dimensions from number `next` of the order on in every way. */
static void wrap(Planner *planner, int next)
{
    int dimension = planner->order[next];
    if (next == planner->count - 1) {
        keep_plan(planner, dimension);
        return;
    }
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        if (strcmp(wraps[i].collective, planner->collective) != 0)
            continue;
        Plan *plan = &planner->plan;
        size_t before = planner->before, after = planner->after;
        if (wraps[i].before)
            plan->stages[planner->before++] = (PlanStage){wraps[i].before, dimension};
        if (wraps[i].after)
            plan->stages[MOST_PLAN_STAGES - ++planner->after] =
                (PlanStage){wraps[i].after, dimension};
        wrap(planner, next + 1);
        planner->before = before, planner->after = after;
    }
}

/* All orders that begin with the first `fixed` ones as they stand. */
static void wrap_orders(Planner *planner, int fixed)
{
    if (fixed == planner->count) {
        wrap(planner, 0);
        return;
    }
    for (int i = fixed; i < planner->count; i++) {
        int chosen = planner->order[i];
        memmove(planner->order + fixed + 1, planner->order + fixed,
                (size_t)(i - fixed) * sizeof *planner->order);
        planner->order[fixed] = chosen;
        wrap_orders(planner, fixed + 1);
        memmove(planner->order + fixed, planner->order + fixed + 1,
                (size_t)(i - fixed) * sizeof *planner->order);
        planner->order[i] = chosen;
    }
}

void plans_list(Arena *arena, const char *collective, const Shape *shape, bool any_order,
                PlanArray *plans)
{
    Planner planner = {.arena = arena, .collective = collective, .plans = plans};
    for (int i = 0; i < shape->count; i++) {
        if (shape->sizes[i] < 2)
            continue;
        if (planner.count == MOST_PLAN_DIMENSIONS)
            return;
        planner.order[planner.count++] = i;
    }
    if (planner.count < 2)
        return;
    if (any_order && planner.count <= MOST_ORDERED_DIMENSIONS)
        wrap_orders(&planner, 0);
    else
        wrap(&planner, 0);
}
