#include "study/compositions.h"

#include "base/watch.h"
#include "choose/envelope.h"
#include "choose/winner.h"
#include "cost/derive_memo.h"
#include "model/sequence.h"
#include "study/followed.h"
#include "study/front.h"

#include <math.h>
#include <string.h>

/* What names of compositions begin with. */
static const char *const name_begins[] = {"hier", "pipelined", "sequence"};
enum { NAME_HIER, NAME_PIPELINED, NAME_SEQUENCE, NAME_COUNT };

/* Bytes: neither short nor long. */
#define USUAL_SIZE 0x1p20
/* Bytes, for which the stages of a pipeline are chosen. */
#define LONG_SIZE 0x1p30
/* On more ranks, unless all compositions are wanted, what is slower than the best by more than this
   factor in a line alone is not tried. */
enum { MOST_TRIED_RANKS = 64 };
/* Up to as many each stage that is tried is followed. */
enum { MOST_FOLLOWED_RANKS = 256 };
#define NEARLY 1.25
/* An exchange of a stage has to gain more than rounding. */
#define EXCHANGE_GAIN 1e-9

/* Bytes, at which fronts are found: between them the times of a schedule are lines as a rule. */
static const double front_sizes[] = {1, 0x1p10, 0x1p20, 0x1p30};
enum { FRONT_COUNT = sizeof front_sizes / sizeof *front_sizes };

/* What a stage of a plan can be. */
typedef struct {
    AlgorithmArray algorithms;
    const Algorithm *usual; /* while others are sought; NULL: there is none */
    Curve **curves;         /* of the plan with each, the usual ones in the other stages */
    PieceArray pieces;      /* the best by size, by number of the algorithm */
} Stage;

/* What can be a stage of plans is the same in all lines of one length. */
typedef struct {
    const char *collective;
    int64_t length; /* 0: all ranks */
    bool is_cut;    /* the grid cuts dimensions */
    Stage stage;    /* screened */
} KnownStage;

ARRAY_TYPE(KnownStageArray, KnownStage);

typedef struct {
    const Study *study;
    const Collective *collective;
    const Network *network;
    PortStepMemo *memo;
    Arena *kept;    /* until all are found */
    Arena *scratch; /* for what is tried of a plan */
    KnownStageArray known;
    Diag silent;
    Front fronts[FRONT_COUNT]; /* of all plans, where they are wanted */
} Composer;

/* "hier(bine+ring)", "hier-4x2x16(bine+ring+bine)" on a grid of its own. */
static const char *name_plan(Arena *arena, const Plan *plan, const Algorithm *const *chosen)
{
    const Shape *shape = &plan->grid->shape;
    const char *name = name_begins[plan->pipelined                               ? NAME_PIPELINED
                                   : plan->stages[0].dimension == PLAN_ALL_RANKS ? NAME_SEQUENCE
                                                                                 : NAME_HIER];
    for (int i = 0; i < shape->count && *plan->grid->text; i++)
        name = arena_printf(arena, "%s%c%lld", name, i ? 'x' : '-', (long long)shape->sizes[i]);
    for (size_t i = 0; i < plan->count; i++)
        name = arena_printf(arena, "%s%c%s", name, i ? '+' : '(', chosen[i]->head.name);
    return arena_printf(arena, "%s)", name);
}

/* The plan with an algorithm for each stage. NULL where it cannot run. */
static const Algorithm *compose(Composer *composer, Arena *arena, const Plan *plan,
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

/* NULL where its schedule is too large to expand. */
static Curve *follow(Composer *composer, const Algorithm *algorithm)
{
    const Study *study = composer->study;
    CurvePoint point;
    Curve *curve = curve_create(composer->scratch, algorithm, composer->network, study->root,
                                study->target, &study->rules, &study->chosen, &composer->silent);
    if (curve)
        curve_share(curve, composer->memo);
    return curve && curve_at(curve, 1, 1, &point, &composer->silent) ? curve : NULL;
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

/* The algorithms of the library that run in lines of that dimension, or on all ranks. */
static bool list_algorithms(Composer *composer, const Plan *plan, const PlanStage *stage,
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
        if (!all.items[i]->expect_wrong && (takes_grids || !is_for_grids(all.items[i])) &&
            schedule_allows(all.items[i], &shape, rules_ports(&study->rules, composer->network),
                            NULL, &composer->silent))
            *ARRAY_PUSH(composer->scratch, list) = all.items[i];
    return true;
}

/* The curves of each algorithm of a stage in a line whose ranks are all linked, where closed forms
   tell what it costs, or on the network where the stage takes all ranks; NULL for those that are
   cut into chunks or have something else to choose: each choice is a schedule of its own. NULL
   after a report. */
static Curve **follow_lines(Composer *composer, const Plan *plan, const PlanStage *at,
                            const Stage *stage, const Rules *rules)
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
        if (!algorithm->free_chunks && !algorithm->branching)
            curves[i] = curve_create(scratch, algorithm, takes_all ? composer->network : line, 0,
                                     study->target, rules, &study->chosen, &composer->silent);
    }
    return curves;
}

