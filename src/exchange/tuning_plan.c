#include "exchange/tuning_plan.h"

#include "sched/contract.h"
#include "study/subject.h"
#include "study/switch_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: switch points beyond are not looked for. */
static const double largest_planned = 0x1p30;

/* One collective on one network. */
typedef struct {
    Arena *arena;
    Case *opened;
    const TunedCollective *tuned;
    int collective;
    int64_t p;
    double least_gain;
    double blocks;       /* M / m */
    double factor;       /* measure / m */
    SizeArray edges;     /* rising sizes m at which something may change */
    CurvePoint **points; /* at each edge, of each candidate */
} Plan;

static size_t candidate_count(const Plan *plan)
{
    return plan->opened->candidates.algorithms.count;
}

static const LibraryAlgorithm *algorithm_of(const Plan *plan, size_t candidate)
{
    return study_library_algorithm(&plan->opened->study, case_algorithm(plan->opened, candidate));
}

/* What the library runs by itself; the count of candidates where that is none of them. */
static size_t own_choice(const Plan *plan, double m)
{
    const Study *study = &plan->opened->study;
    const LibraryCall call = {
        .p = plan->p, .m = m, .buffer = m * plan->blocks, .element = study->element};
    const LibraryAlgorithm *own =
        implementation_chooses(study->implementation, study->version, plan->tuned->collective,
                               plan->tuned->variant, &call, study->diag);
    const Algorithm *model = own && own->model.length ? subject_model(study, own->model) : NULL;
    for (size_t i = 0; model && i < candidate_count(plan); i++)
        if (strcmp(case_algorithm(plan->opened, i)->head.name, model->head.name) == 0)
            return i;
    return candidate_count(plan);
}

