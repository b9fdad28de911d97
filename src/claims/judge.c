#include "claims/judge.h"

#include "base/limits.h"
#include "claims/compare.h"
#include "claims/conditions.h"
#include "claims/grid.h"
#include "claims/verdicts.h"
#include "cost/derive.h"
#include "lang/show.h"
#include "model/claim.h"
#include "net/measure.h"
#include "sched/contract.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_READINGS = 32, FEW_SIZES = 4, USUAL_RANKS = 8, EXPLAINED_SIZE = 35 };
/* Of all sums of one formula, wherever it is evaluated. */
enum { MOST_TERMS = 32 * LIMIT_TERMS };

typedef struct {
    Arena *arena;
    Library *library;
    const Algorithm *algorithm;
    const SymbolList *symbols;
    Relation relation;
    const VerdictGrid *grid;
    Judgement *judgement;
    Diag *diag;
} Court;

static VerdictQuestion question_of(const Court *court)
{
    return (VerdictQuestion){.arena = court->arena,
                             .library = court->library,
                             .subject =
                                 court->grid->bounds
                                     ? (VerdictSubject){.collective = court->algorithm->collective}
                                     : (VerdictSubject){.algorithm = court->algorithm},
                             .grid = court->grid,
                             .diag = court->diag};
}

static ClaimSubject subject_of(const Algorithm *algorithm)
{
    return (ClaimSubject){.owner = WHOSE_ALGORITHM,
                          .rooted = algorithm->collective->rooted,
                          .has_chunks = algorithm->free_chunks,
                          .targeted = algorithm->collective->targeted,
                          .is_problem = algorithm->collective->problem != NULL,
                          .is_judged = true,
                          .branches = branching_names[algorithm->branching]};
}

static Expr *copy_of(Arena *arena, const Expr *expr)
{
    size_t room = SIZE_MAX;
    return expr ? expr_copy(arena, expr, 0, 0, &room) : NULL;
}

/* Compiles a reading as a claim about the time on the grid's topology. */
static bool make_claim(const Court *court, const Reading *reading, Claim *claim, Diag *diag)
{
    ClaimSubject subject = subject_of(court->algorithm);
    Expr *when = copy_of(court->arena, reading->when);
    if (!claim_compile(court->arena, subject, copy_of(court->arena, reading->formula), claim,
                       diag) ||
        (when && !claim_condition(court->arena, subject, when, claim, diag)))
        return false;
    if (court->relation == RELATION_AT_MOST && claim->kind == CLAIM_TIME)
        claim->kind = CLAIM_AT_MOST;
    claim->is_lower = court->relation == RELATION_AT_LEAST;
    claim->is_upper = court->relation == RELATION_AT_MOST;
    for (int kind = 0; kind < BOUND_KIND_COUNT && court->grid->bounds; kind++)
        claim->bounds[kind] = court->grid->bounds >> kind & 1;
    if (court->grid->bounds && claim->kind != CLAIM_TIME)
        return diag_error(diag, reading->formula->text.span, "a lower bound is a time");
    if (court->grid->bounds)
        claim->kind = CLAIM_BOUND;
    claim->is_approximate = court->relation == RELATION_APPROXIMATE;
    if (claim->is_approximate && claim->kind == CLAIM_TIME && court->algorithm->free_chunks &&
        !expr_uses(program_expr(claim->formula.program), CLAIM_K))
        claim->kind = CLAIM_LIMIT, claim->is_approximate = false;
    claim->on = &court->grid->on->head.name;
    claim->on_count = 1;
    return true;
}

/* The readings while they are collected. */
typedef struct {
    const Court *court;
    Reading first; /* whether it is a time or not */
} Collector;

static bool collect(void *context, const Reading *reading)
{
    Collector *collector = context;
    const Court *court = collector->court;
    JudgedReadingArray *readings = &court->judgement->readings;
    Diag silent = diag_silent();
    JudgedReading judged = {.reading = *reading,
                            .is_unusual = reading_is_unusual(court->symbols, reading)};
    if (!collector->first.formula)
        collector->first = *reading;
    if (make_claim(court, reading, &judged.claim, &silent))
        *ARRAY_PUSH(court->arena, readings) = judged;
    return readings->count < MOST_READINGS;
}