/* The times of these curves, NAN for none. Returns which is the least, or their number. */
static size_t time_lines(Composer *composer, Curve **curves, size_t count, double bytes,
                         double *totals)
{
    for (size_t i = 0; i < count; i++) {
        CurvePoint point;
        bool has = curves[i] && curve_at(curves[i], bytes, 1, &point, &composer->silent);
        totals[i] = has ? point.total : NAN;
    }
    return winner_find(totals, count);
}

/* `usual` becomes the best in a line for messages that are neither short nor long: its schedule is
   small, so that others can be tried beside it. Unless all compositions are wanted, only those stay
   that are not cut, and that are nearly as fast as any at some size where ranks are many; on grids
   that cut dimensions, of which there are many, these alone in any case. */
static void screen_stage(Composer *composer, const Plan *plan, const PlanStage *at, Stage *stage)
{
    const Study *study = composer->study;
    Arena *scratch = composer->scratch;
    const AlgorithmArray all = stage->algorithms;
    bool *stays = ARENA_ARRAY(scratch, bool, all.count);
    double *totals = ARENA_ARRAY(scratch, double, all.count);
    bool is_cut = *plan->grid->text, all_wanted = study->compose == COMPOSE_ALL && !is_cut;
    bool is_large = is_cut || (!study->wants_front && composer->network->p > MOST_TRIED_RANKS);
    Curve **curves = follow_lines(composer, plan, at, stage, &study->rules);
    if (!curves)
        return;
    for (double bytes = 1; bytes <= LARGEST_SIZE; bytes *= 2) {
        size_t best = time_lines(composer, curves, all.count, bytes, totals);
        for (size_t i = 0; i < all.count && best < all.count; i++)
            stays[i] |= totals[i] <= NEARLY * totals[best];
        if (bytes == USUAL_SIZE && best < all.count)
            stage->usual = all.items[best];
    }
    stage->algorithms = (AlgorithmArray){0};
    for (size_t i = 0; i < all.count; i++)
        if (all_wanted || stays[i] ||
            (!all.items[i]->free_chunks && !all.items[i]->branching && !is_large))
            *ARRAY_PUSH(scratch, &stage->algorithms) = all.items[i];
}

/* The curves of the plan with each algorithm of a stage, the usual ones in the others; keeps those
   that run. */
static Curve **follow_stage(Composer *composer, const Plan *plan, const Stage *stages, size_t at,
                            AlgorithmArray *runs)
{
    const AlgorithmArray *all = &stages[at].algorithms;
    const Algorithm *chosen[MOST_PLAN_STAGES];
    Curve **curves = ARENA_ARRAY(composer->scratch, Curve *, all->count);
    for (size_t i = 0; i < plan->count; i++)
        chosen[i] = stages[i].usual;
    for (size_t i = 0; i < all->count; i++) {
        chosen[at] = all->items[i];
        const Algorithm *composed = compose(composer, composer->scratch, plan, chosen);
        if (composed && (curves[runs->count] = follow(composer, composed)))
            *ARRAY_PUSH(composer->scratch, runs) = all->items[i];
    }
    return curves;
}

/* The best algorithm of a stage by size, from the curves of all that run. */
static bool find_best_of_all(Composer *composer, const Plan *plan, Stage *stages, size_t at)
{
    AlgorithmArray runs = {0};
    Stage *stage = &stages[at];
    stage->pieces = (PieceArray){0};
    stage->curves = follow_stage(composer, plan, stages, at, &runs);
    stage->algorithms = runs;
    return runs.count > 0 && envelope_find(composer->scratch, stage->curves, runs.count, 1,
                                           LARGEST_SIZE, &stage->pieces, &composer->silent);
}

/* The same where those that are the best nowhere by their bounds (followed.h) need not be
   followed. False, too, where one is at fault otherwise than by its size. */
