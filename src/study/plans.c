#include "study/plans.h"

#include <string.h>

static const double rounding = 1e-9;

bool front_covers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] > b[i] * (1 + rounding))
            return false;
    return true;
}

static bool covers(const FrontPoint *a, const FrontPoint *b)
{
    const double of_a[] = {a->startup, a->rest}, of_b[] = {b->startup, b->rest};
    return front_covers(of_a, of_b, 2);
}

void front_add(Arena *arena, Front *front, const FrontPoint *point)
{
    size_t kept = 0;
    for (size_t i = 0; i < front->count; i++)
        if (covers(&front->items[i], point))
            return;
    for (size_t i = 0; i < front->count; i++)
        if (!covers(point, &front->items[i]))
            front->items[kept++] = front->items[i];
    front->count = kept;
    ARRAY_PUSH(arena, front);
    size_t at = kept;
    for (; at > 0 && front->items[at - 1].startup > point->startup; at--)
        front->items[at] = front->items[at - 1];
    front->items[at] = *point;
}

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

/* Wraps the dimensions from number `next` of the order on in every way. */
static void wrap(Planner *planner, int next)
{
    int dimension = planner->order[next];
    if (next == planner->count - 1) {
        Plan *plan = ARRAY_PUSH(planner->arena, planner->plans);
        *plan = planner->plan;
        plan->stages[planner->before] = (PlanStage){planner->collective, dimension};
        memmove(plan->stages + planner->before + 1,
                plan->stages + MOST_PLAN_STAGES - planner->after,
                planner->after * sizeof *plan->stages);
        plan->count = planner->before + 1 + planner->after;
        return;
    }
    for (size_t i = 0; i < COUNT_OF(wraps); i++) {
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

void plans_list(Arena *arena, const char *collective, const PlanGrid *grid, bool any_order,
                PlanArray *plans)
{
    const Shape *shape = &grid->shape;
    Planner planner = {
        .arena = arena, .collective = collective, .plan = {.grid = grid}, .plans = plans};
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

/* The dimension as one of `inner` ranks that are next to one another, and one of those lines. */
static void cut(Arena *arena, const Shape *shape, int dimension, int64_t inner,
                PlanGridArray *grids)
{
    /* "x1" and "x2", which no other dimension may be called. */
    const char *names[2];
    for (int part = 0; part < 2; part++) {
        names[part] = arena_printf(arena, "%s%d", shape->names[dimension], part + 1);
        if (shape_find(shape, source_argument(arena, "dimension", names[part])) >= 0)
            return;
    }
    PlanGrid *grid = ARRAY_PUSH(arena, grids);
    *grid = (PlanGrid){.shape = {.p = 1}, .text = "{"};
    for (int i = 0; i < shape->count; i++) {
        const bool is_cut = i == dimension;
        if (shape->sizes[i] == 1)
            continue;
        shape_add(&grid->shape, is_cut ? names[0] : shape->names[i],
                  is_cut ? inner : shape->sizes[i]);
        if (is_cut)
            shape_add(&grid->shape, names[1], shape->sizes[i] / inner);
    }
    for (int i = 0; i < grid->shape.count; i++)
        grid->text = arena_printf(arena, "%s%s%s: %lld", grid->text, i ? ", " : "",
                                  grid->shape.names[i], (long long)grid->shape.sizes[i]);
    grid->text = arena_printf(arena, "%s}", grid->text);
}

void plans_cut(Arena *arena, const Shape *shape, PlanGridArray *grids)
{
    for (int d = 0; d < shape->count && shape->count < MOST_PARAMETERS; d++)
        for (int64_t inner = 2; inner <= shape->sizes[d] / 2; inner++)
            if (shape->sizes[d] % inner == 0)
                cut(arena, shape, d, inner, grids);
}

void plans_halve(Arena *arena, const char *collective, const PlanArray *plans, PlanArray *halved)
{
    const size_t count = plans->count; /* both may be the same */
    size_t n = 0;
    while (n < COUNT_OF(halves) && strcmp(halves[n].whole, collective) != 0)
        n++;
    for (size_t i = 0; i < count && n < COUNT_OF(halves); i++) {
        const Plan *plan = &plans->items[i];
        Plan with = {.grid = plan->grid};
        for (size_t s = 0; s < plan->count; s++) {
            const PlanStage *stage = &plan->stages[s];
            const bool is_whole = strcmp(stage->collective, collective) == 0;
            if (is_whole)
                with.stages[with.count++] = (PlanStage){halves[n].first, stage->dimension};
            with.stages[with.count++] =
                is_whole ? (PlanStage){halves[n].second, stage->dimension} : *stage;
        }
        if (with.count > plan->count)
            *ARRAY_PUSH(arena, halved) = with;
    }
}

void plans_together(Arena *arena, const char *collective, const PlanGrid *grid, PlanArray *plans)
{
    PlanArray whole = {0};
    *ARRAY_PUSH(arena, &whole) =
        (Plan){.grid = grid, .stages = {{collective, PLAN_ALL_RANKS}}, .count = 1};
    plans_halve(arena, collective, &whole, plans);
}

void plans_pipeline(Arena *arena, const char *collective, const PlanArray *plans,
                    PlanArray *pipelined)
{
    const size_t first = pipelined->count;
    for (size_t i = 0; i < plans->count; i++)
        *ARRAY_PUSH(arena, pipelined) = plans->items[i];
    plans_halve(arena, collective, plans, pipelined);
    for (size_t i = first; i < pipelined->count; i++)
        pipelined->items[i].pipelined = true;
}