static bool find_verdicts(const Court *court, Claim *claims, size_t count, Verdict *verdicts)
{
    ClaimList list = {claims, count};
    const VerdictQuestion asked = question_of(court);
    return verdicts_find(&asked, &list, verdicts);
}

/* Each reading as an equation, and as an upper bound. */
static bool judge_readings(const Court *court)
{
    JudgedReadingArray *readings = &court->judgement->readings;
    ClaimList claims = {ARENA_ARRAY(court->arena, Claim, 2 * readings->count), 2 * readings->count};
    Verdict *verdicts = ARENA_ARRAY(court->arena, Verdict, claims.count);
    const VerdictQuestion asked = question_of(court);
    for (size_t i = 0; i < readings->count; i++) {
        Claim *own = &claims.items[2 * i];
        own[0] = own[1] = readings->items[i].claim;
        own[1].is_approximate = false;
        if (own[1].kind == CLAIM_TIME)
            own[1].kind = CLAIM_AT_MOST;
        if (court->grid->bounds) /* no cost that it could be an upper bound of */
            own[1].on_count = 0;
    }
    if (!verdicts_find_printed(&asked, &claims, verdicts))
        return false;
    for (size_t i = 0; i < readings->count; i++) {
        readings->items[i].claim = claims.items[2 * i];
        readings->items[i].verdict = verdicts[2 * i];
        readings->items[i].at_most = verdicts[2 * i + 1];
    }
    return true;
}

/* The first that is as good as this, in both ways of switching if so wanted; without a case nothing
   is known. */
static JudgedReading *find_reading(const Judgement *judgement, bool unusual, Outcome wanted,
                                   bool both)
{
    for (size_t i = 0; i < judgement->readings.count; i++) {
        JudgedReading *judged = &judgement->readings.items[i];
        const Verdict *verdict = &judged->verdict;
        if (judged->is_unusual == unusual && (verdict->cases > 0 || !verdict->holds) &&
            verdict_outcome(verdict) <= wanted && !(both && verdict->switching >= 0))
            return judged;
    }
    return NULL;
}

static bool choose(const Court *court)
{
    Judgement *judgement = court->judgement;
    static const Outcome wanted[] = {OUTCOME_HOLDS, OUTCOME_NEGLECTING, OUTCOME_APPROXIMATE};
    for (int attempt = 0; attempt < 6 && !judgement->chosen; attempt++)
        judgement->chosen = find_reading(judgement, false, wanted[attempt / 2], attempt % 2 == 0);
    if (judgement->chosen && judgement->chosen->verdict.holds)
        return true;
    judgement->otherwise = find_reading(judgement, true, OUTCOME_HOLDS, true);
    JudgedReading *near = find_reading(judgement, true, OUTCOME_NEGLECTING, true);
    if (!judgement->otherwise && near && near->verdict.holds)
        judgement->otherwise = near;
    for (int unusual = 0; unusual < 2 && !judgement->chosen; unusual++)
        judgement->chosen = find_reading(judgement, unusual, OUTCOME_WRONG, false);
    if (!judgement->chosen)
        diag_error(
            court->diag, NOWHERE,
            "there is nothing to compare: %s does not run there, or the formula does not cover it",
            algorithm_full_name(court->arena, court->algorithm));
    return judgement->chosen != NULL;
}

/* A claim under conditions. */
typedef struct {
    const JudgedReading *of;
    const Condition *conditions[2];
    size_t count;
} Tried;
ARRAY_TYPE(TriedArray, Tried);
ARRAY_TYPE(ClaimArray, Claim);

static void try_conditions(const Court *court, const Tried *tried, TriedArray *all,
                           ClaimArray *claims)
{
    Claim claim = tried->of->claim;
    if (all->count == MOST_TRIED || (court->grid->bounds && tried->conditions[0]->neglected >= 0) ||
        !conditions_add(court->arena, subject_of(court->algorithm), tried->of->reading.when,
                        tried->conditions, tried->count, &claim))
        return;
    *ARRAY_PUSH(court->arena, all) = *tried;
    *ARRAY_PUSH(court->arena, claims) = claim;
}

static int64_t fair_number_of_sizes(const VerdictGrid *grid)
{
    return grid->shapes && grid->shape_count < FEW_SIZES ? 1 : FEW_SIZES;
}

