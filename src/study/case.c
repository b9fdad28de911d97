#include "study/case.h"
#include "base/watch.h"
#include "choose/winner.h"
#include "net/line.h"
#include "study/plans.h"

#include <math.h>
#include <string.h>

LowerBound lower_bound_find(const Study *study, const Collective *collective,
                            const Network *network, BoundSearch search)
{
    LowerBound lower = {.search = search, .call = study->rules.delays[DELAY_CALL].seconds};
    Contract contract;
    if (study->rules.averages)
        return lower;
    Arena *scratch = arena_scratch(study->arena);
    lower.known =
        contract_try(scratch, collective, network->p, study->root, study->target, &contract);
    if (lower.known && study->rules.weights)
        weights_apply(scratch, study->rules.weights, &contract);
    if (lower.known) {
        bounds_compute(study->arena, &contract, network, &study->rules, search, &lower.bounds);
        lower.may_be_loose =
            contract.combines && !contract.is_empty && contract.after.total > contract.block_count;
    }
    lower.known &= !lower.bounds.is_disconnected;
    arena_destroy(scratch);
    rules_least(&study->rules, network, lower.least);
    return lower;
}

void lower_bound_report(const Study *study, const Collective *collective, const Network *network,
                        const LowerBound *lower)
{
    Contract contract;
    const BoundSet *bounds = &lower->bounds;
    Arena *scratch = arena_scratch(study->arena);
    if (study->rules.averages) {
        diag_error(study->diag, NOWHERE, "no lower bound is proven for the mean over ranks");
    } else if (bounds->is_disconnected) {
        const bool outer = diag_begin_trial(study->diag);
        diag_error(study->diag, network->topology->head.span,
                   "no path leads from rank %s to rank %s of %s, which needs its data",
                   network_name_node(scratch, network, bounds->disconnected_from),
                   network_name_node(scratch, network, bounds->disconnected_to), network->name);
        diag_end_trial(study->diag, outer);
    } else {
        contract_create(scratch, collective, network->p, study->root, study->target, &contract,
                        study->diag);
    }
    arena_destroy(scratch);
}

double lower_bound_seconds(const LowerBound *lower, double bytes)
{
    if (!lower->known)
        return 0;
    BoundKind kind = bounds_binding(&lower->bounds, lower->least, bytes);
    return bound_seconds(&lower->bounds.items[kind], lower->least, bytes) + lower->call;
}

const char *lower_bound_closed_form(const Study *study, const Collective *collective,
                                    const Network *network, BoundKind kind)
{
    ClaimPoint point =
        claim_point(&network->shape, study->root, 1, rules_ports(&study->rules, network));
    point.target = study->target;
    if (!head_is_builtin(&collective->head) || !head_is_builtin(&network->topology->head))
        return NULL;
    for (size_t i = 0; i < collective->claims.list.count; i++) {
        const Claim *claim = claims_on(&collective->claims, i, network->topology->head.name);
        if (!claim)
            continue;
        bool alone = claim->bounds[kind];
        for (int other = 0; other < BOUND_KIND_COUNT; other++)
            alone &= other == (int)kind || !claim->bounds[other];
        alone &= !network->shape.taper && !network->grouping && rules_are_usual(&study->rules) &&
                 claim->switching[study->rules.switching];
        if (alone && !claim->recorded_refuted && claim_applies(claim, &point))
            return text_string(study->arena, claim->formula.text);
    }
    return NULL;
}

static const char *const part_names[ATTAINED_PARTS] = {"startup", "hop", "transfer", "compute"};
static const Parameter part_parameters[ATTAINED_PARTS] = {PARAMETER_TS, PARAMETER_TH, PARAMETER_TW,
                                                          PARAMETER_TC};

/* To 9 digits. */
static bool is_reached(double time, double bound)
{
    return fabs(time - bound) <= bound * 1e-9;
}

Attained attained_find(const BoundSet *bounds, const double *least, CostParts parts, double bytes)
{
    Attained attained = {0};
    const double times[ATTAINED_PARTS] = {parts.startup, parts.hop, parts.transfer, parts.compute};
    double largest = 0;
    for (int i = 0; i < ATTAINED_PARTS; i++) {
        /* The largest bound of those that a parameter multiplies. */
        double bound = 0;
        for (int kind = 0; kind < BOUND_KIND_COUNT; kind++)
            if (bound_parameter((BoundKind)kind) == part_parameters[i])
                bound = fmax(bound, bound_seconds(&bounds->items[kind], least, bytes));
        largest = fmax(largest, bound);
        if (bound > 0 && is_reached(times[i], bound))
            attained.parts[attained.count++] = part_names[i];
    }
    attained.whole = is_reached(cost_total(parts), largest);
    return attained;
}

