#include "claims/compare.h"

#include "bound/bounds.h"
#include "claims/grid.h"

static bool compute_bounds(const Trial *trial, BoundSet *bounds)
{
    Judge *judge = trial->judge;
    const Place *place = trial->place;
    Contract contract;
    BoundSearch search = trial->claim->bounds[BOUND_CUT] ? BOUND_SEARCH_CUTS : BOUND_SEARCH_NONE;
    if (!contract_create(judge->scratch, judge->collective, place->point.p, place->point.root,
                         place->point.target, &contract, judge->diag))
        return false;
    bounds_compute(judge->scratch, &contract, place->network, &place->rules, search, bounds);
    return true;
}

void judge_reached(const Trial *trial, const Profile *profile)
{
    const Place *place = trial->place;
    BoundSet bounds;
    bool reaches = trial->claim->kind == CLAIM_REACHES;
    if (!compute_bounds(trial, &bounds))
        return;
    for (int kind = 0; kind < BOUND_KIND_COUNT && trial->verdict->holds; kind++) {
        if (!trial->claim->bounds[kind])
            continue;
        Parameter parameter = bound_parameter((BoundKind)kind);
        const ExactParameters *unit = &place->vectors[parameter];
        Exact bound = bound_exact(&bounds.items[kind], unit, place->sizes[0]);
        Exact costs[PARAMETER_COUNT];
        for (int i = 0; i < PARAMETER_COUNT; i++)
            costs[i] = exact_from_int(0);
        costs[parameter] = profile_time_exact(profile, unit, place->sizes[0]);
        trial->verdict->cases++;
        if (exact_equal(bound, costs[parameter]) != reaches)
            judge_refute(trial,
                         arena_printf(trial->judge->arena, "%sthe %s bound %s",
                                      reaches ? "" : "more than ", bound_names[kind],
                                      bound_formula(trial->judge->arena, &bounds.items[kind], 0)),
                         "derived", judge_show_coefficients(trial->judge, place, costs));
    }
}

typedef struct {
    const BoundSet *bounds;
    const Claim *claim;
} BoundTruth;

static Exact bound_truth(const void *context, const ExactParameters *parameters, Exact size)
{
    const BoundTruth *truth = context;
    Exact largest = exact_from_int(0);
    for (int kind = 0; kind < BOUND_KIND_COUNT; kind++) {
        Exact value = bound_exact(&truth->bounds->items[kind], parameters, size);
        if (truth->claim->bounds[kind] && exact_compare(value, largest) > 0)
            largest = value;
    }
    return largest;
}

const Rivals *rivals_find(const Judge *judge, const Place *place)
{
    AlgorithmArray algorithms = {0};
    Rivals *rivals = ARENA_NEW(judge->scratch, Rivals);
    const Shape *shape = &place->network->shape;
    VerdictChoice choices[VERDICT_CHOICES];
    *rivals = (Rivals){0};
    if (!library_algorithms(judge->library, judge->collective, &algorithms, judge->diag))
        return NULL;
    Diag silent = diag_silent();
    for (size_t i = 0; i < algorithms.count; i++) {
        const Algorithm *algorithm = algorithms.items[i];
        if (!schedule_try(algorithm, shape, place->point.ports))
            continue;
        int count = verdict_choices(judge->scratch, algorithm, shape, place->point.ports, choices);
        for (int c = 0; c < count; c++) {
            ClaimPoint point = place->point;
            point.k = choices[c].k;
            point.branches = choices[c].branches;
            const Instance instance = claim_instance(algorithm, shape, &point);
            Rival rival = {.name = algorithm_full_name(judge->arena, algorithm)};
            if (profile_derive(judge->scratch, &instance, place->network, &place->rules,
                               &rival.profile, &silent))
                *ARRAY_PUSH(judge->scratch, rivals) = rival;
        }
    }
    return rivals;
}

/* Does it cost what the formula says, by each parameter that the formula has? */
static bool reaches(const Place *place, const Exact *claimed, const Profile *profile)
{
    for (int v = 0; v < PARAMETER_COUNT; v++)
        if (claimed[v].real != 0 &&
            !exact_equal(claimed[v],
                         profile_time_exact(profile, &place->vectors[v], place->sizes[v])))
            return false;
    return true;
}

static void note_tightness(const Trial *trial, const Rivals *rivals, const BoundSet *bounds)
{
    Verdict *verdict = trial->verdict;
    const Place *place = trial->place;
    Exact claimed[PARAMETER_COUNT];
    bool is_reached = false;
    for (int v = 0; v < PARAMETER_COUNT; v++)
        if (!claim_exact(trial->claim, &place->point, &place->vectors[v], place->sizes[v],
                         &claimed[v]))
            return;
    for (size_t i = 0; i < rivals->count && !is_reached; i++)
        is_reached = reaches(place, claimed, &rivals->items[i].profile);
    verdict->places++;
    verdict->reached += is_reached;
    for (int kind = 0; kind <= BOUND_CUT; kind++) {
        const Bound *bound = &bounds->items[kind];
        const Parameter v = bound_parameter((BoundKind)kind);
        const double own = bound_exact(bound, &place->vectors[v], place->sizes[v]).real;
        if (claimed[v].real > 0 && own / claimed[v].real > verdict->weakness) {
            verdict->weakness = own / claimed[v].real;
            verdict->weak_at = arena_printf(
                trial->judge->arena, "the %s bound is up to %.3g times as much: %s",
                bound_names[kind], verdict->weakness, judge_show_place(trial->judge, place));
        }
    }
}

void judge_lower_bound(const Trial *trial, const Rivals *rivals)
{
    BoundSet bounds;
    const BoundTruth truth = {&bounds, trial->claim};
    if (!compute_bounds(trial, &bounds))
        return;
    if (!trial->claim->is_lower) {
        judge_compare_times(trial, bound_truth, &truth, "the bound is");
        return;
    }
    for (size_t i = 0; i < rivals->count && trial->verdict->holds; i++)
        judge_compare_times(trial, judge_profile_truth, &rivals->items[i].profile,
                            arena_printf(trial->judge->arena, "%s takes", rivals->items[i].name));
    if (trial->verdict->holds && trial->place->point.p > 1)
        note_tightness(trial, rivals, &bounds);
}