static bool seek_condition(const Court *court, bool pairs)
{
    Judgement *judgement = court->judgement;
    TriedArray tried = {0};
    ClaimArray claims = {0};
    for (size_t i = 0; i < judgement->readings.count; i++) {
        const JudgedReading *judged = &judgement->readings.items[i];
        if (!judged->is_unusual || !(pairs || judgement->otherwise)) {
            /* All conditions, or pairs of them, for one reading. */
            size_t count;
            const Condition *list = conditions_list(court->arena, &count);
            for (size_t n = 0; n < count; n++) {
                Tried single = {judged, {&list[n], NULL}, 1};
                if (!pairs)
                    try_conditions(court, &single, &tried, &claims);
                for (size_t j = n + 1; j < count && pairs; j++) {
                    Tried pair = {judged, {&list[n], &list[j]}, 2};
                    try_conditions(court, &pair, &tried, &claims);
                }
            }
        }
    }
    Verdict *verdicts = ARENA_ARRAY(court->arena, Verdict, claims.count + 1);
    if (!find_verdicts(court, claims.items, claims.count, verdicts))
        return false;
    /* The one that holds in the most cases, the usual readings before the others; or NULL. */
    const Tried *widest = NULL;
    for (size_t i = 0; i < tried.count; i++) {
        const Tried *candidate = &tried.items[i];
        if (!verdicts[i].holds || verdicts[i].sizes < fair_number_of_sizes(court->grid))
            continue;
        bool unusual = candidate->of->is_unusual, before = widest && widest->of->is_unusual;
        if (!widest || before > unusual ||
            (before == unusual && verdicts[i].cases > verdicts[widest - tried.items].cases))
            widest = candidate;
    }
    if (!widest)
        return true;
    const Expr *when = widest->of->reading.when;
    const char *text = arena_printf(court->arena, "%s%s%s%s%s",
                                    when ? expr_show(court->arena, when) : "", when ? " and " : "",
                                    widest->conditions[0]->text, widest->count > 1 ? " and " : "",
                                    widest->count > 1 ? widest->conditions[1]->text : "");
    judgement->condition =
        (HoldingCondition){text, widest->of, verdicts[widest - tried.items].cases};
    return true;
}

static bool seek_conditions(const Court *court)
{
    const JudgedReading *chosen = court->judgement->chosen;
    if (chosen->verdict.fails_alone && !chosen->reading.when) {
        court->judgement->condition = (HoldingCondition){"p > 1", chosen, chosen->verdict.cases};
        return true;
    }
    return seek_condition(court, false) &&
           (court->judgement->condition.text || seek_condition(court, true));
}

/* Is a time that is wrong as a whole that of each round, or of some rounds of which the claims of
   the model speak? Is what is no message of a round the traffic of all? */
static bool seek_part(const Court *court)
{
    Judgement *judgement = court->judgement;
    const ClaimList *own = claims_all(&court->algorithm->claims);
    const bool is_time = judgement->chosen->claim.kind == CLAIM_TIME;
    const size_t count = judgement->readings.count;
    const bool is_whole = is_time || judgement->chosen->claim.kind == CLAIM_MESSAGE;
    const size_t tried =
        is_whole && !court->grid->bounds ? (is_time ? own->count + 1 : 1) * count : 0;
    const Claim **whose = ARENA_ARRAY(court->arena, const Claim *, tried + 1);
    ClaimArray claims = {0};
    for (size_t i = 0; i < tried; i++) {
        const Claim *like = i < count ? NULL : &own->items[i / count - 1];
        if (like && !(like->first.program && like->kind == CLAIM_TIME &&
                      claim_is_on(like, court->grid->on->head.name)))
            continue;
        whose[claims.count] = like;
        Claim *claim = ARRAY_PUSH(court->arena, &claims);
        *claim = judgement->readings.items[i % count].claim;
        claim->kind = like ? CLAIM_TIME : is_time ? CLAIM_STEP : CLAIM_TRAFFIC;
        if (like)
            claim->first = like->first, claim->last = like->last;
    }
    Verdict *verdicts = ARENA_ARRAY(court->arena, Verdict, claims.count + 1);
    const ClaimList list = {claims.items, claims.count};
    const VerdictQuestion asked = question_of(court);
    if (!verdicts_find_printed(&asked, &list, verdicts))
        return false;
    for (size_t i = 0; i < claims.count && !judgement->part; i++)
        if ((verdicts[i].holds || verdicts[i].fails_alone) &&
            (verdicts[i].sizes > 1 || fair_number_of_sizes(court->grid) == 1))
            judgement->part =
                whose[i]
                    ? arena_printf(court->arena, "the time of rounds %s to %s",
                                   expr_show(court->arena, program_expr(whose[i]->first.program)),
                                   expr_show(court->arena, program_expr(whose[i]->last.program)))
                : is_time ? "the time of each round"
                          : claim_info[CLAIM_TRAFFIC].words;
    return true;
}

