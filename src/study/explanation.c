#include "study/explanation.h"

#include "choose/winner.h"
#include "cost/derive.h"

#include <math.h>

/* Ranks times chunks up to which a schedule is followed round by round. */
enum { MOST_WORK = 1 << 16 };

/* Times that differ by less than this share of the whole are equal. */
static const double rounding = 1e-12;

static Instance instance_of(const ExplainedSide *side)
{
    return study_instance(&side->opened->study, side->algorithm, &side->opened->network,
                          (int64_t)floor(side->cost.k));
}

static bool can_be_followed(const ExplainedSide *side)
{
    double k = side->cost.k;
    return k == floor(k) && k * (double)side->opened->network.p <= MOST_WORK;
}

/* What the time would be if each message had its links for itself. */
static bool find_contention(const ExplainedSide *side, double bytes, CostParts *alone)
{
    const Study *study = &side->opened->study;
    Instance instance = instance_of(side);
    Rules rules = study->rules;
    Arena *scratch = arena_scratch(study->arena);
    Diag silent = diag_silent();
    Profile profile;
    rules.contention = CONTENTION_NONE;
    bool good = can_be_followed(side) && profile_derive(scratch, &instance, &side->opened->network,
                                                        &rules, &profile, &silent);
    if (good)
        *alone = profile_cost(&profile, rules.parameters, bytes);
    arena_destroy(scratch);
    return good;
}

static void fill_parts(ExplainedSide *side, double bytes)
{
    CostParts parts = side->cost.parts;
    double contention = NAN;
    if (find_contention(side, bytes, &parts))
        contention = side->cost.total - cost_total(parts);
    if (fabs(contention) < rounding * side->cost.total)
        contention = 0;
    const double values[PART_COUNT] = {parts.startup, parts.hop,     parts.transfer,
                                       contention,    parts.compute, side->cost.total};
    for (int i = 0; i < PART_COUNT; i++)
        side->parts[i] = values[i];
}

/* Both run on the network before either is timed. */
static bool open_sides(const Study *study, const Algorithm *const algorithms[2],
                       const Topology *topology, const Shape *shape, Explanation *explanation)
{
    for (int i = 0; i < 2; i++) {
        ExplainedSide *side = &explanation->sides[i];
        side->algorithm = algorithms[i];
        side->opened = case_open(study, algorithms[i]->collective, algorithms[i], topology, shape);
        if (!side->opened)
            return false;
    }
    return true;
}

static bool find_costs(Explanation *explanation)
{
    for (int i = 0; i < 2; i++) {
        ExplainedSide *side = &explanation->sides[i];
        CaseCost found;
        if (!case_winner(side->opened, explanation->bytes, &found))
            return false;
        explanation->is_wrong |= found.check == COST_WRONG;
        side->cost = found.cost;
        fill_parts(side, explanation->bytes);
    }
    double first = explanation->sides[0].cost.total, second = explanation->sides[1].cost.total;
    explanation->order = time_is_below(first, second) ? -1 : time_is_below(second, first);
    return true;
}

static bool open_comparison(Explanation *explanation)
{
    const Case *opened = explanation->sides[0].opened;
    explanation->comparison = (Comparison){
        .algorithms = {explanation->sides[0].algorithm, explanation->sides[1].algorithm},
        .network = &opened->network,
        .root = opened->study.root,
        .target = opened->study.target,
        .k = opened->study.k,
        .machine = &opened->study.machine,
        .rules = &opened->study.rules,
        .bytes = explanation->bytes};
    return comparison_open(opened->study.arena, &explanation->comparison, opened->study.diag);
}

static void find_rounds(Explanation *explanation)
{
    const ExplainedSide *sides = explanation->sides;
    const Instance instances[2] = {instance_of(&sides[0]), instance_of(&sides[1])};
    Study quiet = sides[0].opened->study;
    Diag silent = diag_silent();
    quiet.diag = &silent;
    explanation->has_rounds = !quiet.rules.asynchronous && can_be_followed(&sides[0]) &&
                              can_be_followed(&sides[1]) &&
                              explain_rounds(&quiet, &sides[0].opened->network, instances,
                                             explanation->bytes, explanation->rounds);
}

bool explanation_find(const Study *study, const Algorithm *const algorithms[2],
                      const Topology *topology, const Shape *shape, double bytes,
                      Explanation *explanation)
{
    *explanation = (Explanation){.bytes = bytes};
    if (!open_sides(study, algorithms, topology, shape, explanation) || !find_costs(explanation))
        return false;
    if (explanation->is_wrong)
        return true;
    if (!open_comparison(explanation))
        return false;
    find_rounds(explanation);
    return true;
}

bool explanation_is_same(const Explanation *explanation, ExplainedPart part)
{
    const ExplainedSide *sides = explanation->sides;
    double a = sides[0].parts[part], b = sides[1].parts[part];
    /* Contention is a difference of totals, and as exact as these. */
    double whole = part == PART_CONTENTION ? sides[0].cost.total : fmax(fabs(a), fabs(b));
    return fabs(a - b) <= rounding * whole;
}
