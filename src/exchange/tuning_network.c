#include "exchange/tuning_planned.h"

#include "model/fitted.h"
#include "sched/contract.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Bytes: switch points beyond are not looked for. */
static const double largest_planned = 0x1p30;

/* One collective on one network. The algorithms are the candidates, then those of the library that
   have no model, whose times only a log can tell. */
typedef struct {
    Arena *arena;
    Case *opened; /* that of the first protocol */
    Case **cases; /* one for each protocol that rules name, else one */
    const PlanQuestion *question;
    const TunedCollective *tuned;
    const Shape *shape;
    const Machine *machine; /* with all of its protocols */
    int collective;
    int64_t p;
    PlanOptions options;
    size_t modelled; /* the first of them, which have a model */
    MeasuredTimes measured;
    double blocks;     /* M / m */
    double factor;     /* measure / m */
    SizeArray edges;   /* rising sizes m at which something may change */
    double **times;    /* at each edge, of each algorithm, and of calls for which the library chose;
                          NAN: none */
    bool *is_measured; /* at each edge: by the log, else by the model */
    TuningPlan *all;   /* to which rules and notes are appended, */
    size_t first;      /* where the rules of this network begin */
} Plan;

static size_t candidate_count(const Plan *plan)
{
    return plan->opened->candidates.algorithms.count;
}

/* algorithm NULL: all of them. */
static void add_note(const Plan *plan, const char *algorithm, const char *reason, bool is_of_log)
{
    *ARRAY_PUSH(plan->arena, &plan->all->notes) =
        (PlanNote){plan->tuned->name, algorithm, plan->p, reason, is_of_log};
}

/* Adds one, unless the library does not run it so; the last protocol is the one that all have. */
static void add_algorithm(Plan *plan, const LibraryAlgorithm *algorithm, int protocol,
                          size_t candidate)
{
    const TuningFormat *format = plan->question->format;
    const char *reason = format->refuses ? format->refuses(algorithm, protocol, plan->shape) : NULL;
    if (reason && !(format->protocols && format->protocols[protocol + 1]))
        add_note(plan, algorithm->name, reason, false);
    if (reason)
        return;
    const char *name = format->protocols ? arena_printf(plan->arena, "%s_%s", algorithm->name,
                                                        format->protocols[protocol])
                                         : algorithm->name;
    *ARRAY_PUSH(plan->arena, &plan->options) =
        (PlanOption){algorithm, name, protocol, candidate, false};
}

static int protocol_count(const TuningFormat *format)
{
    int count = format->protocols ? 0 : 1;
    while (format->protocols && format->protocols[count])
        count++;
    return count;
}

static void list_algorithms(Plan *plan)
{
    const Study *study = &plan->opened->study;
    const int protocols = protocol_count(plan->question->format);
    const LibraryAlgorithm *one;
    for (int protocol = 0; protocol < protocols; protocol++)
        for (size_t i = 0; i < candidate_count(plan); i++)
            add_algorithm(plan, study_library_algorithm(study, case_algorithm(plan->opened, i)),
                          protocol, i);
    plan->modelled = plan->options.count;
    for (int protocol = 0; plan->question->measured.rows && protocol < protocols; protocol++)
        for (size_t at = 0; (one = implementation_next(study->implementation, study->version,
                                                       plan->tuned->collective, &at));) {
            /* Does no candidate stand for it: since it has no model, or for want of switches of the
               machine? A log may have its times all the same. */
            bool is_modelled = false;
            for (size_t i = 0; i < plan->modelled; i++)
                is_modelled |= plan->options.items[i].algorithm == one;
            if ((!one->model.length || (*one->switches && !is_modelled)) &&
                strcmp(one->variant, plan->tuned->variant) == 0)
                add_algorithm(plan, one, protocol, 0);
        }
}

/* Marks algorithms in which a rank posts more messages at a time than it has usual contacts: with D
   in each of R rounds (1 + D)^R ranks are reached. Without a price for each such messages look
   free, and are not: linear ones were measured several times slower than such a model says. */