Case *case_create(const Study *study, const Collective *collective, const Topology *topology,
                  const Shape *shape)
{
    Case *opened = ARENA_NEW(study->arena, Case);
    *opened =
        (Case){.study = *study, .collective = collective, .topology = topology, .shape = *shape};
    Rules *rules =
        &opened->study.rules; /* of this copy of the machine, whatever becomes of the study's */
    if (rules->levels)
        rules->levels = opened->study.machine.levels;
    if (rules->protocols)
        rules->protocols = opened->study.machine.protocols;
    if (!study_network(study, topology, shape, &opened->network) ||
        !study_settle_ends(&opened->study, collective, &opened->network) ||
        !study_weigh(&opened->study, collective, opened->network.p))
        return NULL;
    study_share(&opened->study, &opened->network);
    return opened;
}

Case *case_open(const Study *study, const Collective *collective, const Algorithm *only,
                const Topology *topology, const Shape *shape)
{
    Case *opened = case_create(study, collective, topology, shape);
    if (!opened)
        return NULL;
    opened->only = only;
    return candidates_open(&opened->study, collective, only, &opened->network, &opened->candidates)
               ? opened
               : NULL;
}

Case *case_narrow(const Case *opened, size_t candidate)
{
    Arena *arena = opened->study.arena;
    const Candidates *all = &opened->candidates;
    Case *narrow = ARENA_COPY(arena, Case, opened, 1);
    narrow->only = case_algorithm(opened, candidate);
    narrow->found_bounds[0] = narrow->found_bounds[1] = NULL;
    narrow->found_points = NULL;
    narrow->candidates =
        (Candidates){.curves = ARENA_COPY(arena, Curve *, &all->curves[candidate], 1),
                     .bounds = ARENA_ARRAY(arena, Curve *, 1),
                     .is_put_off = ARENA_ARRAY(arena, bool, 1),
                     .network = all->network,
                     .memo = all->memo};
    *ARRAY_PUSH(arena, &narrow->candidates.algorithms) = narrow->only;
    return narrow;
}

const Algorithm *case_algorithm(const Case *opened, size_t candidate)
{
    return opened->candidates.algorithms.items[candidate];
}

void case_change_costs(Case *opened, const Machine *machine)
{
    opened->study.machine = *machine;
    rules_follow_machine(&opened->study.rules, &opened->study.machine);
}

/* Do links of the level state this price themselves? */
static bool is_stated(const Network *network, Text level, int parameter)
{
    bool any = false;
    for (size_t i = 0; i < network->class_count; i++) {
        const LinkClass *class = &network->classes[i];
        const double own = parameter == PARAMETER_TW   ? class->tw
                           : parameter == PARAMETER_TH ? class->th
                                                       : -1;
        any |= own >= 0 && class->level && text_equals(level, class->level);
    }
    return any;
}

bool case_is_derived_otherwise(const Case *opened, const Machine *now)
{
    const Machine *before = &opened->study.machine;
    const bool streams = opened->study.rules.posting == POSTING_STREAMED ||
                         case_algorithm(opened, 0)->streams ||
                         opened->candidates.algorithms.count > 1;
    const Router *router = opened->network.router;
    bool is_routed = false; /* some routes are chosen by what a byte takes */
    for (int i = 0; router && i < router->count; i++)
        is_routed |= router->lines[i].weights != NULL;
    bool gaps = before->delays[DELAY_GAP].seconds > 0;
    for (int i = 0; i < before->level_count; i++)
        gaps |= before->levels[i].delays[DELAY_GAP].seconds > 0;
    bool differs = now->level_count != before->level_count ||
                   (is_routed && before->parameters[PARAMETER_TW] != now->parameters[PARAMETER_TW]);
    /* With gaps, the startups of the machine and of its protocols decide which chain of messages in
       streams is the longest. */
    if (streams && gaps)
        differs |= before->parameters[PARAMETER_TS] != now->parameters[PARAMETER_TS] ||
                   before->listed_count != now->listed_count;
    for (int i = 0; i < now->listed_count && streams && gaps && !differs; i++)
        differs = before->protocols[i].parameters[PARAMETER_TS] !=
                  now->protocols[i].parameters[PARAMETER_TS];
    for (int i = 0; i < now->level_count && !differs; i++) {
        const Level *a = &before->levels[i], *b = &now->levels[i];
        if (!network_has_level(&opened->network, a->name))
            continue;
        const bool is_factor =
            rules_vary_level(&opened->study.rules, a->name, VARIED_CAPACITY) && b->capacity > 0;
        differs =
            (!is_factor && a->capacity != b->capacity) || a->protocol_count != b->protocol_count;
        const bool decides = is_routed || (streams && gaps);
        for (int x = 0; x < PARAMETER_COUNT; x++) {
            const bool is_listed = b->protocol_count && (x == PARAMETER_TS || x == PARAMETER_TW);
            differs |= (decides || !is_listed) && a->parameters[x] != b->parameters[x];
            differs |=
                a->link_scales[x] != b->link_scales[x] && is_stated(&opened->network, a->name, x);
        }
    }
    return differs;
}

