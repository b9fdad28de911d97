#include "study/composer.h"
#include "base/watch.h"
#include "choose/winner.h"
#include "model/use.h"

#include <math.h>
#include <string.h>

/* Bytes, for which the stages of a pipeline are chosen. */
#define LONG_SIZE 0x1p30
/* An exchange of a stage has to gain more than rounding. */
#define EXCHANGE_GAIN 1e-9

/* A plan as a pipeline. */
typedef struct {
    const Plan *plan;
    AlgorithmArray *stages; /* what each can be */
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

/* A plan with what is nearly the best in each stage: with one port, since other stages take the
   others, in a line for messages that are neither short nor long. */
static Pipelined begin_pipeline(Composer *composer, const Plan *plan)
{
    Rules rules = composer->study->rules;
    rules.ports = 1;
    rules.fixed_ports = true;
    rules.all_ports = rules.level_ports = false;
    Pipelined pipelined = {.plan = plan,
                           .stages = ARENA_ARRAY(composer->scratch, AlgorithmArray, plan->count),
                           .total = INFINITY};
    for (size_t i = 0; i < plan->count; i++) {
        KnownStage stage = composer_stage(plan, i);
        if (!composer_list(composer, &stage))
            return pipelined;
        const AlgorithmArray all = stage.stage.algorithms;
        double *totals = ARENA_ARRAY(composer->scratch, double, all.count);
        Curve **curves = composer_follow_lines(composer, &stage, &rules, false);
        const size_t best =
            curves ? composer_time_lines(composer, curves, all.count, USUAL_SIZE, totals)
                   : all.count;
        if (best == all.count)
            return pipelined;
        pipelined.chosen[i] = all.items[best];
        for (size_t n = 0; n < all.count; n++)
            if (totals[n] <= NEARLY * totals[best])
                *ARRAY_PUSH(composer->scratch, &pipelined.stages[i]) = all.items[n];
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
        Pipelined *one = &all[i];
        if (isinf(one->total) || one->total > NEARLY * best)
            continue;
        /* Exchanges one stage at a time for what makes the pipeline faster, with as many chunks,
           until nothing does. Stages take each other's ports, so that what is best in one depends
           on the others: the best of all exchanges of single stages need not be the best
           pipeline. */
        const bool improves =
            composer->study->wants_front || composer->network->p <= MOST_TRIED_RANKS;
        const size_t count = improves ? one->plan->count : 0;
        for (size_t s = 0, same = 0; same < count; s = (s + 1) % count, same++) {
            const AlgorithmArray *others = &one->stages[s];
            for (size_t n = 0; n < others->count; n++) {
                const Algorithm *before = one->chosen[s];
                one->chosen[s] = others->items[n];
                const double total = time_pipeline(composer, one->plan, one->chosen, &one->k);
                if (total < one->total * (1 - EXCHANGE_GAIN))
                    one->total = total, same = 0;
                else
                    one->chosen[s] = before;
            }
        }
        composer_offer(composer, one->plan, one->chosen, offered);
    }
}

const char *const composition_names[NAME_COUNT] = {"hier", "pipelined", "sequence"};

const Algorithm *composer_compose(Composer *composer, Arena *arena, const Plan *plan,
                                  const Algorithm *const *chosen)
{
    const Study *study = composer->study;
    const Resolver resolver = library_resolver(study->library, arena, &composer->silent);
    const char *text = arena_printf(arena, "%s%s%s:%s", composer->collective->head.name,
                                    *plan->grid->text ? " " : "", plan->grid->text,
                                    plan->pipelined ? " pipelined" : "");
    for (size_t i = 0; i < plan->count; i++) {
        const int dimension = plan->stages[i].dimension;
        const Algorithm *of = chosen[i];
        text = arena_printf(arena, "%s%s %s/%s", text, i ? "," : "", of->collective->head.name,
                            of->head.name);
        if (dimension != PLAN_ALL_RANKS)
            text = arena_printf(arena, "%s along %s", text, plan->grid->shape.names[dimension]);
    }
    Text typed = source_argument(arena, "composition", text);
    Algorithm *made = sequence_typed(&resolver, typed);
    if (!made || !schedule_try(made, &composer->network->shape,
                               rules_ports(&study->rules, composer->network)))
        return NULL;
    made->composed = text;
    /* "hier(bine+ring)", "hier-4x2x16(bine+ring+bine)" on a grid of its own. */
    const Shape *shape = &plan->grid->shape;
    const char *name =
        composition_names[plan->pipelined                               ? NAME_PIPELINED
                          : plan->stages[0].dimension == PLAN_ALL_RANKS ? NAME_SEQUENCE
                                                                        : NAME_HIER];
    for (int i = 0; i < shape->count && *plan->grid->text; i++)
        name = arena_printf(arena, "%s%c%lld", name, i ? 'x' : '-', (long long)shape->sizes[i]);
    for (size_t i = 0; i < plan->count; i++)
        name = arena_printf(arena, "%s%c%s", name, i ? '+' : '(', chosen[i]->head.name);
    made->head.name = arena_printf(arena, "%s)", name);
    return made;
}

static bool holds(const AlgorithmArray *list, const Algorithm *algorithm)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i]->composed, algorithm->composed) == 0)
            return true;
    return false;
}

