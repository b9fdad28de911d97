#include "base/watch.h"
#include "choose/winner.h"
#include "study/composer.h"

#include <math.h>
#include <string.h>

/* Bytes: between them the times of a schedule are lines as a rule. */
static const double front_sizes[FRONT_COUNT] = {1, 0x1p10, 0x1p20, 0x1p30};

/* Up to as many ranks each stage that is tried is followed; on more than the latter only those that
   are the best in a line at some size are tried. */
enum { MOST_FOLLOWED_RANKS = 256, MOST_NEARLY_RANKS = 4096 };

/* The best of those without a free radix or fan-out, which alone keep their times. */
static size_t best_unbranched(const AlgorithmArray *all, double *totals)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i]->branching)
            totals[i] = NAN;
    return winner_find(totals, all->count);
}

/* A stage with a free radix or fan-out, on many ranks, which is the best in a line at some size; or
   `which` of them. */
static void leave_out_stage(Composer *composer, const Algorithm *algorithm, const char *which)
{
    Algorithm stage = *algorithm;
    stage.composed = which ? which : algorithm_full_name(composer->kept, algorithm);
    stage.head.name = arena_printf(composer->kept, "stages %s", stage.composed);
    composer_leave_out(composer, &stage, which ? followed_too_many : followed_laborious);
}

/* `usual` becomes the best in a line for messages that are neither short nor long: its schedule is
   small, so that others can be tried beside it. Unless all compositions are wanted, only those stay
   that are not cut, and that are nearly as fast as any at some size where ranks are many; on grids
   that cut dimensions, of which there are many, these alone in any case. */
static void screen_stage(Composer *composer, KnownStage *known)
{
    Stage *stage = &known->stage;
    const Study *study = composer->study;
    Arena *scratch = composer->scratch;
    const AlgorithmArray all = stage->algorithms;
    bool *stays = ARENA_ARRAY(scratch, bool, all.count);
    double *totals = ARENA_ARRAY(scratch, double, all.count);
    const bool is_cut = known->is_cut, all_wanted = study->compose == COMPOSE_ALL && !is_cut;
    const bool is_branched = composer->network->p <= MOST_BRANCHED_RANKS;
    const bool only_best = !all_wanted && composer->network->p > MOST_NEARLY_RANKS;
    bool is_large = is_cut || (!study->wants_front && composer->network->p > MOST_TRIED_RANKS);
    Curve **curves = composer_follow_lines(composer, known, &study->rules, true);
    if (!curves)
        return;
    for (double bytes = 1; bytes <= LARGEST_SIZE; bytes *= 2) {
        size_t best = composer_time_lines(composer, curves, all.count, bytes, totals);
        if (!is_branched && best < all.count && all.items[best]->branching)
            leave_out_stage(composer, all.items[best], NULL);
        if (!is_branched)
            best = best_unbranched(&all, totals);
        for (size_t i = 0; i < all.count && best < all.count; i++)
            stays[i] |= i == best || (!only_best && totals[i] <= NEARLY * totals[best]);
        if (bytes == USUAL_SIZE && (best = best_unbranched(&all, totals)) < all.count)
            stage->usual = all.items[best];
    }
    if (only_best)
        leave_out_stage(composer, all.items[0], "that are not the fastest in a line");
    stage->algorithms = (AlgorithmArray){0};
    for (size_t i = 0; i < all.count; i++)
        if (stays[i] || (all.items[i]->branching || all.items[i]->free_chunks
                             ? all_wanted && (is_branched || !all.items[i]->branching)
                             : all_wanted || !is_large))
            *ARRAY_PUSH(scratch, &stage->algorithms) = all.items[i];
}

/* The plan with each algorithm of a stage, the usual ones in the others, where that can run; which
   algorithms these are. On many ranks one that is too large stands for all. */
static AlgorithmArray compose_stage(Composer *composer, const Plan *plan, const Stage *stages,
                                    size_t at, AlgorithmArray *of_stage)
{
    const Algorithm *chosen[MOST_PLAN_STAGES], *made;
    AlgorithmArray composed = {0};
    for (size_t i = 0; i < plan->count; i++)
        chosen[i] = stages[i].usual;
    for (size_t i = 0; i < stages[at].algorithms.count; i++) {
        chosen[at] = stages[at].algorithms.items[i];
        if (!(made = composer_compose(composer, composer->scratch, plan, chosen)))
            continue;
        if (composer->network->p > MOST_FOLLOWED_RANKS && at == 0 &&
            chosen[at] == stages[at].usual && !composer_follow(composer, made))
            return (AlgorithmArray){0};
        *ARRAY_PUSH(composer->scratch, &composed) = made;
        *ARRAY_PUSH(composer->scratch, of_stage) = chosen[at];
    }
    return composed;
}