bool case_may_reopen(const Case *opened, const Machine *now)
{
    const Rules *rules = &opened->study.rules;
    const Machine *before = &opened->study.machine;
    bool same = !rules->asynchronous && !rules->averages && !opened->network.grouping &&
                !case_is_derived_otherwise(opened, now) &&
                memcmp(before->delays, now->delays, sizeof now->delays) == 0;
    for (int i = 0; i < now->level_count && same; i++) {
        const Level *a = &before->levels[i], *b = &now->levels[i];
        same = a->merging == b->merging && memcmp(a->delays, b->delays, sizeof b->delays) == 0;
    }
    return same;
}

bool case_reopen(Case *opened, const Machine *machine)
{
    case_change_costs(opened, machine);
    opened->found_bounds[0] = opened->found_bounds[1] = NULL;
    opened->found_points = NULL;
    return candidates_open(&opened->study, opened->collective, opened->only, &opened->network,
                           &opened->candidates);
}

const LowerBound *case_bound(Case *opened)
{
    return case_bound_by(opened, BOUND_SEARCH_CUTS);
}

static const LowerBound *find_bound(Case *opened, Posting posting, BoundSearch search)
{
    const LowerBound **found = &opened->found_bounds[posting];
    if (!*found || (*found)->search != search) {
        Study study = opened->study;
        study.rules.posting = posting;
        LowerBound bound = lower_bound_find(&study, opened->collective, &opened->network, search);
        *found = ARENA_COPY(opened->study.arena, LowerBound, &bound, 1);
    }
    return *found;
}

Posting case_posting(const Case *opened)
{
    const Rules *rules = &opened->study.rules;
    Posting loosest = rules->posting;
    for (size_t i = 0; i < opened->candidates.algorithms.count; i++) {
        const Posting own = rules_loosest_posting(rules, case_algorithm(opened, i));
        loosest = own > loosest ? own : loosest;
    }
    return loosest;
}

const LowerBound *case_bound_by(Case *opened, BoundSearch search)
{
    return find_bound(opened, case_posting(opened), search);
}

const LowerBound *case_bound_of(Case *opened, size_t candidate)
{
    return find_bound(
        opened, rules_loosest_posting(&opened->study.rules, case_algorithm(opened, candidate)),
        BOUND_SEARCH_CUTS);
}

bool case_points(const Case *opened, double bytes, CurvePoint *points)
{
    for (size_t i = 0; i < opened->candidates.algorithms.count; i++)
        if (!curve_at(opened->candidates.curves[i], bytes, curve_most_chunks(bytes), &points[i],
                      opened->study.diag))
            return false;
    return true;
}

bool case_winner(const Case *opened, double bytes, CaseCost *winner)
{
    Arena *arena = opened->study.arena;
    size_t count = opened->candidates.algorithms.count;
    CurvePoint *points = ARENA_ARRAY(arena, CurvePoint, count + 1);
    double *seconds = ARENA_ARRAY(arena, double, count + 1);
    if (!case_points(opened, bytes, points))
        return false;
    for (size_t i = 0; i < count; i++)
        seconds[i] = points[i].total;
    winner->candidate = winner_find(seconds, count);
    if (winner->candidate == count || !curve_cost(opened->candidates.curves[winner->candidate],
                                                  bytes, &winner->cost, opened->study.diag))
        return false;
    winner->check = case_check(opened, winner->candidate, winner->cost.k, winner->cost.branches,
                               bytes, CHECK_ONCE);
    return true;
}

bool case_followed_costs(const Case *opened, double bytes, CaseCost *costs, size_t *count)
{
    const Study *study = &opened->study;
    Arena *arena = study->arena;
    IntArray numbers = {0};
    Curve **curves = followed_curves(study, &opened->candidates, false, &numbers);
    double *seconds = ARENA_ARRAY(arena, double, numbers.count + 1);
    size_t *order = ARENA_ARRAY(arena, size_t, numbers.count + 1);
    CurveCost *found = ARENA_ARRAY(arena, CurveCost, numbers.count + 1);
    for (size_t i = 0; i < numbers.count; i++) {
        watch_step(arena, curve_algorithm(curves[i])->head.name, (int64_t)i,
                   (int64_t)numbers.count);
        if (!curve_cost(curves[i], bytes, &found[i], study->diag))
            return false;
        seconds[i] = found[i].total;
    }
    winner_order(seconds, numbers.count, order);
    for (size_t i = 0; i < numbers.count; i++)
        costs[i] = (CaseCost){(size_t)numbers.items[order[i]], found[order[i]], COST_TOO_LARGE};
    *count = numbers.count;
    return true;
}

