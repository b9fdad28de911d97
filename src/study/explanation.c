#include "study/case.h"

#include "choose/break_even.h"
#include "choose/winner.h"
#include "study/call.h"
#include "study/explain_rounds.h"

#include <math.h>
#include <string.h>

/* Ranks times chunks up to which a schedule is followed round by round. */
enum { MOST_WORK = 1 << 16 };

/* Times that differ by less than this share of the whole are equal. */
static const double rounding = 1e-12;

/* An algorithm, and its case. */
typedef struct {
    Case *opened;
    const Algorithm *algorithm;
    CurveCost cost;
} Side;

static Instance instance_of(const Side *side)
{
    return study_instance(&side->opened->study, side->algorithm, &side->opened->network,
                          (int64_t)floor(side->cost.k), side->cost.branches);
}

static bool can_be_followed(const Side *side)
{
    double k = side->cost.k;
    return k == floor(k) && k * (double)side->opened->network.p <= MOST_WORK;
}

static collcost_side fill_side(const Side *side, double bytes)
{
    const CurveCost *cost = &side->cost;
    CostParts parts = cost->parts;
    double contention = NAN;
    /* What the time would be if each message had its links for itself. */
    Study alone = side->opened->study;
    Instance instance = instance_of(side);
    Arena *scratch = arena_scratch(alone.arena);
    Profile profile;
    study_silence(&alone);
    alone.rules.contention = CONTENTION_NONE;
    if (can_be_followed(side) &&
        profile_derive_with(scratch, NULL, &instance, &side->opened->network, &alone.rules,
                            rules_price_by_peak(&alone.rules, side->algorithm), &profile,
                            alone.diag)) {
        parts = profile_cost(&profile, alone.rules.parameters, bytes);
        parts.startup += alone.rules.delays[DELAY_CALL].seconds;
        contention = cost->total - cost_total(parts);
    }
    arena_destroy(scratch);
    if (fabs(contention) < rounding * cost->total)
        contention = 0;
    return (collcost_side){
        .algorithm = side->algorithm->head.name,
        .has_chunks = side->algorithm->free_chunks,
        .k = cost->k,
        .branches = study_branches(side->algorithm, cost->branches),
        .rounds = cost->rounds,
        .from_closed_form = cost->closed != NULL,
        .seconds = {[COLLCOST_STARTUP] = parts.startup,
                    [COLLCOST_HOP] = parts.hop,
                    [COLLCOST_TRANSFER] = parts.transfer,
                    [COLLCOST_CONTENTION] = contention,
                    [COLLCOST_COMPUTE] = parts.compute,
                    [COLLCOST_TOTAL] = cost->total},
    };
}

/* Which rounds are of note, and on which messages the end depends. */
static void find_messages(const Side sides[2], collcost_explanation *explanation)
{
    const Network *network = &sides[0].opened->network;
    const Instance instances[2] = {instance_of(&sides[0]), instance_of(&sides[1])};
    collcost_rounds rounds[2];
    CriticalPath paths[2];
    Study quiet = sides[0].opened->study;
    if (!can_be_followed(&sides[0]) || !can_be_followed(&sides[1]))
        return;
    study_silence(&quiet);
    explanation->has_rounds =
        !quiet.rules.asynchronous &&
        explain_rounds(&quiet, network, instances, explanation->bytes, rounds);
    for (int i = 0; i < 2 && explanation->has_rounds; i++)
        explanation->sides[i].of_note = rounds[i];
    for (int i = 0; i < 2; i++)
        if (quiet.rules.contention != CONTENTION_SHARED ||
            !critical_path_find(&quiet, &instances[i], &sides[i].opened->network,
                                explanation->bytes, &paths[i]))
            return;
    for (int i = 0; i < 2; i++) {
        explanation->critical_paths[i] = paths[i].messages;
        explanation->critical_counts[i] = paths[i].count;
    }
}

/* ### Break-evens */

/* A parameter: times by byte, which users know as bandwidths, are `inverse`. */
typedef struct {
    double least, most; /* now, as times or bytes */
    bool is_factor;     /* crossings are factors of that; else values */
    bool inverse;
} Present;

/* As it is spelled. */
static double natural(const Present *now, double value)
{
    return now->inverse ? number_inverse(value) : value;
}

static collcost_crossing fill_crossing(const Present *now, const Crossing *crossing)
{
    double value = crossing->at, factor = NAN;
    if (now->is_factor) {
        value = now->least == now->most ? now->most * crossing->at : NAN;
        factor = natural(now, crossing->at);
    } else if (now->most > 0) {
        factor = natural(now, crossing->at) / natural(now, now->most);
    }
    return (collcost_crossing){.is_found = crossing->is_found,
                               .is_open = crossing->is_open,
                               .value = natural(now, value),
                               .factor = factor,
                               .faster = crossing->faster};
}

static collcost_break_even fill_break_even(const char *parameter, const char *unit,
                                           const Present *now, const BreakEven *found)
{
    return (collcost_break_even){
        .parameter = parameter,
        .unit = unit,
        .least = natural(now, now->inverse ? now->most : now->least),
        .most = natural(now, now->inverse ? now->least : now->most),
        .below = fill_crossing(now, now->inverse ? &found->above : &found->below),
        .above = fill_crossing(now, now->inverse ? &found->below : &found->above),
    };
}