/* The best algorithm of a stage by size, from the curves of all that run. */
static bool find_best_of_all(Composer *composer, const Plan *plan, Stage *stages, size_t at)
{
    AlgorithmArray of_stage = {0}, runs = {0};
    const AlgorithmArray composed = compose_stage(composer, plan, stages, at, &of_stage);
    Stage *stage = &stages[at];
    stage->pieces = (PieceArray){0};
    stage->curves = ARENA_ARRAY(composer->scratch, Curve *, composed.count + 1);
    for (size_t i = 0; i < composed.count; i++)
        if ((stage->curves[runs.count] = composer_follow(composer, composed.items[i])))
            *ARRAY_PUSH(composer->scratch, &runs) = of_stage.items[i];
    stage->algorithms = runs;
    const ChoiceAxis sizes = {composer->scratch, runs.count,        1,
                              LARGEST_SIZE,      &composer->silent, .curves = stage->curves};
    return runs.count > 0 && envelope_find(&sizes, &stage->pieces);
}

/* The best algorithm of a stage by size, where those that are the best nowhere by their bounds
   (followed.h) need not be followed. False where none runs, or one is at fault otherwise than by
   its size. */
static bool find_best_by_bounds(Composer *composer, const Plan *plan, Stage *stages, size_t at)
{
    Arena *scratch = composer->scratch;
    Stage *stage = &stages[at];
    AlgorithmArray of_stage = {0}, runs = {0};
    const AlgorithmArray composed = compose_stage(composer, plan, stages, at, &of_stage);
    Candidates candidates = {.network = composer->network, .memo = composer->memo};
    Study *study = composer->for_bounds;
    study->arena = study->curves = scratch;
    study->diag = &composer->silent;
    const bool good = followed_add(study, &composed, false, true, &candidates) &&
                      followed_envelope(study, &candidates, 1, LARGEST_SIZE, &stage->pieces);
    for (size_t i = 0; i < candidates.left_out.count; i++) {
        const LeftOut *one = &candidates.left_out.items[i];
        if (one->is_limit)
            composer_leave_out(composer, one->algorithm, one->reason);
    }
    if (!good)
        return false;
    for (size_t i = 0, n = 0; i < candidates.algorithms.count; i++, n++) {
        while (composed.items[n] != candidates.algorithms.items[i])
            n++;
        *ARRAY_PUSH(scratch, &runs) = of_stage.items[n];
    }
    stage->algorithms = runs;
    return runs.count > 0;
}

/* A point of a composition of the plan: with that algorithm in a stage, the usual ones in others.
   False where the curve has no time there. */
static bool find_point(Composer *composer, const Stage *stage, size_t which, double bytes,
                       FrontPoint *point)
{
    CurvePoint at;
    if (!curve_at(stage->curves[which], bytes, curve_most_chunks(bytes), &at, &composer->silent))
        return false;
    point->startup = at.intercept;
    point->rest = at.slope * bytes;
    return true;
}

/* Adds the plan's front at a size to that of all plans. What an algorithm makes a stage cost more
   than the usual one does is the same in all compositions. */
static void add_front(Composer *composer, const Plan *plan, const Stage *stages, double bytes,
                      Front *whole)
{
    Arena *scratch = composer->scratch;
    Front front = {0};
    *ARRAY_PUSH(scratch, &front) = (FrontPoint){.plan = plan};
    for (size_t s = 0; s < plan->count; s++) {
        const Stage *stage = &stages[s];
        FrontPoint usual = {0}, with;
        Front longer = {0};
        size_t at = 0;
        while (at < stage->algorithms.count && stage->algorithms.items[at] != stage->usual)
            at++;
        if (at == stage->algorithms.count || !find_point(composer, stage, at, bytes, &usual))
            return;
        for (size_t i = 0; i < stage->algorithms.count; i++) {
            if (!find_point(composer, stage, i, bytes, &with))
                continue;
            for (size_t n = 0; n < front.count; n++) {
                FrontPoint sum = front.items[n];
                sum.startup += with.startup - (s ? usual.startup : 0);
                sum.rest += with.rest - (s ? usual.rest : 0);
                sum.chosen[s] = stage->algorithms.items[i];
                front_add(scratch, &longer, &sum);
            }
        }
        front = longer;
    }
    for (size_t n = 0; n < front.count; n++)
        front_add(composer->kept, whole, &front.items[n]);
}

/* What a stage can be, screened, once for all plans; without a usual one where none runs. False
   after a report. */
