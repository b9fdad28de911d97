#include "cost/verdict.h"

#include "cost/bound.h"
#include "cost/claim.h"
#include "cost/derive.h"
#include "cost/verdict_grid.h"
#include "net/measure.h"

#include <string.h>

enum {
    LARGEST_P_OTHER_PORTS = 17,
    LARGEST_P_LIMIT = 17,
    MIXTURE_COUNT = 3,
    VECTOR_COUNT = PARAMETER_COUNT + MIXTURE_COUNT
};

/* The point of the grid at hand. */
typedef struct {
    const char *topology;
    const Network *network;
    ClaimPoint point;
    Rules rules;
    ExactParameters vectors[VECTOR_COUNT]; /* one parameter each, then mixtures */
    Exact sizes[VECTOR_COUNT];             /* m; mixtures have another one */
} Place;

typedef struct {
    Arena *arena;   /* for counterexamples */
    Arena *scratch; /* for one place */
    Library *library;
    const Algorithm *algorithm; /* or NULL */
    const Collective *collective;
    const ClaimList *claims;
    Verdict *verdicts;
    int64_t largest_p;
    Diag *diag;
} Judge;

/* Parameters that the claim's source does not know are zero. */
static ExactParameters restrict_to(const ExactParameters *vector, const Claim *claim)
{
    ExactParameters restricted = *vector;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!claim_counts(claim, (Parameter)i))
            restricted.parameters[i] = exact_from_int(0);
    return restricted;
}

/* In each mixture another parameter outweighs the others. */
static void set_place(Place *place)
{
    static const int64_t mixtures[MIXTURE_COUNT][PARAMETER_COUNT] = {
        {7, 11, 5, 3}, {7, 11000003, 5, 3}, {5000011, 11, 5, 3}};
    for (int v = 0; v < VECTOR_COUNT; v++) {
        int mixture = v - PARAMETER_COUNT;
        place->sizes[v] = exact_from_int(place->point.k * place->point.p * (mixture < 0 ? 12 : 35));
        for (int i = 0; i < PARAMETER_COUNT; i++)
            place->vectors[v].parameters[i] =
                exact_from_int(mixture < 0 ? v == i : mixtures[mixture][i]);
    }
}

/* "2 ts + 7/8 m tw" from the values at the unit vectors. */
static const char *show_coefficients(Judge *judge, const Place *place, const Exact *values)
{
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        bool per_byte = parameter_info[i].dimension.bytes != 0;
        Exact coefficient = per_byte ? exact_divide(values[i], place->sizes[0]) : values[i];
        if (coefficient.real == 0)
            continue;
        bool one = coefficient.exact && coefficient.numerator == 1 && coefficient.denominator == 1;
        text = arena_printf(judge->arena, "%s%s%s%s%s%s", text, *text ? " + " : "",
                            one ? "" : exact_show(judge->arena, coefficient), one ? "" : " ",
                            per_byte ? "m " : "", parameter_info[i].name);
    }
    return *text ? text : "0";
}

static const char *show_place(Judge *judge, const Place *place)
{
    const ClaimPoint *point = &place->point;
    const char *text =
        place->network->shape.count > 1
            ? arena_printf(judge->arena, "%s", place->network->name)
            : arena_printf(judge->arena, "%s, p = %lld", place->topology, (long long)point->p);
    if (judge->collective->rooted && point->root)
        text = arena_printf(judge->arena, "%s, root = %lld", text, (long long)point->root);
    if (judge->collective->targeted)
        text = arena_printf(judge->arena, "%s, target = %lld", text, (long long)point->target);
    if (judge->algorithm && judge->algorithm->free_chunks && point->k > 1)
        text = arena_printf(judge->arena, "%s, k = %lld", text, (long long)point->k);
    if (point->ports != 1)
        text = arena_printf(judge->arena, "%s, d = %lld", text, (long long)point->ports);
    if (place->rules.switching != SWITCHING_CUT_THROUGH)
        text = arena_printf(judge->arena, "%s, %s", text, switching_names[place->rules.switching]);
    return text;
}

