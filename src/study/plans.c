#include "study/plans.h"

#include <string.h>

static const struct {
    const char *collective, *before, *after;
} wraps[] = {
#define WRAP(collective, before, after) {collective, before, after},
#include "study/plans.def"
};

static const struct {
    const char *whole, *first, *second;
} halves[] = {
#define HALVES(collective, first, second) {collective, first, second},
#include "study/plans.def"
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

/* Its stages that run the collective by itself as two each. */
static Plan halve_stages(const Plan *plan, const char *collective)
{
    Plan halved = {.pipelined = true};
    size_t n = 0;
    while (n < sizeof halves / sizeof *halves && strcmp(halves[n].whole, collective) != 0)
        n++;
    for (size_t i = 0; i < plan->count; i++) {
        const PlanStage *stage = &plan->stages[i];
        bool is_whole =
            n < sizeof halves / sizeof *halves && strcmp(stage->collective, collective) == 0;
        if (is_whole)
            halved.stages[halved.count++] = (PlanStage){halves[n].first, stage->dimension};
        halved.stages[halved.count++] =
            is_whole ? (PlanStage){halves[n].second, stage->dimension} : *stage;
    }
    return halved;
}

void plans_pipeline(Arena *arena, const char *collective, const PlanArray *plans,
                    PlanArray *pipelined)
{
    for (size_t i = 0; i < plans->count; i++) {
        const Plan *plan = &plans->items[i];
        const Plan halved = halve_stages(plan, collective);
        Plan *whole = ARRAY_PUSH(arena, pipelined);
        *whole = *plan;
        whole->pipelined = true;
        if (halved.count > plan->count)
            *ARRAY_PUSH(arena, pipelined) = halved;
    }
}