static bool mark_crowded(Plan *plan)
{
    const size_t count = candidate_count(plan);
    CaseCost *costs = ARENA_ARRAY(plan->arena, CaseCost, count);
    /* Does the machine say what each message costs at one of its ends? */
    bool prices_messages = false;
    for (int d = 0; d < DELAYS_OF_LEVELS; d++) {
        prices_messages |= plan->machine->delays[d].seconds > 0;
        for (int i = 0; i < plan->machine->level_count; i++)
            prices_messages |= plan->machine->levels[i].delays[d].seconds > 0;
    }
    if (prices_messages)
        return true;
    if (!case_costs(plan->opened, plan->opened->collective->is_empty ? 0 : 1, costs))
        return false;
    for (size_t c = 0; c < count; c++) {
        const Algorithm *algorithm = case_algorithm(plan->opened, costs[c].candidate);
        const double reached = pow(1 + USUAL_CONTACTS, (double)costs[c].cost.rounds);
        if (!algorithm->posts_together || reached >= (double)plan->p)
            continue;
        for (size_t i = 0; i < plan->modelled; i++)
            plan->options.items[i].is_crowded |=
                plan->options.items[i].candidate == costs[c].candidate;
        const LibraryAlgorithm *one = study_library_algorithm(&plan->opened->study, algorithm);
        add_note(plan, one->name,
                 "a rank posts many messages at a time, and the machine has no cost for each: "
                 "no rule rests on its time",
                 false);
    }
    return true;
}

/* Opens the cases. False after a report. */
static bool open_cases(Plan *plan, const Study *study, const Collective *model, const Shape *shape)
{
    const TuningFormat *format = plan->question->format;
    const int count = protocol_count(format);
    plan->cases = ARENA_ARRAY(plan->arena, Case *, (size_t)count);
    for (int i = 0; i < count; i++) {
        Study one = *study;
        if (format->protocols && !machine_keep_protocol(&one.machine, format->protocols[i]))
            return diag_error(study->diag, NOWHERE,
                              "rules name a protocol with each algorithm: give a machine with the "
                              "protocols LL, LL128 and Simple, such as h100");
        rules_follow_machine(&one.rules, &one.machine);
        plan->cases[i] = case_open(&one, model, NULL, plan->question->topology, shape);
        if (!plan->cases[i])
            return false;
    }
    plan->opened = plan->cases[0];
    return true;
}

/* What the library runs by itself; the count of algorithms where that is none of them, or where it
   chooses by what the machine does not say of its hardware. */
static size_t own_choice(const Plan *plan, double m)
{
    const Study *study = &plan->opened->study;
    const char *const *protocols = plan->question->format->protocols;
    const LibraryCall call = {.p = plan->p,
                              .m = m,
                              .buffer = m * plan->blocks,
                              .element = study->element,
                              .nodes = tuning_nodes(plan->question->format, plan->shape),
                              .machine = plan->machine};
    const LibraryChoice own =
        protocols
            ? implementation_try_choice(study->implementation, study->version,
                                        plan->tuned->collective, plan->tuned->variant, &call)
            : implementation_choice(study->implementation, study->version, plan->tuned->collective,
                                    plan->tuned->variant, &call, study->diag);
    const bool is_modelled = own.algorithm && own.algorithm->model.length;
    for (size_t i = 0; is_modelled && i < plan->modelled; i++)
        if (text_same(plan->options.items[i].algorithm->model, own.algorithm->model) &&
            (!protocols ||
             strcasecmp(protocols[plan->options.items[i].protocol], own.protocol) == 0))
            return i;
    return plan->options.count;
}

/* The time of the library's own choice, if that is this algorithm or none. A log tells it best. */
static double own_time(const Plan *plan, size_t edge, size_t own)
{
    const double *times = plan->times[edge];
    return isnan(times[plan->options.count]) ? times[own] : times[plan->options.count];
}

static void add_edge(Plan *plan, double m)
{
    if (m >= 1 && m <= largest_planned)
        *ARRAY_PUSH(plan->arena, &plan->edges) = m;
}

/* Says so where the log has times that nothing can be compared with. */
static void note_unused(const Plan *plan)
{
    bool any = false;
    for (size_t i = 0; i < plan->edges.count; i++)
        any |= plan->is_measured[i];
    plan->all->is_measured |= any;
    if (!any && plan->measured.sizes.count)
        add_note(plan, NULL,
                 "measured, but not both what the library chooses by itself and another "
                 "algorithm: by the model",
                 true);
}

/* The times of the model at m bytes. */
static bool find_modelled(const Plan *plan, double m, double *times)
{
    CurvePoint *points = ARENA_ARRAY(plan->arena, CurvePoint, candidate_count(plan));
    int protocol = -1;
    for (size_t i = 0; i <= plan->options.count; i++) {
        times[i] = NAN;
        if (i >= plan->modelled)
            continue;
        if (plan->options.items[i].protocol != protocol &&
            !case_points(plan->cases[protocol = plan->options.items[i].protocol], m, points))
            return false;
        times[i] = points[plan->options.items[i].candidate].total;
    }
    return true;
}

/* The times at an edge: measured, where the log has the library's own choice and another algorithm,
   or two algorithms where rules are for all calls; else the model's. */