/* Which terms of a refuted formula are right? */
static bool judge_terms(const Court *court)
{
    Judgement *judgement = court->judgement;
    const Claim *whole = &judgement->chosen->claim;
    Claim claims[PARAMETER_COUNT];
    Verdict verdicts[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        claims[i] = *whole;
        for (int j = 0; j < PARAMETER_COUNT; j++)
            claims[i].neglects[j] |= j != i;
    }
    if (!find_verdicts(court, claims, PARAMETER_COUNT, verdicts))
        return false;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        judgement->terms[i] = whole->neglects[i]  ? TERM_ABSENT
                              : verdicts[i].holds ? TERM_HOLDS
                                                  : TERM_REFUTED;
    return true;
}

/* Can this place be an example of what the claim says? */
static bool is_example(const Court *court, const Claim *claim, const VerdictPlace *at)
{
    return claim->switching[at->switching] && claim_applies(claim, &at->point) &&
           schedule_try(court->algorithm, &at->shape, at->point.ports);
}

/* The farthest of the targets is the last one. */
static bool set_point(const Court *court, const Shape *shape, VerdictPlace *at)
{
    const VerdictGrid *grid = court->grid;
    const Collective *collective = court->algorithm->collective;
    int64_t root = grid->root > 0 ? grid->root : 0, target = grid->target;
    at->shape = *shape;
    at->point = claim_point(shape, root, court->algorithm->free_chunks ? 3 : 1,
                            grid->ports > 0 ? grid->ports : 1);
    const Instance instance = claim_instance(court->algorithm, &at->shape, &at->point);
    at->point.branches = branches_of(&instance);
    at->point.order = collective->problem ? shape->p : 0;
    at->point.target = target >= 0 ? target : collective->targeted ? shape->p - 1 : 0;
    at->switching = grid->switching < 0 ? SWITCHING_CUT_THROUGH : (Switching)grid->switching;
    return root < shape->p && at->point.target < shape->p &&
           contract_buffer_blocks(collective, shape->p, &at->point.buffer_blocks, court->diag);
}

static Judge judge_of(const Court *court)
{
    return (Judge){.arena = court->arena,
                   .subject = {.algorithm = court->algorithm},
                   .collective = court->algorithm->collective};
}

/* The cost at a place. False after a report. */
static bool derive_place(const Court *court, const VerdictPlace *at, Network *network, Place *place,
                         Profile *profile)
{
    *place = (Place){.topology = court->grid->on->head.name,
                     .network = network,
                     .point = at->point,
                     .rules = verdict_rules(court->grid, at->point.ports, at->switching)};
    if (!network_create(court->arena, court->grid->on, &at->shape, TIES_PLUS, network, court->diag))
        return false;
    if (court->grid->farthest && court->algorithm->collective->targeted) {
        place->point.target = -1;
        network_farthest(network, &place->point.root, &place->point.target);
    }
    const Instance instance = claim_instance(court->algorithm, &network->shape, &place->point);
    judge_set_vectors(place);
    return profile_derive(court->arena, &instance, network, &place->rules, profile, court->diag);
}