bool case_costs(Case *opened, double bytes, CaseCost *costs)
{
    size_t count;
    for (size_t i = 0; i < opened->candidates.algorithms.count;)
        i += followed_fits(&opened->study, &opened->candidates, i, bytes);
    return case_followed_costs(opened, bytes, costs, &count);
}

enum { CRITERIA = 3 };

static void read_criteria(const CurveCost *cost, double criteria[CRITERIA])
{
    criteria[0] = cost->parts.startup + cost->parts.hop;
    criteria[1] = cost->total - criteria[0];
    criteria[2] =
        cost->peak_blocks < 0 ? INFINITY : (double)cost->peak_blocks / (double)cost->chunks;
}

static bool covers(const CaseCost *a, const CaseCost *b)
{
    double of_a[CRITERIA], of_b[CRITERIA];
    read_criteria(&a->cost, of_a);
    read_criteria(&b->cost, of_b);
    return front_covers(of_a, of_b, CRITERIA);
}

bool case_front(Case *opened, double bytes, CaseCost *costs, size_t *count)
{
    size_t all_count = opened->candidates.algorithms.count;
    CaseCost *all = ARENA_ARRAY(opened->study.arena, CaseCost, all_count + 1);
    double *startups = ARENA_ARRAY(opened->study.arena, double, all_count + 1);
    size_t *order = ARENA_ARRAY(opened->study.arena, size_t, all_count + 1);
    size_t kept = 0;
    if (!case_costs(opened, bytes, all))
        return false;
    all_count = opened->candidates.algorithms.count;
    for (size_t i = 0; i < all_count; i++) {
        double criteria[CRITERIA];
        read_criteria(&all[i].cost, criteria);
        startups[i] = criteria[0];
    }
    winner_order(startups, all_count, order);
    for (size_t i = 0; i < all_count; i++) {
        /* By one that is better, or by one of those that are kept. */
        const CaseCost *which = &all[order[i]];
        bool is_beaten = false;
        for (size_t n = 0; n < kept && !is_beaten; n++)
            is_beaten = covers(&costs[n], which);
        for (size_t n = 0; n < all_count && !is_beaten; n++)
            is_beaten = covers(&all[n], which) && !covers(which, &all[n]);
        if (!is_beaten)
            costs[kept++] = *which;
    }
    *count = kept;
    return true;
}

CostCheck case_check(const Case *opened, size_t candidate, double k, int64_t branches, double bytes,
                     CheckEffort effort)
{
    Curve *curve = opened->candidates.curves[candidate];
    const ClosedForm *closed = curve_closed(curve, branches);
    const Instance instance = study_instance(&opened->study, case_algorithm(opened, candidate),
                                             &opened->network, (int64_t)k, branches);
    CostCheck found =
        check_cost(&opened->study, &instance, &opened->network, bytes, closed, effort);
    if (found == COST_WRONG || closed || instance.algorithm->expect_wrong)
        return found;
    /* Claims that speak of an answer and were not compared before must give its time. */
    const Study *study = &opened->study;
    double seconds;
    const ClosedForm form =
        closed_find(study->arena, &instance, &opened->network, &study->rules, false, false);
    const bool is_right = curve_total(curve, instance.k, branches, bytes, &seconds, study->diag) &&
                          (form.count == 0 || form.is_compared ||
                           check_closed(study, &form, (double)instance.k, &opened->network, bytes,
                                        seconds - study->rules.delays[DELAY_CALL].seconds));
    if (!is_right || found != COST_TOO_LARGE || instance.algorithm->is_builtin)
        return is_right ? found : COST_WRONG;
    /* A schedule that was not run on data may lack a part, which shows where it is faster than any
       can be. The bound is one that takes no time. */
    Study loosest = *study;
    loosest.rules.posting = rules_loosest_posting(&study->rules, instance.algorithm);
    const LowerBound bound =
        lower_bound_find(&loosest, opened->collective, &opened->network, BOUND_SEARCH_NONE);
    const double least = lower_bound_seconds(&bound, bytes);
    if (seconds >= least * (1 - 1e-9))
        return found;
    const bool outer = diag_begin_trial(study->diag);
    diag_error(study->diag, instance.algorithm->head.span,
               "%s is wrong on %s: with %s it takes %s, where none can take less than %s",
               algorithm_full_name(study->arena, instance.algorithm), opened->network.name,
               quantity_show_bytes(study->arena, bytes), quantity_show_time(study->arena, seconds),
               quantity_show_time(study->arena, least));
    diag_end_trial(study->diag, outer);
    return COST_WRONG;
}