static bool find_break_evens(const Side sides[2], collcost_explanation *explanation)
{
    const Case *opened = sides[0].opened;
    Arena *arena = opened->study.arena;
    Comparison comparison = {
        .algorithms = {sides[0].algorithm, sides[1].algorithm},
        .network = &opened->network,
        .root = opened->study.root,
        .target = opened->study.target,
        .chosen = {study_choice(&opened->study, sides[0].algorithm, &opened->network),
                   study_choice(&opened->study, sides[1].algorithm, &opened->network)},
        .machine = &opened->study.machine,
        .rules = &opened->study.rules,
        .bytes = explanation->bytes};
    if (!comparison_open(arena, &comparison, opened->study.diag))
        return false;
    BreakEvens found = break_evens_find(arena, &comparison);
    size_t count = found.parameters.count;
    collcost_break_even *rows = ARENA_ARRAY(arena, collcost_break_even, count + 1);
    for (size_t i = 0; i < count; i++) {
        const VariedParameter *varied = &found.parameters.items[i];
        const bool is_size = varied_is_size(varied), inverse = varied_info(varied)->inverse;
        const Present now = {varied->least, varied->most, !is_size && !varied->is_zero, inverse};
        rows[i] = fill_break_even(varied->name,
                                  is_size   ? "B"
                                  : inverse ? "B/s"
                                            : "s",
                                  &now, &found.by_parameter[i]);
    }
    const Present size = {.least = explanation->bytes, .most = explanation->bytes};
    rows[count] = fill_break_even("m", "B", &size, &found.by_size);
    explanation->break_evens = rows;
    explanation->break_even_count = count + 1;
    return true;
}

/* Where the next one is no candidate unless it is the fastest somewhere, that has to be known. What
   is the fastest here is one. */
bool explanation_rivals(Case *opened, double bytes, const char *given, size_t rivals[2])
{
    const Study *study = &opened->study;
    Candidates *all = &opened->candidates;
    CaseCost *costs = ARENA_ARRAY(study->arena, CaseCost, all->algorithms.count + 1);
    size_t count, next;
    if (!call_check_size(study, bytes, 0))
        return false;
    for (;;) {
        if (!followed_two(study, all, bytes) || !case_followed_costs(opened, bytes, costs, &count))
            return false;
        /* To be compared with the first, or with the given one; their number: none. */
        const double least = count ? costs[0].cost.total : 0;
        next = given ? 0 : 1;
        while (next < count &&
               (given ? strcmp(case_algorithm(opened, costs[next].candidate)->head.name, given) == 0
                      : costs[next].cost.total <= least * (1 + rounding)))
            next++;
        if (!given && next >= count)
            next = 1;
        next = next < count ? next : count;
        const size_t proven = all->algorithms.count - all->unproven;
        if (next == 0 || next == count || costs[next].candidate < proven)
            break;
        if (!followed_drop_losers(study, all))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        case_check(opened, costs[i].candidate, costs[i].cost.k, costs[i].cost.branches, bytes,
                   CHECK_EACH);
    rivals[0] = count ? costs[0].candidate : 0;
    rivals[1] = next < count ? costs[next].candidate : all->algorithms.count;
    return true;
}

typedef struct {
    Case *opened[2];
    double bytes;
    unsigned wanted;
    const collcost_explanation *found;
} ExplainCall;

static collcost_status explain(void *arguments)
{
    ExplainCall *call = arguments;
    const Case *first = call->opened[0], *second = call->opened[1];
    Side sides[2];
    bool is_wrong = false;
    if (!call_check_size(&first->study, call->bytes, 0))
        return COLLCOST_BAD_INPUT;
    if (first->collective != second->collective ||
        strcmp(first->network.name, second->network.name) != 0)
        return call_status(
            diag_error(first->study.diag, NOWHERE,
                       "only algorithms of one collective on one network can be explained"));
    collcost_explanation *explanation = ARENA_NEW(first->study.arena, collcost_explanation);
    *explanation = (collcost_explanation){.bytes = call->bytes};
    for (int i = 0; i < 2; i++) {
        Case *opened = call->opened[i];
        CaseCost winner;
        if (!case_winner(opened, call->bytes, &winner))
            return COLLCOST_BAD_INPUT;
        is_wrong |= winner.check == COST_WRONG;
        sides[i] = (Side){opened, case_algorithm(opened, winner.candidate), winner.cost};
        explanation->sides[i] = fill_side(&sides[i], call->bytes);
    }
    call->found = explanation;
    if (is_wrong)
        return COLLCOST_CHECK_FAILED;
    const double *a = explanation->sides[0].seconds, *b = explanation->sides[1].seconds;
    for (int i = 0; i < COLLCOST_PART_COUNT; i++) {
        /* Contention is a difference of totals, and as exact as these. */
        double whole = i == COLLCOST_CONTENTION ? a[COLLCOST_TOTAL] : fmax(fabs(a[i]), fabs(b[i]));
        explanation->more[i] = fabs(a[i] - b[i]) <= rounding * whole ? 0 : a[i] - b[i];
    }
    const double first_total = a[COLLCOST_TOTAL], second_total = b[COLLCOST_TOTAL];
    explanation->order =
        time_is_below(first_total, second_total) ? -1 : time_is_below(second_total, first_total);
    find_messages(sides, explanation);
    return call_status(!(call->wanted & COLLCOST_BREAK_EVENS) ||
                       find_break_evens(sides, explanation));
}

collcost_status collcost_explain(collcost_case *first, collcost_case *second, double bytes,
                                 unsigned wanted, const collcost_explanation **found)
{
    ExplainCall call = {{first, second}, bytes, wanted, NULL};
    collcost_status status = call_study(&first->study, explain, &call);
    if (call_answered(status))
        *found = call.found;
    return status;
}