static void refute(Judge *judge, Verdict *verdict, const Place *place, const char *claimed,
                   const char *found_by, const char *found)
{
    verdict->holds = false;
    verdict->counterexample = arena_printf(judge->arena, "%s: claimed %s, %s %s",
                                           show_place(judge, place), claimed, found_by, found);
}

/* "ts = 7, th = 11, tw = 5, tc = 3, m = 35" */
static const char *show_vector(Judge *judge, const Place *place, int v)
{
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++)
        text = arena_printf(judge->arena, "%s%s = %s, ", text, parameter_info[i].name,
                            exact_show(judge->arena, place->vectors[v].parameters[i]));
    return arena_printf(judge->arena, "%sm = %s", text, exact_show(judge->arena, place->sizes[v]));
}

/* What a formula is compared with, at one vector of parameters. */
typedef Exact (*Truth)(const void *context, const ExactParameters *parameters, Exact size);

static void compare_formula(Judge *judge, const Claim *claim, Verdict *verdict, const Place *place,
                            Truth truth, const void *context, const char *found_by)
{
    Exact claimed[VECTOR_COUNT], found[VECTOR_COUNT];
    bool equal = true;
    Diag silent = diag_silent();
    for (int v = 0; v < VECTOR_COUNT; v++) {
        ExactParameters parameters = restrict_to(&place->vectors[v], claim);
        found[v] = truth(context, &parameters, place->sizes[v]);
    }
    for (int v = 0; v < VECTOR_COUNT; v++) {
        ExactParameters parameters = restrict_to(&place->vectors[v], claim);
        if (!claim_exact(claim, &place->point, &parameters, place->sizes[v], &claimed[v],
                         &silent)) {
            refute(judge, verdict, place, "something that has no value here", found_by,
                   show_coefficients(judge, place, found));
            return;
        }
        equal &= exact_equal(claimed[v], found[v]);
        verdict->cases++;
    }
    if (equal)
        return;
    const char *left = show_coefficients(judge, place, claimed);
    const char *right = show_coefficients(judge, place, found);
    int v = PARAMETER_COUNT;
    while (v + 1 < VECTOR_COUNT && exact_equal(claimed[v], found[v]))
        v++;
    if (strcmp(left, right) == 0) {
        left = arena_printf(judge->arena, "%s for %s", exact_show(judge->arena, claimed[v]),
                            show_vector(judge, place, v));
        right = exact_show(judge->arena, found[v]);
    }
    refute(judge, verdict, place, left, found_by, right);
}

static Exact profile_truth(const void *context, const ExactParameters *parameters, Exact size)
{
    return profile_time_exact(context, parameters, size);
}

static const char *show_blocks(Judge *judge, const Place *place, Exact bytes)
{
    return arena_printf(judge->arena, "%s m",
                        exact_show(judge->arena, exact_divide(bytes, place->sizes[0])));
}

static void compare_messages(Judge *judge, const Claim *claim, Verdict *verdict, Place *place,
                             const Profile *profile)
{
    Diag silent = diag_silent();
    Exact per_block = exact_divide(place->sizes[0], exact_from_int(profile->chunks));
    ExactParameters none = {
        {exact_from_int(0), exact_from_int(0), exact_from_int(0), exact_from_int(0)}};
    for (int64_t j = 1; j <= profile->startups && verdict->holds; j++) {
        place->point.j = j;
        Exact claimed = {0};
        Exact found = exact_multiply(per_block, exact_from_int(profile_message(profile, j)));
        bool valued = claim_exact(claim, &place->point, &none, place->sizes[0], &claimed, &silent);
        verdict->cases++;
        if (valued && exact_equal(claimed, found))
            continue;
        const char *said =
            valued ? show_blocks(judge, place, claimed) : "something without a value";
        refute(judge, verdict, place,
               arena_printf(judge->arena, "%s in round %lld", said, (long long)j), "derived",
               show_blocks(judge, place, found));
    }
}

