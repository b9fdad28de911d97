/* The functions of collcost.h that are about cases. */
#include "bound/demand.h"
#include "bound/kinds.h"
#include "cost/link_traffic.h"
#include "cost/merging.h"
#include "study/call.h"
#include "study/case.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

/* Bytes: less is no message. */
#define LEAST_SIZE 0x1p-60
enum { MOST_SIZES_CHECKED = 256 }; /* each by itself */

typedef struct {
    const Study *study;
    const char *subject, *topology;
    Case *opened;
} OpenCall;

static collcost_status open_case(void *arguments)
{
    OpenCall *call = arguments;
    const Study *study = call->study;
    const Collective *collective = NULL;
    const Algorithm *only;
    Shape shape;
    Text subject = call_text(study, "subject", call->subject);
    if (!subject_read(study, subject, &collective, &only))
        return COLLCOST_BAD_INPUT;
    if (collective->problem)
        return call_status(diag_error(study->diag, subject.span,
                                      "%s is a product of matrices, not a collective",
                                      collective->head.name));
    const Topology *topology =
        subject_topology(study, call_text(study, "topology", call->topology), &shape);
    if (topology)
        call->opened = case_open(study, collective, only, topology, &shape);
    return call_status(call->opened != NULL);
}

collcost_status collcost_case_open(collcost_study *study, const char *subject, const char *topology,
                                   collcost_case **opened)
{
    OpenCall call = {study, subject, topology, NULL};
    collcost_status status = call_study(study, open_case, &call);
    if (status == COLLCOST_FINE)
        *opened = call.opened;
    return status;
}

const char *collcost_case_collective(const collcost_case *opened)
{
    return opened->collective->head.name;
}

int64_t collcost_case_ranks(const collcost_case *opened)
{
    return opened->network.p;
}

const char *collcost_case_network(const collcost_case *opened)
{
    return opened->network.name;
}

double collcost_case_largest_size(const collcost_case *opened)
{
    return study_largest_size(&opened->study, &opened->candidates.algorithms);
}

/* Of all candidates, of those on the Pareto front, of the fastest. */
typedef enum { COSTS_ALL, COSTS_FRONT, COSTS_BEST } WantedCosts;

/* What an answer about a case works on. */
typedef struct {
    Case *opened;
    double bytes, to, tolerance;
    const char *parameter; /* varied by these factors; NULL: conventions are */
    double factors[2];

    unsigned wanted;
    WantedCosts costs;
    const void *list;
    size_t count;
} Question;