static bool find_best_by_bounds(Composer *composer, const Plan *plan, Stage *stages, size_t at)
{
    Arena *scratch = composer->scratch;
    Stage *stage = &stages[at];
    const Algorithm *chosen[MOST_PLAN_STAGES];
    const AlgorithmArray all = stage->algorithms;
    AlgorithmArray composed = {0}, of_stage = {0}, runs = {0};
    Candidates candidates = {.network = composer->network, .memo = composer->memo};
    Study study = *composer->study;
    study.arena = study.curves = scratch;
    study.diag = &composer->silent;
    for (size_t i = 0; i < plan->count; i++)
        chosen[i] = stages[i].usual;
    for (size_t i = 0; i < all.count; i++) {
        chosen[at] = all.items[i];
        const Algorithm *made = compose(composer, scratch, plan, chosen);
        if (!made)
            continue;
        *ARRAY_PUSH(scratch, &composed) = made;
        *ARRAY_PUSH(scratch, &of_stage) = all.items[i];
    }
    if (!followed_add(&study, &composed, false, true, &candidates) ||
        !followed_envelope(&study, &candidates, 1, LARGEST_SIZE, &stage->pieces))
        return false;
    for (size_t i = 0, n = 0; i < candidates.algorithms.count; i++, n++) {
        while (composed.items[n] != candidates.algorithms.items[i])
            n++;
        *ARRAY_PUSH(scratch, &runs) = of_stage.items[n];
    }
    stage->algorithms = runs;
    return runs.count > 0;
}

/* A front needs the times of all; on few ranks bounds take longer than schedules. */
static bool find_best(Composer *composer, const Plan *plan, Stage *stages, size_t at)
{
    const Study *study = composer->study;
    const bool is_large = composer->network->p > MOST_FOLLOWED_RANKS;
    const bool by_bounds =
        study->stages == STAGES_BY_BOUNDS || (study->stages == STAGES_BY_RANKS && is_large);
    return (!study->wants_front && by_bounds && find_best_by_bounds(composer, plan, stages, at)) ||
           find_best_of_all(composer, plan, stages, at);
}

/* The next size above `from` at which the best of some stage changes; INFINITY: none. */
static double next_change(const Stage *stages, size_t count, double from)
{
    double next = INFINITY;
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < stages[s].pieces.count; i++)
            if (stages[s].pieces.items[i].from > from)
                next = fmin(next, stages[s].pieces.items[i].from);
    return next;
}

static const Algorithm *best_above(const Stage *stage, double bytes)
{
    size_t i = stage->pieces.count - 1;
    while (i > 0 && stage->pieces.items[i].from > bytes)
        i--;
    return stage->algorithms.items[stage->pieces.items[i].curve];
}

static bool holds(const AlgorithmArray *list, const Algorithm *algorithm)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i]->composed, algorithm->composed) == 0)
            return true;
    return false;
}

static void offer(Composer *composer, const Plan *plan, const Algorithm *const *chosen,
                  AlgorithmArray *offered)
{
    const Algorithm *composed = compose(composer, composer->study->arena, plan, chosen);
    if (composed && !holds(offered, composed))
        *ARRAY_PUSH(composer->kept, offered) = composed;
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
static bool know_stage(Composer *composer, const Plan *plan, const PlanStage *at, Stage *stage)
{
    const bool takes_all = at->dimension == PLAN_ALL_RANKS;
    KnownStage known = {.collective = at->collective,
                        .length = takes_all ? 0 : plan->grid->shape.sizes[at->dimension],
                        .is_cut = *plan->grid->text};
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
    if (!list_algorithms(&keeper, plan, at, &known.stage.algorithms))
        return false;
    screen_stage(&keeper, plan, at, &known.stage);
    *ARRAY_PUSH(composer->kept, &composer->known) = known;
    *stage = known.stage;
    return true;
}

/* Appends what the plan has to offer. */
static bool follow_plan(Composer *composer, const Plan *plan, AlgorithmArray *offered)
{
    Stage *stages = ARENA_ARRAY(composer->scratch, Stage, plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        if (!know_stage(composer, plan, &plan->stages[i], &stages[i]))
            return false;
        if (!stages[i].usual)
            return true;
    }
    for (size_t i = 0; i < plan->count; i++)
        if (!find_best(composer, plan, stages, i))
            return true;
    for (double from = 1; !isinf(from); from = next_change(stages, plan->count, from)) {
        const Algorithm *chosen[MOST_PLAN_STAGES];
        for (size_t i = 0; i < plan->count; i++)
            chosen[i] = best_above(&stages[i], from);
        offer(composer, plan, chosen, offered);
    }
    for (size_t i = 0; i < FRONT_COUNT && composer->study->wants_front; i++)
        add_front(composer, plan, stages, front_sizes[i], &composer->fronts[i]);
    return true;
}

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
    const Algorithm *composed = compose(composer, composer->scratch, plan, chosen);
    Curve *curve = composed ? follow(composer, composed) : NULL;
    if (!curve)
        return INFINITY;
    if (*k)
        return curve_total(curve, *k, LONG_SIZE, &total, &composer->silent) ? total : INFINITY;
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
    Curve **curves = follow_lines(composer, plan, at, stage, &rules);
    size_t best = curves ? time_lines(composer, curves, all.count, USUAL_SIZE, totals) : all.count;
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
        if (!list_algorithms(composer, plan, &plan->stages[i], &stage->algorithms) ||
            !screen_overlapped(composer, plan, &plan->stages[i], stage))
            return pipelined;
        pipelined.chosen[i] = stage->usual;
    }
    pipelined.total = time_pipeline(composer, plan, pipelined.chosen, &pipelined.k);
    return pipelined;
}