static bool find_times(Plan *plan, size_t edge)
{
    const double m = plan->edges.items[edge];
    const size_t own = own_choice(plan, m);
    double *times = ARENA_ARRAY(plan->arena, double, plan->options.count + 1);
    size_t others = 0;
    plan->times[edge] = times;
    measured_at(&plan->measured, m, times);
    for (size_t i = 0; i < plan->options.count; i++)
        others += (plan->question->format->protocols || i != own) && !isnan(times[i]);
    plan->is_measured[edge] = plan->question->format->protocols
                                  ? others > 1
                                  : others && !isnan(own_time(plan, edge, own));
    return plan->is_measured[edge] || find_modelled(plan, m, times);
}

static size_t fastest_of(const Plan *plan, const double *times)
{
    size_t best = plan->options.count;
    for (size_t i = 0; i < plan->options.count; i++)
        if (!isnan(times[i]) && (best == plan->options.count || times[i] < times[best]))
            best = i;
    return best;
}

/* Adds where the fastest of the model changes between neighbouring edges, to a byte as the library
   compares it. False after a report. */
static bool refine_edges(Plan *plan)
{
    const size_t count = plan->edges.count;
    double *times = ARENA_ARRAY(plan->arena, double, plan->options.count + 1);
    for (size_t i = 0; i + 1 < count; i++) {
        double low = plan->edges.items[i], high = plan->edges.items[i + 1];
        if (!find_modelled(plan, low, times))
            return false;
        const size_t before = fastest_of(plan, times);
        if (!find_modelled(plan, high, times))
            return false;
        if (fastest_of(plan, times) == before)
            continue;
        while (high - low > 1 / plan->factor) {
            const double middle = (low + high) / 2;
            if (!find_modelled(plan, middle, times))
                return false;
            if (fastest_of(plan, times) == before)
                low = middle;
            else
                high = middle;
        }
        add_edge(plan, high);
    }
    plan->edges.count = sort_doubles_once(plan->edges.items, plan->edges.count);
    return true;
}

/* Where a winner or the library's own choice may change, with the times there. Without switch
   points winners are compared. */
static bool find_edges(Plan *plan, const SwitchPoints *found)
{
    for (double power = 1; power <= largest_planned * plan->blocks * plan->factor; power *= 2) {
        add_edge(plan, power);
        add_edge(plan, power / plan->blocks);
        add_edge(plan, power / plan->factor);
    }
    for (size_t i = 0; found && i < found->shown.count; i++)
        add_edge(plan, found->shown.items[i].from);
    for (size_t i = 0; i < plan->measured.sizes.count; i++)
        add_edge(plan, plan->measured.sizes.items[i]);
    plan->edges.count = sort_doubles_once(plan->edges.items, plan->edges.count);
    if (!found && !refine_edges(plan))
        return false;
    plan->times = ARENA_ARRAY(plan->arena, double *, plan->edges.count);
    plan->is_measured = ARENA_ARRAY(plan->arena, bool, plan->edges.count);
    for (size_t i = 0; i < plan->edges.count; i++)
        if (!find_times(plan, i))
            return false;
    return true;
}

static bool is_crowded(const Plan *plan, size_t option)
{
    return option < plan->options.count && plan->options.items[option].is_crowded;
}

/* By what share `own` is slower than `winner`, at an edge or just below the next one: where it is
   more; by the model where it is less, if a rule rests on it. */
static double gain_at(const Plan *plan, size_t edge, size_t winner, size_t own)
{
    const bool is_measured = plan->is_measured[edge];
    const bool is_most = is_measured || plan->question->format->protocols;
    double gain = NAN;
    if (winner == plan->options.count ||
        (!is_measured && (is_crowded(plan, winner) || is_crowded(plan, own))))
        return 0;
    for (size_t i = edge; i <= edge + 1 && i < plan->edges.count; i++) {
        const double one = own_time(plan, i, own) / plan->times[i][winner] - 1;
        if (plan->is_measured[i] == is_measured)
            gain = is_most ? fmax(gain, one) : fmin(gain, one);
    }
    return fmax(gain, 0);
}

/* A gain is none that is below what the model is off there, or at sizes near it, of both times that
   are compared. A fitted machine says what it is off if rows were held out; one that is off by more
   than a factor of 1.6 shows no gain at all. */