/* What was found is handed out. */
static collcost_status found(Question *question, const void *list, size_t count, bool is_wrong)
{
    question->list = list;
    question->count = count;
    return is_wrong ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

/* Hands out the list of an answer. */
static collcost_status answer(Question *question, CallBody *find, const void **list, size_t *count)
{
    collcost_status status = call_study(&question->opened->study, find, question);
    if (call_answered(status)) {
        *list = question->list;
        *count = question->count;
    }
    return status;
}

static collcost_status find_rules(void *arguments)
{
    Question *question = arguments;
    const Case *opened = question->opened;
    const AlgorithmArray *algorithms = &opened->candidates.algorithms;
    const LeftOutArray *left_out = &opened->candidates.left_out;
    const char *rules = rules_describe_for(opened->study.arena, &opened->study.rules,
                                           &opened->network, algorithms->items, algorithms->count);
    for (size_t i = 0, named = 0; i < left_out->count; i++)
        if (left_out->items[i].is_limit)
            rules =
                arena_printf(opened->study.arena, "%s%s%s", rules, named++ ? ", " : ", without ",
                             left_out->items[i].algorithm->head.name);
    return found(question, rules, 1, false);
}

collcost_status collcost_case_rules(collcost_case *opened, const char **rules)
{
    Question question = {.opened = opened};
    const void *list = NULL;
    size_t count;
    collcost_status status = answer(&question, find_rules, &list, &count);
    if (status == COLLCOST_FINE)
        *rules = list;
    return status;
}

static collcost_status find_left_out(void *arguments)
{
    Question *question = arguments;
    const LeftOutArray *all = &question->opened->candidates.left_out;
    collcost_left_out *list =
        ARENA_ARRAY(question->opened->study.arena, collcost_left_out, all->count + 1);
    for (size_t i = 0; i < all->count; i++)
        list[i] = (collcost_left_out){all->items[i].algorithm->head.name, all->items[i].reason};
    return found(question, list, all->count, false);
}

collcost_status collcost_case_left_out(collcost_case *opened, const collcost_left_out **list,
                                       size_t *count)
{
    Question question = {.opened = opened};
    return answer(&question, find_left_out, (const void **)list, count);
}

static void fill_cost(Case *opened, double bytes, const CaseCost *found, collcost_cost *cost)
{
    const Algorithm *algorithm = case_algorithm(opened, found->candidate);
    const LowerBound *bound = case_bound_of(opened, found->candidate);
    const CurveCost *of = &found->cost;
    double block = bytes / (double)of->chunks;
    *cost = (collcost_cost){
        .algorithm = algorithm->head.name,
        .has_chunks = algorithm->free_chunks,
        .k = of->k,
        .branches = study_branches(algorithm, of->branches),
        .rounds = of->rounds,
        .startup_s = of->parts.startup,
        .hop_s = of->parts.hop,
        .transfer_s = of->parts.transfer,
        .compute_s = of->parts.compute,
        .total_s = of->total,
        .from_closed_form = of->closed != NULL,
        .peak_bytes = of->peak_blocks >= 0 ? (double)of->peak_blocks * block : -1,
        .bound_s = bound->known ? lower_bound_seconds(bound, bytes) : -1,
        .check = COLLCOST_NOT_VERIFIED,
        .stages = algorithm->composed,
    };
    IntArray tried = {0};
    curve_list_branches(opened->candidates.curves[found->candidate], opened->study.arena, &tried);
    cost->tried = tried.items;
    cost->tried_count = tried.count;
    if (!bound->known)
        return;
    CostParts messages = of->parts;
    messages.startup -= bound->call;
    Attained attained = attained_find(&bound->bounds, bound->least, messages, bytes);
    cost->is_optimal = attained.whole;
    cost->optimal_in_count = attained.count;
    memcpy(cost->optimal_in, attained.parts, sizeof cost->optimal_in);
}

static const collcost_check checks[] = {[COST_GOOD] = COLLCOST_VERIFIED,
                                        [COST_WRONG] = COLLCOST_WRONG,
                                        [COST_SMALLER] = COLLCOST_VERIFIED_SMALLER,
                                        [COST_TOO_LARGE] = COLLCOST_NOT_VERIFIED};

/* The candidates that are wanted, which are checked. */
static collcost_status find_costs(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    size_t count = opened->candidates.algorithms.count;
    CaseCost *costed = ARENA_ARRAY(opened->study.arena, CaseCost, count + 1);
    if (!call_check_size(&opened->study, question->bytes, 0))
        return COLLCOST_BAD_INPUT;
    if (question->costs == COSTS_BEST    ? !case_winner(opened, question->bytes, costed)
        : question->costs == COSTS_FRONT ? !case_front(opened, question->bytes, costed, &count)
                                         : !case_costs(opened, question->bytes, costed))
        return COLLCOST_BAD_INPUT;
    if (question->costs != COSTS_FRONT)
        count = question->costs == COSTS_BEST ? 1 : opened->candidates.algorithms.count;
    bool is_wrong = false;
    CheckEffort effort = CHECK_ONCE;
    if (question->costs != COSTS_BEST && opened->sizes++ < MOST_SIZES_CHECKED)
        effort = CHECK_EACH;
    collcost_cost *costs = ARENA_ARRAY(opened->study.arena, collcost_cost, count + 1);
    for (size_t i = 0; i < count; i++) {
        fill_cost(opened, question->bytes, &costed[i], &costs[i]);
        if (question->costs != COSTS_BEST)
            costed[i].check = case_check(opened, costed[i].candidate, costed[i].cost.k,
                                         costed[i].cost.branches, question->bytes, effort);
        costs[i].check = checks[costed[i].check];
        is_wrong |= costs[i].check == COLLCOST_WRONG;
    }
    return found(question, costs, count, is_wrong);
}

collcost_status collcost_case_front(collcost_case *opened, double bytes,
                                    const collcost_cost **costs, size_t *count)
{
    Question question = {.opened = opened, .bytes = bytes, .costs = COSTS_FRONT};
    return answer(&question, find_costs, (const void **)costs, count);
}

collcost_status collcost_case_costs(collcost_case *opened, double bytes,
                                    const collcost_cost **costs, size_t *count)
{
    Question question = {.opened = opened, .bytes = bytes};
    return answer(&question, find_costs, (const void **)costs, count);
}

collcost_status collcost_case_best(collcost_case *opened, double bytes, const collcost_cost **best)
{
    Question question = {.opened = opened, .bytes = bytes, .costs = COSTS_BEST};
    size_t count;
    return answer(&question, find_costs, (const void **)best, &count);
}

/* What each candidate of a case sends over the links of each level, or along each dimension. */

/* The least of all groups; NAN where the contract is too large. */
static const LeastTraffic *find_least(const Case *opened, const LinkGroups *groups)
{
    const Study *study = &opened->study;
    const Network *network = &opened->network;
    LeastTraffic *least = ARENA_ARRAY(study->arena, LeastTraffic, groups->count);
    Arena *scratch = arena_scratch(study->arena);
    Contract contract;
    if (contract_try(scratch, opened->collective, network->p, study->root, study->target,
                     &contract)) {
        if (study->rules.weights)
            weights_apply(scratch, study->rules.weights, &contract);
        least_traffic_find(scratch, &contract, groups, least);
    } else
        for (size_t g = 0; g < groups->count; g++)
            least[g] = (LeastTraffic){NAN, NAN};
    arena_destroy(scratch);
    return least;
}

/* A row for each candidate and group of links, the fastest candidate first. */
static collcost_status find_traffic(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    const Study *study = &opened->study;
    const double bytes = question->bytes;
    LinkGroups groups = link_groups_list(&opened->network);
    CaseCost *costs = ARENA_ARRAY(study->arena, CaseCost, opened->candidates.algorithms.count + 1);
    if (!call_check_size(study, bytes, 0))
        return COLLCOST_BAD_INPUT;
    if (merging_find(study->arena, &study->rules, &opened->network))
        return call_status(
            diag_error(study->diag, NOWHERE,
                       "bytes over links are not counted where switches multicast or combine"));
    if (!case_costs(opened, bytes, costs))
        return COLLCOST_BAD_INPUT;
    const size_t candidates = opened->candidates.algorithms.count;
    collcost_traffic *list =
        ARENA_ARRAY(study->arena, collcost_traffic, candidates * groups.count + 1);
    const LeastTraffic *least = find_least(opened, &groups);
    size_t count = 0;
    for (size_t i = 0; i < candidates; i++) {
        const Algorithm *algorithm = case_algorithm(opened, costs[i].candidate);
        double k = floor(costs[i].cost.k);
        Instance instance =
            study_instance(study, algorithm, &opened->network, (int64_t)k, costs[i].cost.branches);
        LinkTraffic traffic;
        if (!link_traffic_count(study->arena, &instance, &groups, &traffic, study->diag))
            return COLLCOST_BAD_INPUT;
        double block = bytes / (double)traffic.chunks;
        for (size_t g = 0; g < groups.count; g++) {
            if (!groups.items[g].count) /* a level of which this network has no links */
                continue;
            list[count++] = (collcost_traffic){
                .algorithm = algorithm->head.name,
                .has_chunks = algorithm->free_chunks,
                .k = k,
                .branches = study_branches(algorithm, costs[i].cost.branches),
                .total_s = costs[i].cost.total,
                .links = groups.items[g].name,
                .along_dimension = groups.by_dimension,
                .link_count = groups.items[g].count,
                .bytes = (double)traffic.groups[g].total * block,
                .least_bytes = least[g].total * bytes,
                .busiest_bytes = (double)traffic.groups[g].busiest * block,
                .least_busiest_bytes = least[g].busiest * bytes,
                .stages = algorithm->composed,
            };
        }
    }
    return found(question, list, count, false);
}

collcost_status collcost_case_traffic(collcost_case *opened, double bytes,
                                      const collcost_traffic **traffic, size_t *count)
{
    Question question = {.opened = opened, .bytes = bytes};
    return answer(&question, find_traffic, (const void **)traffic, count);
}

static collcost_status find_symbols(void *arguments)
{
    bool is_wrong = false;
    Question *question = arguments;
    Case *opened = question->opened;
    size_t count = opened->candidates.algorithms.count;
    collcost_symbols *list = ARENA_ARRAY(opened->study.arena, collcost_symbols, count + 1);
    for (size_t i = 0; i < count; i++) {
        const Algorithm *algorithm = case_algorithm(opened, i);
        CostSymbols of;
        if (!case_symbols(opened, i, &of))
            return COLLCOST_BAD_INPUT;
        list[i] = (collcost_symbols){.algorithm = algorithm->head.name,
                                     .has_chunks = algorithm->free_chunks,
                                     .k = of.k,
                                     .branches = study_branches(algorithm, of.branches),
                                     .rounds = of.rounds,
                                     .formula = of.formula,
                                     .from_closed_form = of.from_closed_form,
                                     .closed_form = of.closed_form,
                                     .check = checks[of.check],
                                     .stages = algorithm->composed};
        is_wrong |= of.check == COST_WRONG;
    }
    return found(question, list, count, is_wrong);
}

collcost_status collcost_case_symbols(collcost_case *opened, const collcost_symbols **symbols,
                                      size_t *count)
{
    Question question = {.opened = opened};
    return answer(&question, find_symbols, (const void **)symbols, count);
}

static collcost_status find_bounds(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    Arena *arena = opened->study.arena;
    double bytes = question->bytes;
    bool has_flow = question->wanted & COLLCOST_FLOW;
    if (!call_check_size(&opened->study, bytes, 0))
        return COLLCOST_BAD_INPUT;
    if (has_flow && !bounds_have_flow())
        return call_status(diag_error(opened->study.diag, NOWHERE, "the bound 'flow' needs GLPK"));
    const LowerBound *found =
        case_bound_by(opened, has_flow ? BOUND_SEARCH_FLOW : BOUND_SEARCH_CUTS);
    if (!found->known) {
        lower_bound_report(&opened->study, opened->collective, &opened->network, found);
        return COLLCOST_BAD_INPUT;
    }
    BoundKind binding = bounds_binding(&found->bounds, found->least, bytes);
    bool has_forms = case_posting(opened) < POSTING_TOGETHER;
    const double tw = found->least[PARAMETER_TW];
    const double own_tw = tw != opened->study.rules.parameters[PARAMETER_TW] ? tw : 0;
    collcost_bound *bounds = ARENA_ARRAY(arena, collcost_bound, BOUND_KIND_COUNT);
    for (int kind = 0; kind < BOUND_KIND_COUNT; kind++) {
        const Bound *bound = &found->bounds.items[kind];
        if (kind == BOUND_FLOW && !has_flow)
            continue;
        bounds[question->count++] = (collcost_bound){
            .kind = bound_names[kind],
            .formula = study_add_call(&opened->study, bound_formula(arena, bound, own_tw)),
            .closed_form = has_forms ? lower_bound_closed_form(&opened->study, opened->collective,
                                                               &opened->network, (BoundKind)kind)
                                     : NULL,
            .reason = bound->reason,
            .seconds = bound_seconds(bound, found->least, bytes) + found->call,
            .binds = kind == (int)binding,
            .may_be_loose = found->may_be_loose,
        };
    }
    question->list = bounds;
    return COLLCOST_FINE;
}

collcost_status collcost_case_bounds(collcost_case *opened, double bytes, unsigned wanted,
                                     const collcost_bound **bounds, size_t *count)
{
    Question question = {.opened = opened, .bytes = bytes, .wanted = wanted};
    return answer(&question, find_bounds, (const void **)bounds, count);
}

bool collcost_has_flow(void)
{
    return bounds_have_flow();
}

/* NULL after a report. */
static const SwitchPoints *points_of(const Question *question)
{
    Case *opened = question->opened;
    if (!call_check_size(&opened->study, question->bytes, LEAST_SIZE) ||
        !call_check_size(&opened->study, question->to, LEAST_SIZE))
        return NULL;
    if (question->bytes > question->to)
        return DIAG_NULL(opened->study.diag, NOWHERE, "the first size is larger than the last");
    if (!(question->tolerance >= 0 && isfinite(question->tolerance)) && question->tolerance != -1)
        return DIAG_NULL(opened->study.diag, NOWHERE,
                         "a tolerance is 0 or a positive share; -1: none");
    return switch_points_find(opened, question->bytes, question->to, question->tolerance);
}

static collcost_status find_pieces(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    const SwitchPoints *points = points_of(question);
    if (!points)
        return COLLCOST_BAD_INPUT;
    bool is_wrong = question->wanted & COLLCOST_CHECKED && !switch_points_check(opened, points);
    question->list = switch_points_list(opened, points, question->wanted & COLLCOST_DETAILS);
    question->count = points->shown.count;
    return !question->list ? COLLCOST_BAD_INPUT : is_wrong ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

collcost_status collcost_case_switch_points(collcost_case *opened, double from, double to,
                                            double tolerance, unsigned wanted,
                                            const collcost_piece **pieces, size_t *count)
{
    Question question = {
        .opened = opened, .bytes = from, .to = to, .tolerance = tolerance, .wanted = wanted};
    Diag *diag = opened->study.diag;
    if (wanted & COLLCOST_QUIET)
        study_silence(&opened->study);
    collcost_status status = answer(&question, find_pieces, (const void **)pieces, count);
    opened->study.diag = diag;
    return status;
}

static collcost_status find_variation(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    MovedSwitches moved = {0};
    Conventions conventions = {0};
    bool is_wrong;
    const SwitchPoints *points = points_of(question);
    if (!points)
        return COLLCOST_BAD_INPUT;
    if (!question->parameter)
        return variation_of_rules(opened, points, &conventions, &is_wrong)
                   ? found(question, conventions.items, conventions.count, is_wrong)
                   : COLLCOST_BAD_INPUT;
    const double *factors = question->factors;
    if (!(factors[0] > 0 && factors[0] < 1 && factors[1] > 1 && isfinite(factors[1])))
        return call_status(
            diag_error(opened->study.diag, NOWHERE, "a share must lie between 0 and 1"));
    if (!variation_find(opened, points, call_text(&opened->study, "--vary", question->parameter),
                        factors, &moved, &is_wrong))
        return COLLCOST_BAD_INPUT;
    return found(question, moved.items, moved.count, is_wrong);
}

collcost_status collcost_case_vary_between(collcost_case *opened, const char *parameter,
                                           double less, double more, double from, double to,
                                           double tolerance, const collcost_moved **moved,
                                           size_t *count)
{
    Question question = {.opened = opened,
                         .parameter = parameter,
                         .factors = {less, more},
                         .bytes = from,
                         .to = to,
                         .tolerance = tolerance};
    return answer(&question, find_variation, (const void **)moved, count);
}

collcost_status collcost_case_vary(collcost_case *opened, const char *parameter, double share,
                                   double from, double to, double tolerance,
                                   const collcost_moved **moved, size_t *count)
{
    return collcost_case_vary_between(opened, parameter, 1 - share, 1 + share, from, to, tolerance,
                                      moved, count);
}

collcost_status collcost_case_conventions(collcost_case *opened, double from, double to,
                                          double tolerance, const collcost_convention **conventions,
                                          size_t *count)
{
    Question question = {.opened = opened, .bytes = from, .to = to, .tolerance = tolerance};
    return answer(&question, find_variation, (const void **)conventions, count);
}