/* Appends the pipelines that are nearly the best for long messages. */
static void find_pipelines(Composer *composer, const PlanArray *plans, AlgorithmArray *offered)
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
        offer(composer, all[i].plan, all[i].chosen, offered);
    }
}

/* Those that are the fastest somewhere, beside the library's. */
static void keep_fastest(Composer *composer, const AlgorithmArray *offered, Curve *const *library,
                         size_t count, AlgorithmArray *found)
{
    PieceArray pieces = {0};
    AlgorithmArray runs = {0};
    Arena *scratch = composer->scratch;
    Curve **curves = ARENA_ARRAY(scratch, Curve *, count + offered->count);
    for (size_t i = 0; i < count; i++)
        curves[i] = library[i];
    for (size_t i = 0; i < offered->count; i++)
        if ((curves[count + runs.count] = follow(composer, offered->items[i])))
            *ARRAY_PUSH(scratch, &runs) = offered->items[i];
    if (runs.count == 0 || !envelope_find(scratch, curves, count + runs.count, 1, LARGEST_SIZE,
                                          &pieces, &composer->silent))
        return;
    bool *wins = ARENA_ARRAY(scratch, bool, count + runs.count);
    for (size_t i = 0; i < pieces.count; i++)
        wins[pieces.items[i].curve] = true;
    for (size_t i = 0; i < runs.count; i++)
        if (wins[count + i])
            *ARRAY_PUSH(composer->study->arena, found) = runs.items[i];
}

bool compositions_is_name(Text name)
{
    for (size_t i = 0; i < NAME_COUNT && memchr(name.chars, '(', name.length); i++) {
        const size_t length = strlen(name_begins[i]);
        if (name.length > length && memcmp(name.chars, name_begins[i], length) == 0)
            return true;
    }
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
    bool has_levels = topology->level_count > 0 && !topology->base;
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

bool compositions_find(const Study *study, const Collective *collective, const Network *network,
                       Curve *const *library, size_t count, PortStepMemo *memo,
                       AlgorithmArray *found)
{
    const char *obstacle = find_obstacle(study);
    if (study->compose == COMPOSE_ALL && obstacle) {
        diag_error(study->diag, NOWHERE, "compositions have no cost with %s", obstacle);
        return false;
    }
    if (!compositions_are_wanted(study, network->topology))
        return true;
    Composer composer = {.study = study,
                         .collective = collective,
                         .network = network,
                         .memo = memo,
                         .kept = arena_scratch(study->arena),
                         .silent = diag_silent()};
    if (is_shared(study)) { /* port steps that are remembered refer to their rules */
        Study *in_rounds = ARENA_COPY(composer.kept, Study, study, 1);
        in_rounds->rules.contention = CONTENTION_BYTES;
        composer.study = in_rounds;
        composer.memo = memo_create(composer.kept);
    }
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
        find_pipelines(&composer, &pipelined, &offered);
    for (size_t i = 0; i < FRONT_COUNT && good; i++)
        for (size_t n = 0; n < composer.fronts[i].count; n++)
            offer(&composer, composer.fronts[i].items[n].plan, composer.fronts[i].items[n].chosen,
                  &offered);
    for (size_t i = 0; i < offered.count && study->wants_front; i++)
        *ARRAY_PUSH(study->arena, found) = offered.items[i];
    if (good && !study->wants_front)
        keep_fastest(&composer, &offered, library, count, found);
    arena_destroy(composer.kept);
    return good;
}