static double least_gain(const Plan *plan, size_t edge)
{
    static const double largest_error = 0.6, near = 8;
    const Fitted *fitted = plan->opened->study.machine.fitted;
    const double m = plan->edges.items[edge];
    double error = 0;
    if (plan->is_measured[edge])
        return plan->question->least_measured_gain;
    if (!fitted)
        return plan->question->least_gain;
    for (int i = -1; i <= 1; i++)
        error = fmax(error, fitted_error(fitted, plan->tuned->collective, m * pow(near, i)));
    return error > largest_error ? INFINITY
                                 : fmax(plan->question->least_gain, (1 + error) * (1 + error) - 1);
}

/* Does it lose no more at an edge, and just below the next, than what a rule has to gain? */
static bool goes_on(const Plan *plan, size_t edge, size_t algorithm)
{
    for (size_t i = edge; i <= edge + 1 && i < plan->edges.count; i++)
        if (plan->is_measured[i] == plan->is_measured[edge] &&
            !(plan->times[i][algorithm] <= plan->times[i][fastest_of(plan, plan->times[i])] *
                                               (1 + plan->question->least_measured_gain)))
            return false;
    return true;
}

/* Appends a rule from an edge on, or lengthens the last one of this network. */
static void add_rule(const Plan *plan, size_t edge, size_t winner, size_t own, double gain)
{
    PlannedRules *rules = &plan->all->rules;
    const bool is_named =
        winner < plan->options.count &&
        (plan->question->format->protocols || (gain >= least_gain(plan, edge) && gain > 0));
    const LibraryAlgorithm *algorithm = is_named ? plan->options.items[winner].algorithm : NULL;
    const int protocol = is_named ? plan->options.items[winner].protocol : 0;
    const double m = plan->edges.items[edge];
    PlannedRule *last = rules->count > plan->first ? &rules->items[rules->count - 1] : NULL;
    if (last && last->algorithm == algorithm && last->rule.protocol == protocol) {
        if (algorithm)
            last->gain = fmax(last->gain, gain);
        last->is_measured |= plan->is_measured[edge];
        last->is_modelled |= !plan->is_measured[edge];
        return;
    }
    const double own_seconds = own_time(plan, edge, own);
    /* where the time of a call jumps behind a size, as with another protocol, a rule begins there
     */
    const bool is_late = algorithm && plan->times[edge][winner] > own_seconds;
    const int64_t from = last ? (int64_t)ceil(m * plan->factor) + is_late : 0;
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
                 .protocol = protocol,
                 .fanout = algorithm ? algorithm->settings.branches[BRANCHING_FANOUT] : 0,
                 .segment = has_segment ? (int64_t)algorithm->settings.segment : 0},
        .algorithm = algorithm,
        .from_bytes = last ? m : 0,
        .seconds = algorithm ? plan->times[edge][winner] : own_seconds,
        .own_seconds = own_seconds,
        .gain = algorithm ? gain : 0,
        .is_measured = plan->is_measured[edge],
        .is_modelled = !plan->is_measured[edge]};
}

/* Rules by size. Of measured times the fastest, where the one before does not go on; and so without
   switch points. */
static void plan_sizes(const Plan *plan, const SwitchPoints *found)
{
    size_t winner = plan->options.count, piece = 0;
    for (size_t i = 0; i < plan->edges.count; i++) {
        const double m = plan->edges.items[i];
        const size_t own = own_choice(plan, m);
        if (found && !plan->is_measured[i]) {
            while (piece + 1 < found->shown.count && found->shown.items[piece + 1].from <= m)
                piece++;
            winner = found->shown.items[piece].curve;
        } else if (winner == plan->options.count || !goes_on(plan, i, winner)) {
            winner = fastest_of(plan, plan->times[i]);
        }
        add_rule(plan, i, winner, own, gain_at(plan, i, winner, own));
    }
}

/* One rule for all sizes: an algorithm that is nowhere slower than the library's own choice, and of
   several the one with the largest gain. */
static void plan_once(const Plan *plan)
{
    size_t best = plan->options.count;
    double best_gain = 0;
    for (size_t c = 0; c < plan->options.count; c++) {
        double gain = 0;
        for (size_t i = 0; i < plan->edges.count && gain >= 0; i++) {
            const size_t own = own_choice(plan, plan->edges.items[i]);
            const bool is_open =
                !plan->is_measured[i] && (is_crowded(plan, c) || is_crowded(plan, own));
            const double share = is_open ? -1 : own_time(plan, i, own) / plan->times[i][c] - 1;
            const bool is_same = fabs(share) < 1e-12;
            /* A time of the model has to be less by more than what a fitted machine is off. */
            const bool is_fitted = plan->opened->study.machine.fitted && !plan->is_measured[i];
            const double doubt = is_fitted ? least_gain(plan, i) : 0;
            gain = is_same || share >= doubt ? fmax(gain, share) : -1;
        }
        if (gain > best_gain) {
            best_gain = gain;
            best = c;
        }
    }
    const size_t own = own_choice(plan, plan->edges.items[0]);
    add_rule(plan, 0, best, own, best_gain);
    PlannedRule *rule = &plan->all->rules.items[plan->first];
    for (size_t i = 0; i < plan->edges.count; i++) {
        rule->is_measured |= plan->is_measured[i];
        rule->is_modelled |= !plan->is_measured[i];
    }
}