static bool derive_example(const Court *court, const Claim *claim, const VerdictPlace *at,
                           DerivedExample *example)
{
    Network network;
    Profile profile;
    Place place;
    Exact values[VECTOR_COUNT];
    const Judge judge = judge_of(court);
    if (!derive_place(court, at, &network, &place, &profile))
        return false;
    for (int i = 0; i < place.vector_count; i++)
        values[i] = profile_time_exact(&profile, &place.vectors[i], place.sizes[0]);
    /* The costs of one parameter after the other may belong to different paths: then their sum is
       more than the time. */
    const ExactParameters *mixture = &place.vectors[PARAMETER_COUNT];
    Exact sum = exact_from_int(0);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        sum = exact_add(sum, exact_multiply(values[i], mixture->parameters[i]));
    if (place.point.order)
        sum = exact_add(sum, exact_multiply(values[MULTIPLY_VECTOR], mixture->multiply));
    const bool add_up = exact_equal(sum, profile_time_exact(&profile, mixture, place.sizes[0]));
    example->place = judge_show_place(&judge, &place);
    example->derived = arena_printf(court->arena, "%s%s", add_up ? "" : "at most ",
                                    judge_show_coefficients(&judge, &place, values));
    for (int i = 0; i < PARAMETER_COUNT + (place.point.order > 0); i++) {
        Exact only[VECTOR_COUNT];
        int own = i < PARAMETER_COUNT ? i : MULTIPLY_VECTOR;
        for (int j = 0; j < VECTOR_COUNT; j++)
            only[j] = j == own ? values[own] : exact_from_int(0);
        bool is_missing = claim->neglects[i] && values[own].real != 0;
        example->missing[i] = is_missing ? judge_show_coefficients(&judge, &place, only) : NULL;
    }
    return true;
}

/* At the counterexample, else at an example; there may be none. */
static bool show_derived(const Court *court)
{
    Judgement *judgement = court->judgement;
    const JudgedReading *chosen = judgement->chosen;
    VerdictPlace found = chosen->verdict.place;
    if (!chosen->verdict.holds || chosen->verdict.error != 0)
        return derive_example(court, &chosen->claim, &found, &judgement->example);
    /* Some 8 ranks, if the claim speaks of so many. */
    const ShapeArray shapes =
        verdict_grid_shapes(court->arena, court->grid, court->grid->on, court->algorithm);
    bool any = false;
    for (size_t i = 0; i < shapes.count; i++) {
        VerdictPlace at;
        const bool nearer =
            !any || llabs(shapes.items[i].p - USUAL_RANKS) < llabs(found.shape.p - USUAL_RANKS);
        if (!nearer || !set_point(court, &shapes.items[i], &at) ||
            !is_example(court, &chosen->claim, &at))
            continue;
        found = at;
        any = true;
    }
    return !any || derive_example(court, &chosen->claim, &found, &judgement->example);
}

/* Appends both sides at one place. False after a report. */
static bool add_side(const Court *court, const VerdictPlace *at)
{
    Network network;
    Profile profile;
    Place place;
    JudgedSide side;
    Judgement *judgement = court->judgement;
    Judge judge = judge_of(court);
    const Claim *claim = &judgement->chosen->claim;
    if (!derive_place(court, at, &network, &place, &profile))
        return false;
    place.sizes[PARAMETER_COUNT] = exact_from_int(EXPLAINED_SIZE); /* the same for all ranks */
    if (!judge_find_side(&(Trial){.judge = &judge, .claim = claim, .place = &place}, &profile,
                         &side))
        return true;
    *ARRAY_PUSH(court->arena, &judgement->sides) = side;
    judgement->differs |= side.differ;
    const Claim *own =
        judge_own_claim(court->algorithm, claim, place.topology, (int)at->switching, &place.point);
    if (own && side.differ)
        judgement->own = claim_formula(court->arena, own);
    return true;
}

static Court court_of(const VerdictQuestion *asked, Judgement *judgement)
{
    return (Court){.arena = asked->arena,
                   .library = asked->library,
                   .algorithm = asked->subject.algorithm,
                   .grid = asked->grid,
                   .judgement = judgement,
                   .diag = asked->diag};
}