static bool know_stage(Composer *composer, KnownStage known, Stage *stage)
{
    for (size_t i = 0; i < composer->known.count; i++) {
        const KnownStage *other = &composer->known.items[i];
        if (other->length == known.length && other->is_cut == known.is_cut &&
            strcmp(other->collective, known.collective) == 0) {
            *stage = other->stage;
            return true;
        }
    }
    Composer keeper = *composer; /* the list lives as long as all plans */
    keeper.scratch = composer->kept;
    if (!composer_list(&keeper, &known))
        return false;
    screen_stage(&keeper, &known);
    composer->left_out = keeper.left_out;
    *ARRAY_PUSH(composer->kept, &composer->known) = known;
    *stage = known.stage;
    return true;
}

/* Appends what the plan has to offer. */
static bool follow_plan(Composer *composer, const Plan *plan, AlgorithmArray *offered)
{
    Stage *stages = ARENA_ARRAY(composer->scratch, Stage, plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        if (!know_stage(composer, composer_stage(plan, i), &stages[i]))
            return false;
        if (!stages[i].usual)
            return true;
    }
    for (size_t i = 0; i < plan->count; i++) {
        /* A front needs the times of all; on few ranks bounds take longer than schedules. */
        const Study *study = composer->study;
        const bool is_large = composer->network->p > MOST_FOLLOWED_RANKS;
        const bool by_bounds =
            study->stages == STAGES_BY_BOUNDS || (study->stages == STAGES_BY_RANKS && is_large);
        if (!((!study->wants_front && by_bounds &&
               find_best_by_bounds(composer, plan, stages, i)) ||
              find_best_of_all(composer, plan, stages, i)))
            return true;
    }
    /* At each size at which the best of some stage changes. */
    for (double from = 1, next; !isinf(from); from = next) {
        const Algorithm *chosen[MOST_PLAN_STAGES];
        next = INFINITY;
        for (size_t i = 0; i < plan->count; i++) {
            const PieceArray *pieces = &stages[i].pieces;
            size_t at = pieces->count - 1;
            for (; at > 0 && pieces->items[at].from > from; at--)
                next = fmin(next, pieces->items[at].from);
            chosen[i] = stages[i].algorithms.items[pieces->items[at].curve];
        }
        composer_offer(composer, plan, chosen, offered);
    }
    for (size_t i = 0; i < FRONT_COUNT && composer->study->wants_front; i++)
        add_front(composer, plan, stages, front_sizes[i], &composer->fronts[i]);
    return true;
}

/* Those that are the fastest somewhere, beside the library's. What is cut into segments is passed
   over: beside fewer algorithms more are. */
static void keep_fastest(Composer *composer, const AlgorithmArray *offered, Curve *const *library,
                         size_t count, AlgorithmArray *found)
{
    PieceArray pieces = {0};
    AlgorithmArray runs = {0};
    Arena *scratch = composer->scratch;
    Curve **curves = ARENA_ARRAY(scratch, Curve *, count + offered->count);
    size_t others = 0;
    for (size_t i = 0; i < count; i++)
        if (!composer_cuts_segments(composer, curve_algorithm(library[i])))
            curves[others++] = library[i];
    for (size_t i = 0; i < offered->count; i++)
        if (!composer_cuts_segments(composer, offered->items[i]) &&
            (curves[others + runs.count] = composer_follow(composer, offered->items[i])))
            *ARRAY_PUSH(scratch, &runs) = offered->items[i];
    const ChoiceAxis sizes = {scratch,      others + runs.count, 1,
                              LARGEST_SIZE, &composer->silent,   .curves = curves};
    if (runs.count == 0 || !envelope_find(&sizes, &pieces))
        return;
    bool *wins = ARENA_ARRAY(scratch, bool, others + runs.count);
    for (size_t i = 0; i < pieces.count; i++)
        wins[pieces.items[i].curve] = true;
    for (size_t i = 0; i < runs.count; i++)
        if (wins[others + i])
            *ARRAY_PUSH(composer->study->arena, found) = runs.items[i];
}

bool compositions_is_name(Text name)
{
    for (size_t i = 0; i < NAME_COUNT && memchr(name.chars, '(', name.length); i++)
        if (text_begins(name, composition_names[i]))
            return true;
    return false;
}

static bool is_shared(const Study *study)
{
    return study->rules.contention == CONTENTION_SHARED;
}

/* The rules by which the times of stages do not add up; NULL: they do. For a front they need not
   where time is shared: what is nearly the best in rounds is then costed as it runs. */