void composer_leave_out(Composer *composer, const Algorithm *composed, const char *reason)
{
    const Study *study = composer->study;
    if (holds(&composer->left_out, composed))
        return;
    Algorithm *kept = ARENA_COPY(study->arena, Algorithm, composed, 1); /* only its names last */
    kept->head.name = arena_printf(study->arena, "%s", composed->head.name);
    kept->composed = arena_printf(study->arena, "%s", composed->composed);
    *ARRAY_PUSH(composer->kept, &composer->left_out) = kept;
    followed_leave_out(study, (LeftOut){kept, reason, true}, composer->candidates);
}

Curve *composer_follow(Composer *composer, const Algorithm *algorithm)
{
    const Study *study = composer->study;
    CurvePoint point;
    const CurveSubject of = study_subject(study, algorithm, composer->network);
    Curve *curve = curve_create(composer->scratch, &of, &study->chosen, &composer->silent);
    const size_t limits = composer->silent.limit_count;
    if (curve)
        curve_share(curve, composer->memo);
    if (curve && curve_at(curve, 1, 1, &point, &composer->silent))
        return curve;
    if (composer->silent.limit_count > limits)
        composer_leave_out(composer, algorithm, followed_too_large);
    return NULL;
}

KnownStage composer_stage(const Plan *plan, size_t number)
{
    const PlanStage *stage = &plan->stages[number];
    const bool takes_all = stage->dimension == PLAN_ALL_RANKS;
    return (KnownStage){.collective = stage->collective,
                        .length = takes_all ? 0 : plan->grid->shape.sizes[stage->dimension],
                        .is_cut = *plan->grid->text};
}

/* As a stage sees the ranks. */
static Shape shape_of(const Composer *composer, const KnownStage *known)
{
    return known->length ? shape_line(known->length) : composer->network->shape;
}

bool composer_cuts_segments(const Composer *composer, const Algorithm *algorithm)
{
    const FreeChoice *chosen = &composer->study->chosen;
    return algorithm->free_chunks && chosen->segment > 0 && !chosen->k;
}

bool composer_list(Composer *composer, KnownStage *known)
{
    const Study *study = composer->study;
    AlgorithmArray all = {0};
    Text name = source_argument(composer->scratch, "collective", known->collective);
    const Collective *collective = library_collective(study->library, name, study->diag);
    const Shape shape = shape_of(composer, known);
    if (!collective || !library_algorithms(study->library, collective, &all, study->diag))
        return false;
    for (size_t i = 0; i < all.count; i++) {
        const Algorithm *algorithm = all.items[i];
        /* Does one of its stages run along every dimension? In a line it is that stage. */
        bool is_for_grids = false;
        for (size_t s = 0; s < algorithm->step_count; s++)
            is_for_grids |= algorithm->steps[s].kind == STEP_USE &&
                            algorithm->steps[s].use.along == ALONG_EVERY_DIMENSION;
        if (!algorithm->expect_wrong && !composer_cuts_segments(composer, algorithm) &&
            (!known->length || !is_for_grids) &&
            schedule_try(algorithm, &shape, rules_ports(&study->rules, composer->network)))
            *ARRAY_PUSH(composer->scratch, &known->stage.algorithms) = algorithm;
    }
    return true;
}

Curve **composer_follow_lines(Composer *composer, const KnownStage *known, const Rules *rules,
                              bool takes_branched)
{
    const Study *study = composer->study;
    Arena *scratch = composer->scratch;
    const AlgorithmArray *algorithms = &known->stage.algorithms;
    const bool takes_all = known->length == 0;
    Network *line = ARENA_NEW(scratch, Network);
    const Shape shape = shape_of(composer, known);
    const Topology *full =
        library_topology(study->library, source_argument(scratch, "topology", "full"), study->diag);
    if (!full || (!takes_all &&
                  !network_create(scratch, full, &shape, study->rules.ties, line, study->diag)))
        return NULL;
    Curve **curves = ARENA_ARRAY(scratch, Curve *, algorithms->count);
    for (size_t i = 0; i < algorithms->count; i++) {
        const Algorithm *algorithm = algorithms->items[i];
        const CurveSubject of = {
            algorithm, takes_all ? composer->network : line, rules, {.target = study->target}};
        if (!algorithm->free_chunks && (takes_branched || !algorithm->branching))
            curves[i] = curve_create(scratch, &of, &study->chosen, &composer->silent);
        if (curves[i] && algorithm->branching && shape.p > MOST_BRANCHED_RANKS &&
            !curve_is_closed(curves[i]))
            curves[i] = NULL;
    }
    return curves;
}

size_t composer_time_lines(Composer *composer, Curve **curves, size_t count, double bytes,
                           double *totals)
{
    for (size_t i = 0; i < count; i++) {
        CurvePoint point;
        bool has = curves[i] && curve_at(curves[i], bytes, 1, &point, &composer->silent);
        totals[i] = has ? point.total : NAN;
    }
    return winner_find(totals, count);
}

void composer_offer(Composer *composer, const Plan *plan, const Algorithm *const *chosen,
                    AlgorithmArray *offered)
{
    const Algorithm *composed = composer_compose(composer, composer->study->arena, plan, chosen);
    if (composed && !holds(offered, composed))
        *ARRAY_PUSH(composer->kept, offered) = composed;
}