/* The time for k chunks, ts = th = 0, is L + C / k if three values of k agree on L and C. */
typedef struct {
    Profile at_8, at_16, at_32;
} LimitProfiles;

static Exact extrapolate(const Profile *at_k, const Profile *at_2k,
                         const ExactParameters *parameters, Exact size)
{
    Exact twice = exact_multiply(exact_from_int(2), profile_time_exact(at_2k, parameters, size));
    return exact_subtract(twice, profile_time_exact(at_k, parameters, size));
}

static Exact limit_truth(const void *context, const ExactParameters *parameters, Exact size)
{
    const LimitProfiles *profiles = context;
    ExactParameters rates = *parameters;
    rates.parameters[PARAMETER_TS] = rates.parameters[PARAMETER_TH] = exact_from_int(0);
    Exact first = extrapolate(&profiles->at_8, &profiles->at_16, &rates, size);
    Exact second = extrapolate(&profiles->at_16, &profiles->at_32, &rates, size);
    return exact_equal(first, second) ? first : exact_from_double(-1);
}

static void compare_limit(Judge *judge, const Claim *claim, Verdict *verdict, const Place *place)
{
    LimitProfiles profiles;
    Profile *const targets[3] = {&profiles.at_8, &profiles.at_16, &profiles.at_32};
    if (place->point.k != 1 || place->point.p > LARGEST_P_LIMIT)
        return;
    for (int i = 0; i < 3; i++) {
        Instance instance = {judge->algorithm,   place->point.p,         place->point.root,  8 << i,
                             place->point.ports, &place->network->shape, place->point.target};
        if (!profile_derive(judge->scratch, &instance, place->network, &place->rules, targets[i],
                            judge->diag))
            return;
    }
    compare_formula(judge, claim, verdict, place, limit_truth, &profiles, "the derived limit is");
}

static bool compute_bounds(Judge *judge, const Place *place, BoundSet *bounds)
{
    Contract contract;
    if (!contract_create_to(judge->scratch, judge->collective, place->point.p, place->point.root,
                            place->point.target, &contract, judge->diag))
        return false;
    bounds_compute(judge->scratch, &contract, place->network, &place->rules, bounds);
    return true;
}