static const char *find_obstacle(const Study *study)
{
    const Rules *rules = &study->rules;
    return study->weights.text.length                ? "unequal blocks"
           : groups_are_given(&study->groups)        ? "groups of ranks"
           : rules->averages                         ? "the mean of the ends of ranks"
           : is_shared(study) && !study->wants_front ? "contention shared in time"
                                                     : NULL;
}

static bool are_asked_for(const Study *study, const Topology *topology)
{
    bool has_levels = topology->level_count > 0 && !topology->factor_count;
    return study->compose == COMPOSE_ALL ||
           (study->compose == COMPOSE_LEVELS && (has_levels || study->wants_front));
}

bool compositions_are_wanted(const Study *study, const Topology *topology)
{
    return !find_obstacle(study) && are_asked_for(study, topology);
}

bool compositions_are_left_out(const Study *study, const Topology *topology)
{
    return find_obstacle(study) && !study->implementation && !study->among.is_given &&
           are_asked_for(study, topology);
}

/* All plans with barriers, and all that are pipelined: along the dimensions of the network; where
   many are wanted, also with a collective in two stages, with all dimensions together, and with one
   of them cut in two. */
static void list_plans(Composer *composer, PlanArray *plans, PlanArray *pipelined)
{
    const Study *study = composer->study;
    const bool any_order = study->compose == COMPOSE_ALL;
    const char *collective = composer->collective->head.name;
    PlanGrid *own = ARENA_NEW(composer->scratch, PlanGrid);
    PlanGridArray cuts = {0};
    *own = (PlanGrid){composer->network->shape, ""};
    plans_list(composer->scratch, collective, own, any_order, plans);
    plans_pipeline(composer->scratch, collective, plans, pipelined);
    if (!any_order && (!study->wants_front || composer->network->p > MOST_TRIED_RANKS))
        return;
    plans_cut(composer->scratch, &composer->network->shape, &cuts);
    for (size_t i = 0; i < cuts.count; i++)
        plans_list(composer->scratch, collective, &cuts.items[i], false, plans);
    plans_halve(composer->scratch, collective, plans, plans);
    plans_together(composer->scratch, collective, own, plans);
}

bool compositions_find(const Study *study, const Collective *collective, Candidates *candidates,
                       AlgorithmArray *found)
{
    const Network *network = candidates->network;
    const char *obstacle = find_obstacle(study);
    IntArray numbers = {0};
    Curve **library = followed_curves(study, candidates, false, &numbers);
    if (study->compose == COMPOSE_ALL && obstacle)
        return diag_error(study->diag, NOWHERE, "compositions have no cost with %s", obstacle);
    if (!compositions_are_wanted(study, network->topology))
        return true;
    Composer composer = {.study = study,
                         .collective = collective,
                         .network = network,
                         .candidates = candidates,
                         .memo = candidates->memo,
                         .kept = arena_scratch(study->arena),
                         .silent = diag_silent()};
    if (is_shared(study)) { /* port steps that are remembered refer to their rules */
        Study *in_rounds = ARENA_COPY(composer.kept, Study, study, 1);
        in_rounds->rules.contention = CONTENTION_BYTES;
        composer.study = in_rounds;
        composer.memo = memo_create(composer.kept);
    }
    composer.for_bounds =
        ARENA_COPY(study->curves ? study->curves : study->arena, Study, composer.study, 1);
    composer.scratch = composer.kept;
    memo_keep_stages(composer.memo);
    PlanArray plans = {0}, pipelined = {0};
    AlgorithmArray offered = {0};
    bool good = true;
    list_plans(&composer, &plans, &pipelined);
    for (size_t i = 0; i < plans.count && good; i++) {
        watch_step(composer.kept, "compositions", (int64_t)i, (int64_t)plans.count);
        composer.scratch = arena_scratch(composer.kept);
        good = follow_plan(&composer, &plans.items[i], &offered);
        arena_destroy(composer.scratch);
    }
    composer.scratch = composer.kept;
    if (good && rules_ports(&study->rules, network) > 1)
        pipelined_find(&composer, &pipelined, &offered);
    for (size_t i = 0; i < FRONT_COUNT && good; i++)
        for (size_t n = 0; n < composer.fronts[i].count; n++)
            composer_offer(&composer, composer.fronts[i].items[n].plan,
                           composer.fronts[i].items[n].chosen, &offered);
    for (size_t i = 0; i < offered.count && study->wants_front; i++)
        *ARRAY_PUSH(study->arena, found) = offered.items[i];
    if (good && !study->wants_front)
        keep_fastest(&composer, &offered, library, numbers.count, found);
    arena_destroy(composer.kept);
    return good;
}