/* Nobody is sent to an algorithm that is wrong: runs those that rules name by the model, at the
   sizes where they begin. False after a report. */
static bool check_rules(const Plan *plan)
{
    const PlannedRules *rules = &plan->all->rules;
    CurvePoint *points = ARENA_ARRAY(plan->arena, CurvePoint, candidate_count(plan));
    for (size_t r = plan->first; r < rules->count; r++) {
        const PlannedRule *rule = &rules->items[r];
        const Case *opened = plan->cases[rule->rule.protocol];
        const double m = fmax(rule->from_bytes, plan->edges.items[0]);
        size_t i = 0;
        while (i < plan->modelled && (plan->options.items[i].algorithm != rule->algorithm ||
                                      plan->options.items[i].protocol != rule->rule.protocol))
            i++;
        if (i == plan->modelled || !rule->is_modelled)
            continue;
        if (!case_points(opened, m, points))
            return false;
        const CurvePoint *point = &points[plan->options.items[i].candidate];
        if (case_check(opened, plan->options.items[i].candidate, point->k, point->branches, m,
                       CHECK_EACH) == COST_WRONG)
            return false;
    }
    return true;
}

static void note_left_out(const Plan *plan)
{
    const LeftOutArray *left_out = &plan->opened->candidates.left_out;
    for (size_t i = 0; i < left_out->count; i++) {
        const LibraryAlgorithm *one =
            study_library_algorithm(&plan->opened->study, left_out->items[i].algorithm);
        add_note(plan, one ? one->name : left_out->items[i].algorithm->head.name,
                 left_out->items[i].reason, false);
    }
}

bool tuning_network(const Study *study, const PlanQuestion *question, size_t index, int collective,
                    const Collective *model, TuningPlan *all)
{
    const TunedCollective *tuned = &question->format->collectives[collective];
    const Shape *shape = &question->shapes[index];
    Plan plan = {.arena = study->arena,
                 .question = question,
                 .tuned = tuned,
                 .shape = shape,
                 .machine = &study->machine,
                 .collective = collective,
                 .p = shape->p,
                 .all = all,
                 .first = all->rules.count};
    int64_t blocks;
    if (!open_cases(&plan, study, model, shape) ||
        !contract_buffer_blocks(model, shape->p, &blocks, study->diag))
        return false;
    note_left_out(&plan);
    plan.blocks = fmax(1, (double)blocks);
    plan.factor = tuned->measure == MEASURE_TIMES_RANKS ? (double)shape->p
                  : tuned->measure == MEASURE_ELEMENTS_TIMES_RANKS
                      ? (double)shape->p / study->element
                      : 1;
    if (candidate_count(&plan) == 0) {
        *ARRAY_PUSH(study->arena, &all->rules) = (PlannedRule){
            .rule = {.collective = collective, .from_ranks = shape->p, .below_size = INT64_MAX},
            .seconds = NAN,
            .own_seconds = NAN};
        return true;
    }
    list_algorithms(&plan);
    if (!mark_crowded(&plan))
        return false;
    plan.measured =
        measured_times(study, &question->measured, tuned, plan.p, &plan.options, &all->notes);
    const SwitchPoints *found = NULL;
    if (!model->is_empty && !question->format->protocols) {
        found = switch_points_find(plan.opened, 1, largest_planned, question->least_measured_gain);
        if (!found || !switch_points_check(plan.opened, found))
            return false;
    }
    if (model->is_empty) {
        *ARRAY_PUSH(study->arena, &plan.edges) = 0;
        plan.times = ARENA_ARRAY(study->arena, double *, 1);
        plan.is_measured = ARENA_ARRAY(study->arena, bool, 1);
    }
    if (model->is_empty ? !find_times(&plan, 0) : !find_edges(&plan, found))
        return false;
    note_unused(&plan);
    const bool by_size = !model->is_empty && tuned->measure != MEASURE_NONE &&
                         tuned->measure != MEASURE_TYPE_TIMES_RANKS &&
                         strcmp(tuned->name, "scatter") != 0;
    if (by_size)
        plan_sizes(&plan, found);
    else
        plan_once(&plan);
    return check_rules(&plan);
}