/* Each bound by itself: the algorithm's cost in the parameter of the bound, others zero. */
static void compare_reached(Judge *judge, const Claim *claim, Verdict *verdict, const Place *place,
                            const Profile *profile)
{
    BoundSet bounds;
    if (!compute_bounds(judge, place, &bounds))
        return;
    for (int kind = 0; kind < BOUND_KIND_COUNT && verdict->holds; kind++) {
        if (!claim->bounds[kind])
            continue;
        Parameter parameter = bound_parameter((BoundKind)kind);
        const ExactParameters *unit = &place->vectors[parameter];
        Exact bound = bound_exact(&bounds.items[kind], unit, place->sizes[0]);
        Exact costs[PARAMETER_COUNT];
        for (int i = 0; i < PARAMETER_COUNT; i++)
            costs[i] = exact_from_int(0);
        costs[parameter] = profile_time_exact(profile, unit, place->sizes[0]);
        verdict->cases++;
        if (!exact_equal(bound, costs[parameter]))
            refute(judge, verdict, place,
                   arena_printf(judge->arena, "the %s bound %s", bound_names[kind],
                                bound_formula(judge->arena, &bounds.items[kind])),
                   "derived", show_coefficients(judge, place, costs));
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

static void judge_bound(Judge *judge, const Claim *claim, Verdict *verdict, const Place *place)
{
    BoundSet bounds;
    BoundTruth truth = {&bounds, claim};
    if (compute_bounds(judge, place, &bounds))
        compare_formula(judge, claim, verdict, place, bound_truth, &truth, "the bound is");
}

static void judge_claim(Judge *judge, const Claim *claim, Verdict *verdict, Place *place,
                        const Profile *profile)
{
    switch (claim->kind) {
    case CLAIM_TIME:
        compare_formula(judge, claim, verdict, place, profile_truth, profile, "derived");
        break;
    case CLAIM_MESSAGE:
        compare_messages(judge, claim, verdict, place, profile);
        break;
    case CLAIM_LIMIT:
        compare_limit(judge, claim, verdict, place);
        break;
    case CLAIM_REACHES:
        compare_reached(judge, claim, verdict, place, profile);
        break;
    case CLAIM_BOUND:
        judge_bound(judge, claim, verdict, place);
        break;
    }
}

/* Where every way has one link, both modes cost the same and one stands for both. */
static bool has_one_mode(const Judge *judge, const Place *place)
{
    return !judge->algorithm || place->network->topology->direct;
}

static bool is_open(const Judge *judge, size_t i, const Place *place)
{
    const Claim *claim = &judge->claims->items[i];
    Diag silent = diag_silent();
    bool speaks = has_one_mode(judge, place) || claim->switching[place->rules.switching];
    return speaks && judge->verdicts[i].holds && claim_is_on(claim, place->topology) &&
           claim_applies(claim, &place->point, &silent);
}

static bool judge_mode(Judge *judge, Place *place)
{
    Profile profile = {0};
    bool any = false, good = true;
    for (size_t i = 0; i < judge->claims->count; i++)
        any |= is_open(judge, i, place);
    if (!any)
        return true;
    ArenaMark mark = arena_mark(judge->scratch);
    if (judge->algorithm) {
        Instance instance = {judge->algorithm,   place->point.p,     place->point.root,
                             place->point.k,     place->point.ports, &place->network->shape,
                             place->point.target};
        good = profile_derive(judge->scratch, &instance, place->network, &place->rules, &profile,
                              judge->diag);
    }
    for (size_t i = 0; good && i < judge->claims->count; i++)
        if (is_open(judge, i, place))
            judge_claim(judge, &judge->claims->items[i], &judge->verdicts[i], place, &profile);
    arena_release(judge->scratch, mark);
    return good;
}

static bool judge_place(Judge *judge, Place *place)
{
    int modes = has_one_mode(judge, place) ? 1 : 2;
    set_place(place);
    for (int mode = 0; mode < modes; mode++) {
        place->rules = (Rules){.ports = place->point.ports, .switching = (Switching)mode};
        if (!judge_mode(judge, place))
            return false;
    }
    return true;
}

/* The targets tried for the root at hand: those of verdict_roots, and the farthest. */
static int list_targets(const Judge *judge, const Place *place, int64_t targets[5])
{
    int64_t root = place->point.root, farthest = -1;
    int count = verdict_roots(judge->collective->targeted, place->point.p, targets);
    if (judge->collective->targeted && network_farthest(place->network, &root, &farthest))
        targets[count++] = farthest;
    return count;
}

/* All targets and numbers of chunks for the root at hand. */
static bool judge_root(Judge *judge, Place *place)
{
    int64_t targets[5], chunks[5];
    int target_count = list_targets(judge, place, targets);
    int chunk_count = verdict_chunks(judge->algorithm && judge->algorithm->free_chunks, chunks);
    for (int t = 0; t < target_count; t++)
        for (int k = 0; k < chunk_count; k++) {
            place->point.target = targets[t];
            place->point.k = chunks[k];
            if (!judge_place(judge, place))
                return false;
        }
    return true;
}

/* All roots for the ports at hand. */
static bool judge_ports(Judge *judge, Place *place)
{
    int64_t roots[4];
    int root_count = verdict_roots(judge->collective->rooted, place->point.p, roots);
    if (judge->algorithm && !schedule_allows(judge->algorithm, &place->network->shape,
                                             place->point.ports, NULL, judge->diag))
        return true;
    for (int r = 0; r < root_count; r++) {
        place->point.root = roots[r];
        if (!judge_root(judge, place))
            return false;
    }
    return true;
}

/* As many as every rank has links, if that is more than are tried anyway; else 0. */
static int64_t all_ports(const Network *network, int64_t most)
{
    int64_t ports = network_degree(network, 0);
    for (int64_t r = 0; network->starts && r < network->p; r++)
        if (network_degree(network, r) != ports || network_arrivals(network, r) != ports)
            return 0;
    return ports > most && !network->topology->direct ? ports : 0;
}

static bool judge_network(Judge *judge, Place *place)
{
    int64_t most = place->point.p > LARGEST_P_OTHER_PORTS ? 2 : 3;
    int64_t all = all_ports(place->network, most);
    for (int64_t ports = 1; ports <= most; ports++) {
        place->point.ports = ports;
        if (!judge_ports(judge, place))
            return false;
    }
    place->point.ports = all;
    return !all || judge_ports(judge, place);
}

static bool judge_on(Judge *judge, const Topology *topology)
{
    bool concerned = false, good = true;
    ShapeArray shapes = {0};
    for (size_t i = 0; i < judge->claims->count; i++)
        concerned |= claim_is_on(&judge->claims->items[i], topology->head.name);
    ArenaMark mark = arena_mark(judge->scratch);
    if (concerned)
        verdict_shapes(judge->scratch, topology, judge->algorithm, judge->largest_p, &shapes);
    for (size_t i = 0; i < shapes.count && good; i++) {
        ArenaMark inner = arena_mark(judge->scratch);
        const Shape *shape = &shapes.items[i];
        Network network;
        Place place = {.topology = topology->head.name,
                       .network = &network,
                       .point = claim_point(shape, 0, 1, 1)};
        good = contract_buffer_blocks(judge->collective, shape->p, &place.point.buffer_blocks,
                                      judge->diag) &&
               network_create(judge->scratch, topology, shape, TIES_PLUS, &network, judge->diag) &&
               judge_network(judge, &place);
        arena_release(judge->scratch, inner);
    }
    arena_release(judge->scratch, mark);
    return good;
}

static bool judge_all(Judge *judge)
{
    bool good = true;
    judge->scratch = arena_create();
    for (size_t i = 0; i < judge->claims->count; i++)
        judge->verdicts[i] = (Verdict){true, 0, NULL};
    for (size_t i = 0; i < library_entry_count(judge->library) && good; i++) {
        const ModelEntry *entry = library_entry(judge->library, i);
        if (entry->kind != KIND_TOPOLOGY)
            continue;
        const Topology *topology = library_load(judge->library, entry, judge->diag);
        good = topology && judge_on(judge, topology);
    }
    arena_destroy(judge->scratch);
    return good;
}

bool verdicts_of_algorithm(Arena *arena, Library *library, const Algorithm *algorithm,
                           int64_t largest_p, Verdict *verdicts, Diag *diag)
{
    Judge judge = {.arena = arena,
                   .library = library,
                   .algorithm = algorithm,
                   .collective = algorithm->collective,
                   .claims = &algorithm->claims,
                   .verdicts = verdicts,
                   .largest_p = largest_p,
                   .diag = diag};
    return judge_all(&judge);
}

bool verdicts_of_collective(Arena *arena, Library *library, const Collective *collective,
                            int64_t largest_p, Verdict *verdicts, Diag *diag)
{
    Judge judge = {.arena = arena,
                   .library = library,
                   .collective = collective,
                   .claims = &collective->claims,
                   .verdicts = verdicts,
                   .largest_p = largest_p,
                   .diag = diag};
    return judge_all(&judge);
}
