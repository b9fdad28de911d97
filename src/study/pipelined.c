#include "study/pipelined.h"

#include "base/watch.h"

#include <math.h>

/* Bytes, for which the stages of a pipeline are chosen. */
#define LONG_SIZE 0x1p30
/* An exchange of a stage has to gain more than rounding. */
#define EXCHANGE_GAIN 1e-9

/* A plan as a pipeline. */
typedef struct {
    const Plan *plan;
    Stage *stages;
    const Algorithm *chosen[MOST_PLAN_STAGES];
    int64_t k;
    double total; /* INFINITY: it cannot be one */
} Pipelined;

/* How long the pipeline takes for a long message with k chunks; with the best number, which is set,
   where k is 0. INFINITY where it has no time. */
static double time_pipeline(Composer *composer, const Plan *plan, const Algorithm *const *chosen,
                            int64_t *k)
{
    CurvePoint point;
    double total;
    const Algorithm *composed = composer_compose(composer, composer->scratch, plan, chosen);
    Curve *curve = composed ? composer_follow(composer, composed) : NULL;
    if (!curve)
        return INFINITY;
    if (*k)
        return curve_total(curve, *k, 0, LONG_SIZE, &total, &composer->silent) ? total : INFINITY;
    if (!curve_at(curve, LONG_SIZE, curve_most_chunks(LONG_SIZE), &point, &composer->silent))
        return INFINITY;
    *k = (int64_t)point.k;
    return point.total;
}

/* Exchanges one stage at a time for what makes the pipeline faster, with as many chunks, until
   nothing does. Stages take each other's ports, so that what is best in one depends on the others:
   the best of all exchanges of single stages need not be the best pipeline. */
static void improve_pipeline(Composer *composer, Pipelined *pipelined)
{
    const size_t count = pipelined->plan->count;
    for (size_t s = 0, same = 0; same < count; s = (s + 1) % count, same++) {
        const AlgorithmArray *all = &pipelined->stages[s].algorithms;
        for (size_t i = 0; i < all->count; i++) {
            const Algorithm *before = pipelined->chosen[s];
            pipelined->chosen[s] = all->items[i];
            double total =
                time_pipeline(composer, pipelined->plan, pipelined->chosen, &pipelined->k);
            if (total < pipelined->total * (1 - EXCHANGE_GAIN))
                pipelined->total = total, same = 0;
            else
                pipelined->chosen[s] = before;
        }
    }
}

/* What can be a stage of a pipeline: with one port, since other stages take the others, nearly the
   best in a line for messages that are neither short nor long. `usual` becomes the best one. */
static bool screen_overlapped(Composer *composer, const Plan *plan, const PlanStage *at,
                              Stage *stage)
{
    Rules rules = composer->study->rules;
    const AlgorithmArray all = stage->algorithms;
    double *totals = ARENA_ARRAY(composer->scratch, double, all.count);
    rules.ports = 1;
    rules.fixed_ports = true;
    rules.all_ports = rules.level_ports = false;
    Curve **curves = composer_follow_lines(composer, plan, at, stage, &rules, false);
    size_t best =
        curves ? composer_time_lines(composer, curves, all.count, USUAL_SIZE, totals) : all.count;
    if (best == all.count)
        return false;
    stage->usual = all.items[best];
    stage->algorithms = (AlgorithmArray){0};
    for (size_t i = 0; i < all.count; i++)
        if (totals[i] <= NEARLY * totals[best])
            *ARRAY_PUSH(composer->scratch, &stage->algorithms) = all.items[i];
    return true;
}

static Pipelined begin_pipeline(Composer *composer, const Plan *plan)
{
    Pipelined pipelined = {.plan = plan,
                           .stages = ARENA_ARRAY(composer->scratch, Stage, plan->count),
                           .total = INFINITY};
    for (size_t i = 0; i < plan->count; i++) {
        Stage *stage = &pipelined.stages[i];
        if (!composer_list(composer, plan, &plan->stages[i], &stage->algorithms) ||
            !screen_overlapped(composer, plan, &plan->stages[i], stage))
            return pipelined;
        pipelined.chosen[i] = stage->usual;
    }
    pipelined.total = time_pipeline(composer, plan, pipelined.chosen, &pipelined.k);
    return pipelined;
}

void pipelined_find(Composer *composer, const PlanArray *plans, AlgorithmArray *offered)
{
    Pipelined *all = ARENA_ARRAY(composer->scratch, Pipelined, plans->count);
    double best = INFINITY;
    for (size_t i = 0; i < plans->count; i++) {
        watch_step(composer->scratch, "pipelines", (int64_t)i, (int64_t)plans->count);
        all[i] = begin_pipeline(composer, &plans->items[i]);
        best = fmin(best, all[i].total);
    }
    for (size_t i = 0; i < plans->count; i++) {
        if (isinf(all[i].total) || all[i].total > NEARLY * best)
            continue;
        if (composer->study->wants_front || composer->network->p <= MOST_TRIED_RANKS)
            improve_pipeline(composer, &all[i]);
        composer_offer(composer, all[i].plan, all[i].chosen, offered);
    }
}