bool judge_explain(const VerdictQuestion *asked, Judgement *judgement)
{
    Court court = court_of(asked, judgement);
    const JudgedReading *chosen = judgement->chosen;
    const VerdictPlace *like = &chosen->verdict.place;
    const ShapeArray shapes =
        verdict_grid_shapes(court.arena, asked->grid, asked->grid->on, court.algorithm);
    int64_t last = 0;
    VerdictGrid own = *asked->grid;
    if (like->shape.p > 0) { /* what is open at the counterexample is open no more */
        own.root = like->point.root;
        own.target = court.algorithm->collective->targeted ? like->point.target : -1;
        own.ports = own.most_ports = like->point.ports;
        own.switching = (int)like->switching;
    }
    court.grid = &own;
    for (size_t i = 0; i < shapes.count; i++) {
        const Shape *shape = &shapes.items[i];
        VerdictPlace at;
        if (shape->p <= last || (like->shape.p && shape->count != like->shape.count) ||
            !set_point(&court, shape->p == like->shape.p ? &like->shape : shape, &at) ||
            !is_example(&court, &chosen->claim, &at))
            continue;
        last = shape->p;
        at.point.k = like->shape.p ? like->point.k : at.point.k;
        if (!add_side(&court, &at))
            return false;
    }
    return true;
}

const char *judgement_words(Arena *arena, const Judgement *judgement)
{
    const Verdict *verdict = &judgement->chosen->verdict;
    if (judgement->outcome == OUTCOME_APPROXIMATE && verdict->large_error == 0)
        return arena_printf(arena, "approximate, exact for large m, else off by up to %.3g %%",
                            100 * verdict->error);
    if (judgement->outcome == OUTCOME_APPROXIMATE && verdict->far_errors[1] >= 0)
        return arena_printf(arena, "approximate, off by up to %.3g %%, by %.3g %% for 4096 ranks",
                            100 * verdict->error, 100 * verdict->far_errors[0]);
    if (judgement->outcome == OUTCOME_APPROXIMATE)
        return arena_printf(
            arena, "approximate, off by %.3g %% for more than 32 ranks, else by up to %.3g %%",
            100 * verdict->many_error, 100 * verdict->error);
    return verdict->holds ? verdict_words(arena, verdict) : outcome_info[judgement->outcome].word;
}

bool judge_formula(const VerdictQuestion *asked, const EquationPart *part,
                   const SymbolList *symbols, Judgement *judgement)
{
    VerdictGrid counted = *asked->grid;
    const VerdictGrid *grid = &counted;
    int64_t terms = MOST_TERMS;
    Court court = court_of(asked, judgement);
    Collector collector = {.court = &court};
    counted.terms = &terms;
    court.grid = grid;
    court.symbols = symbols;
    court.relation = part->relation;
    *judgement = (Judgement){.chosen = NULL};
    for (int apart = 1; apart >= 0 && judgement->readings.count == 0; apart--)
        readings_visit(asked->arena, part->formula, symbols, apart, collect, &collector);
    if (judgement->readings.count == 0) {
        /* Says why the default reading is no time. */
        Claim claim;
        size_t errors = court.diag->error_count;
        if (collector.first.formula)
            make_claim(&court, &collector.first, &claim, court.diag);
        if (court.diag->error_count == errors)
            diag_error(court.diag, part->formula->text.span, "this is not a time in any reading");
        else
            diag_note(court.diag, NOWHERE, "read as %s; no other reading is a time either",
                      expr_show(court.arena, collector.first.formula));
        return false;
    }
    if (!judge_readings(&court) || !choose(&court) ||
        !readings_check_same(symbols, judgement->chosen->reading.choices,
                             verdict_outcome(&judgement->chosen->verdict) != OUTCOME_WRONG,
                             court.diag))
        return false;
    bool holds = judgement->chosen->verdict.holds || grid->brief;
    judgement->is_measured = judgement->chosen->claim.is_approximate;
    if (!holds && !(judge_terms(&court) && seek_conditions(&court) && seek_part(&court)))
        return false;
    if (terms < 0)
        return diag_limit(court.diag, part->formula->text.span,
                          "this has too many terms where it is judged: -p names fewer ranks");
    const HoldingCondition *condition = &judgement->condition;
    if (condition->of == judgement->chosen && strcmp(condition->text, "p > 1") == 0)
        judgement->outcome = OUTCOME_ABOVE_ONE;
    else if (condition->of || judgement->otherwise)
        judgement->outcome = OUTCOME_CONDITION;
    else
        judgement->outcome = verdict_outcome(&judgement->chosen->verdict);
    const ClaimKind kind = judgement->chosen->claim.kind;
    return grid->brief || grid->bounds || (kind != CLAIM_TIME && kind != CLAIM_AT_MOST) ||
           show_derived(&court);
}
