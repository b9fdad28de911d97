#include "study/composer.h"

#include "choose/winner.h"
#include "model/sequence.h"

#include <math.h>
#include <string.h>

const char *const composition_names[NAME_COUNT] = {"hier", "pipelined", "sequence"};

/* "hier(bine+ring)", "hier-4x2x16(bine+ring+bine)" on a grid of its own. */
static const char *name_plan(Arena *arena, const Plan *plan, const Algorithm *const *chosen)
{
    const Shape *shape = &plan->grid->shape;
    const char *name =
        composition_names[plan->pipelined                               ? NAME_PIPELINED
                          : plan->stages[0].dimension == PLAN_ALL_RANKS ? NAME_SEQUENCE
                                                                        : NAME_HIER];
    for (int i = 0; i < shape->count && *plan->grid->text; i++)
        name = arena_printf(arena, "%s%c%lld", name, i ? 'x' : '-', (long long)shape->sizes[i]);
    for (size_t i = 0; i < plan->count; i++)
        name = arena_printf(arena, "%s%c%s", name, i ? '+' : '(', chosen[i]->head.name);
    return arena_printf(arena, "%s)", name);
}

const Algorithm *composer_compose(Composer *composer, Arena *arena, const Plan *plan,
                                  const Algorithm *const *chosen)
{
    const Study *study = composer->study;
    const Resolver resolver = library_resolver(study->library);
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
    Algorithm *made = sequence_typed(&resolver, arena, typed, &composer->silent);
    if (!made ||
        !schedule_allows(made, &composer->network->shape,
                         rules_ports(&study->rules, composer->network), NULL, &composer->silent))
        return NULL;
    made->composed = text;
    made->head.name = name_plan(arena, plan, chosen);
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
    Diag diag = diag_silent();
    Curve *curve = curve_create(composer->scratch, algorithm, composer->network, study->root,
                                study->target, &study->rules, &study->chosen, &composer->silent);
    if (curve)
        curve_share(curve, composer->memo);
    if (curve && curve_at(curve, 1, 1, &point, &diag))
        return curve;
    if (diag.limit_count)
        composer_leave_out(composer, algorithm, followed_too_large);
    return NULL;
}

/* Does one of its stages run along every dimension? In a line it is that stage. */
static bool is_for_grids(const Algorithm *algorithm)
{
    for (size_t i = 0; i < algorithm->step_count; i++)
        if (algorithm->steps[i].kind == STEP_USE &&
            algorithm->steps[i].use.along == ALONG_EVERY_DIMENSION)
            return true;
    return false;
}

/* As a stage of the plan sees the ranks. */
static Shape stage_shape(const Composer *composer, const Plan *plan, const PlanStage *stage)
{
    return stage->dimension == PLAN_ALL_RANKS
               ? composer->network->shape
               : shape_line(plan->grid->shape.sizes[stage->dimension]);
}

bool composer_cuts_segments(const Composer *composer, const Algorithm *algorithm)
{
    const FreeChoice *chosen = &composer->study->chosen;
    return algorithm->free_chunks && chosen->segment > 0 && !chosen->k;
}

bool composer_list(Composer *composer, const Plan *plan, const PlanStage *stage,
                   AlgorithmArray *list)
{
    const Study *study = composer->study;
    AlgorithmArray all = {0};
    Text name = source_argument(composer->scratch, "collective", stage->collective);
    const Collective *collective = library_collective(study->library, name, study->diag);
    const Shape shape = stage_shape(composer, plan, stage);
    const bool takes_grids = stage->dimension == PLAN_ALL_RANKS;
    if (!collective || !library_algorithms(study->library, collective, &all, study->diag))
        return false;
    for (size_t i = 0; i < all.count; i++)
        if (!all.items[i]->expect_wrong && !composer_cuts_segments(composer, all.items[i]) &&
            (takes_grids || !is_for_grids(all.items[i])) &&
            schedule_allows(all.items[i], &shape, rules_ports(&study->rules, composer->network),
                            NULL, &composer->silent))
            *ARRAY_PUSH(composer->scratch, list) = all.items[i];
    return true;
}

Curve **composer_follow_lines(Composer *composer, const Plan *plan, const PlanStage *at,
                              const Stage *stage, const Rules *rules, bool takes_branched)
{
    const Study *study = composer->study;
    Arena *scratch = composer->scratch;
    const bool takes_all = at->dimension == PLAN_ALL_RANKS;
    Network *line = ARENA_NEW(scratch, Network);
    Shape shape = stage_shape(composer, plan, at);
    const Topology *full =
        library_topology(study->library, source_argument(scratch, "topology", "full"), study->diag);
    if (!full || (!takes_all &&
                  !network_create(scratch, full, &shape, study->rules.ties, line, study->diag)))
        return NULL;
    Curve **curves = ARENA_ARRAY(scratch, Curve *, stage->algorithms.count);
    for (size_t i = 0; i < stage->algorithms.count; i++) {
        const Algorithm *algorithm = stage->algorithms.items[i];
        if (!algorithm->free_chunks && (takes_branched || !algorithm->branching))
            curves[i] = curve_create(scratch, algorithm, takes_all ? composer->network : line, 0,
                                     study->target, rules, &study->chosen, &composer->silent);
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