static int compare_sizes(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

static void add_edge(Plan *plan, double m)
{
    if (m >= 1 && m <= largest_planned)
        *ARRAY_PUSH(plan->arena, &plan->edges) = m;
}

/* Where a winner or the library's own choice may change, with the times there. */
static bool find_edges(Plan *plan, const SwitchPoints *found)
{
    for (double power = 1; power <= largest_planned * plan->blocks * plan->factor; power *= 2) {
        add_edge(plan, power);
        add_edge(plan, power / plan->blocks);
        add_edge(plan, power / plan->factor);
    }
    for (size_t i = 0; i < found->shown.count; i++)
        add_edge(plan, found->shown.items[i].from);
    qsort(plan->edges.items, plan->edges.count, sizeof *plan->edges.items, compare_sizes);
    size_t kept = 0;
    for (size_t i = 0; i < plan->edges.count; i++)
        if (kept == 0 || plan->edges.items[i] > plan->edges.items[kept - 1])
            plan->edges.items[kept++] = plan->edges.items[i];
    plan->edges.count = kept;
    plan->points = ARENA_ARRAY(plan->arena, CurvePoint *, kept);
    for (size_t i = 0; i < kept; i++) {
        plan->points[i] = ARENA_ARRAY(plan->arena, CurvePoint, candidate_count(plan));
        if (!case_points(plan->opened, plan->edges.items[i], plan->points[i]))
            return false;
    }
    return true;
}

/* By what share `own` is slower than `winner`, at an edge or just below the next one. */
static double gain_at(const Plan *plan, size_t edge, size_t winner, size_t own)
{
    double gain = 0;
    if (own == candidate_count(plan))
        return 0;
    for (size_t i = edge; i <= edge + 1 && i < plan->edges.count; i++)
        gain = fmax(gain, plan->points[i][own].total / plan->points[i][winner].total - 1);
    return gain;
}

static size_t winner_at(const SwitchPoints *found, double m)
{
    size_t piece = 0;
    while (piece + 1 < found->shown.count && found->shown.items[piece + 1].from <= m)
        piece++;
    return found->shown.items[piece].curve;
}

/* Appends a rule from an edge on, or lengthens the last one of this network. */
static void add_rule(const Plan *plan, size_t edge, size_t winner, size_t own, double gain,
                     size_t first, PlannedRules *rules)
{
    const LibraryAlgorithm *algorithm =
        gain >= plan->least_gain && gain > 0 ? algorithm_of(plan, winner) : NULL;
    const size_t runs = algorithm ? winner : own;
    const double m = plan->edges.items[edge];
    PlannedRule *last = rules->count > first ? &rules->items[rules->count - 1] : NULL;
    if (last && last->algorithm == algorithm) {
        if (algorithm)
            last->gain = fmax(last->gain, gain);
        return;
    }
    const int64_t from = last ? (int64_t)ceil(m * plan->factor) : 0;
    if (last && from == last->rule.from_size) /* both within one byte */
        rules->count--;
    else if (last)
        last->rule.below_size = from;
    const bool has_segment =
        algorithm && algorithm->settings.segment > 0 && isfinite(algorithm->settings.segment);
    PlannedRule *planned = ARRAY_PUSH(plan->arena, rules);
    *planned = (PlannedRule){
        .rule = {.collective = plan->collective,
                 .from_ranks = plan->p,
                 .from_size = from,
                 .below_size = INT64_MAX,
                 .algorithm = algorithm ? algorithm->number : 0,
                 .runs = algorithm,
                 .fanout = algorithm ? algorithm->settings.branches[BRANCHING_FANOUT] : 0,
                 .segment = has_segment ? (int64_t)algorithm->settings.segment : 0},
        .algorithm = algorithm,
        .from_bytes = last ? m : 0,
        .seconds = runs < candidate_count(plan) ? plan->points[edge][runs].total : NAN,
        .own_seconds = own < candidate_count(plan) ? plan->points[edge][own].total : NAN,
        .gain = algorithm ? gain : 0};
}

/* Rules by size. */
static bool plan_sizes(Plan *plan, const SwitchPoints *found, TuningPlan *all)
{
    const size_t first = all->rules.count;
    for (size_t i = 0; i < plan->edges.count; i++) {
        const size_t winner = winner_at(found, plan->edges.items[i]);
        const size_t own = own_choice(plan, plan->edges.items[i]);
        add_rule(plan, i, winner, own, gain_at(plan, i, winner, own), first, &all->rules);
    }
    return true;
}

/* One rule for all sizes: an algorithm that is nowhere slower than the library's own choice, and of
   several the one with the largest gain. */
static void plan_once(Plan *plan, TuningPlan *all)
{
    const size_t count = candidate_count(plan);
    size_t best = count;
    double best_gain = 0;
    for (size_t c = 0; c < count; c++) {
        double gain = 0;
        for (size_t i = 0; i < plan->edges.count && gain >= 0; i++) {
            const size_t own = own_choice(plan, plan->edges.items[i]);
            const double share =
                own == count ? -1 : plan->points[i][own].total / plan->points[i][c].total - 1;
            gain = share < -1e-12 ? -1 : fmax(gain, share);
        }
        if (gain > best_gain) {
            best_gain = gain;
            best = c;
        }
    }
    const size_t own = own_choice(plan, plan->edges.items[0]);
    add_rule(plan, 0, best, own, best_gain, all->rules.count, &all->rules);
}

static void note_left_out(const Plan *plan, TuningPlan *all)
{
    const LeftOutArray *left_out = &plan->opened->candidates.left_out;
    for (size_t i = 0; i < left_out->count; i++) {
        const LibraryAlgorithm *one =
            study_library_algorithm(&plan->opened->study, left_out->items[i].algorithm);
        *ARRAY_PUSH(plan->arena, &all->notes) =
            (PlanNote){plan->tuned->name, one ? one->name : left_out->items[i].algorithm->head.name,
                       plan->p, left_out->items[i].reason};
    }
}

/* The rules of one network. */
static bool plan_network(const Study *study, const PlanQuestion *question, size_t index,
                         int collective, const Collective *model, TuningPlan *all)
{
    const TunedCollective *tuned = &question->format->collectives[collective];
    const Shape *shape = &question->shapes[index];
    Plan plan = {.arena = study->arena,
                 .tuned = tuned,
                 .collective = collective,
                 .p = shape->p,
                 .least_gain = question->least_gain};
    int64_t blocks;
    plan.opened = case_open(study, model, NULL, question->topology, shape);
    if (!plan.opened || !contract_buffer_blocks(model, shape->p, &blocks, study->diag))
        return false;
    note_left_out(&plan, all);
    plan.blocks = fmax(1, (double)blocks);
    plan.factor = tuned->measure == MEASURE_TIMES_RANKS ? (double)shape->p : 1;
    if (candidate_count(&plan) == 0) {
        plan.edges.count = 0;
        *ARRAY_PUSH(study->arena, &all->rules) = (PlannedRule){
            .rule = {.collective = collective, .from_ranks = shape->p, .below_size = INT64_MAX},
            .seconds = NAN,
            .own_seconds = NAN};
        return true;
    }
    if (model->is_empty) {
        *ARRAY_PUSH(study->arena, &plan.edges) = 0;
        plan.points = ARENA_ARRAY(study->arena, CurvePoint *, 1);
        plan.points[0] = ARENA_ARRAY(study->arena, CurvePoint, candidate_count(&plan));
        if (!case_points(plan.opened, 0, plan.points[0]))
            return false;
        plan_once(&plan, all);
        return true;
    }
    const SwitchPoints *found =
        switch_points_find(plan.opened, 1, largest_planned, question->least_gain);
    if (!found || !switch_points_check(plan.opened, found) || !find_edges(&plan, found))
        return false;
    const bool by_size = tuned->measure != MEASURE_NONE &&
                         tuned->measure != MEASURE_TYPE_TIMES_RANKS &&
                         strcmp(tuned->name, "scatter") != 0;
    if (by_size)
        return plan_sizes(&plan, found, all);
    plan_once(&plan, all);
    return true;
}

/* The library's own choice below and beyond the numbers of ranks that were asked about. */
static PlannedRule own_rule(int collective, int64_t from, int64_t below)
{
    return (PlannedRule){.rule = {.collective = collective,
                                  .from_ranks = from,
                                  .below_ranks = below,
                                  .below_size = INT64_MAX},
                         .seconds = NAN,
                         .own_seconds = NAN};
}

/* Notes algorithms that no model stands for. False: there are no others. */
static bool note_missing(const Study *study, const TunedCollective *tuned, TuningPlan *plan)
{
    const LibraryAlgorithm *one;
    size_t at = 0;
    bool any = false;
    while ((
        one = implementation_next(study->implementation, study->version, tuned->collective, &at))) {
        if (strcmp(one->variant, tuned->variant) != 0)
            continue;
        any |= one->model.length > 0;
        if (!one->model.length)
            *ARRAY_PUSH(study->arena, &plan->notes) =
                (PlanNote){tuned->name, one->name, 0, one->note};
    }
    return any;
}

/* How many rules from this one on are for the same numbers of ranks. */
static size_t count_alike(const PlannedRules *rules, size_t from)
{
    size_t count = 0;
    while (from + count < rules->count &&
           rules->items[from + count].rule.from_ranks == rules->items[from].rule.from_ranks)
        count++;
    return count;
}

static bool are_same(const TuningRule *a, const TuningRule *b)
{
    return a->from_size == b->from_size && a->algorithm == b->algorithm && a->runs == b->runs &&
           a->fanout == b->fanout && a->segment == b->segment;
}

/* Appends the rules of one collective; neighbouring numbers of ranks with the same rules are one.
 */
static void take_rules(Arena *arena, const PlannedRules *found, PlannedRules *rules)
{
    size_t last = 0, last_count = 0; /* the rules of the numbers before, among `rules` */
    for (size_t from = 0, count; from < found->count; from += count) {
        count = count_alike(found, from);
        bool same = count == last_count;
        for (size_t i = 0; i < count && same; i++)
            same = are_same(&rules->items[last + i].rule, &found->items[from + i].rule);
        for (size_t i = 0; i < last_count && same; i++) {
            PlannedRule *kept = &rules->items[last + i];
            kept->rule.below_ranks = found->items[from].rule.below_ranks;
            kept->gain = fmax(kept->gain, found->items[from + i].gain);
        }
        if (same)
            continue;
        last = rules->count;
        last_count = count;
        for (size_t i = 0; i < count; i++)
            *ARRAY_PUSH(arena, rules) = found->items[from + i];
    }
}

bool tuning_plan(const Study *study, const PlanQuestion *question, int collective, TuningPlan *plan)
{
    const TunedCollective *tuned = &question->format->collectives[collective];
    Study asked = *study;
    TuningPlan found = {.notes = plan->notes};
    const Collective *model = library_collective(
        study->library, source_argument(study->arena, "collective", tuned->collective),
        study->diag);
    asked.skips_refused = true;
    asked.variant = tuned->variant;
    asked.compose = COMPOSE_NONE;
    if (!model)
        return false;
    if (!note_missing(study, tuned, &found)) {
        plan->notes = found.notes;
        return true;
    }
    bool any = false, own_is_known = false;
    if (question->shapes[0].p > 1)
        *ARRAY_PUSH(study->arena, &found.rules) = own_rule(collective, 1, question->shapes[0].p);
    for (size_t i = 0; i < question->count; i++) {
        const size_t first = found.rules.count;
        const int64_t p = question->shapes[i].p;
        if (!plan_network(&asked, question, i, collective, model, &found))
            return false;
        for (size_t r = first; r < found.rules.count; r++) {
            found.rules.items[r].rule.below_ranks =
                i + 1 < question->count ? question->shapes[i + 1].p : 2 * p;
            any |= tuning_names_algorithm(&found.rules.items[r].rule);
            own_is_known |= !isnan(found.rules.items[r].own_seconds);
        }
    }
    *ARRAY_PUSH(study->arena, &found.rules) =
        own_rule(collective, 2 * question->shapes[question->count - 1].p, INT64_MAX);
    plan->notes = found.notes;
    if (any)
        take_rules(study->arena, &found.rules, &plan->rules);
    else
        *ARRAY_PUSH(study->arena, &plan->notes) = (PlanNote){
            tuned->name, NULL, 0,
            own_is_known ? "no rule gains enough: the library chooses by itself"
                         : "what the library chooses by itself is not known, so that no gain is"};
    return true;
}
