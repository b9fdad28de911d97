#include "claims/compare.h"

#include "sched/contract.h"

#include <math.h>
#include <string.h>

/* Parameters that the claim's source does not know are zero. */
static ExactParameters restrict_to(const ExactParameters *vector, const Claim *claim)
{
    ExactParameters restricted = *vector;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!claim_counts(claim, (Parameter)i))
            restricted.parameters[i] = exact_from_int(0);
    if (claim->neglects[NEGLECTS_MULTIPLY])
        restricted.multiply = exact_from_int(0);
    return restricted;
}

/* In each mixture another parameter outweighs the others. */
void judge_set_vectors(Place *place)
{
    static const int64_t mixtures[MIXTURE_COUNT][PARAMETER_COUNT] = {
        {7, 11, 5, 3}, {7, 11000003, 5, 3}, {5000011, 11, 5, 3}};
    for (int v = 0; v < VECTOR_COUNT; v++) {
        int mixture = v == MULTIPLY_VECTOR ? -1 : v - PARAMETER_COUNT;
        place->sizes[v] = exact_from_int(place->point.k * place->point.p * (mixture < 0 ? 12 : 35));
        for (int i = 0; i < PARAMETER_COUNT; i++)
            place->vectors[v].parameters[i] =
                exact_from_int(mixture < 0 ? v == i : mixtures[mixture][i]);
        place->vectors[v].multiply = exact_from_int(mixture < 0 ? v == MULTIPLY_VECTOR : 13);
    }
    place->vector_count = place->point.order ? VECTOR_COUNT : MULTIPLY_VECTOR;
}

/* "TEXT + 7/8 m tw" */
static const char *add_term(Arena *arena, const char *text, Exact coefficient, const char *name)
{
    bool one = coefficient.exact && coefficient.numerator == 1 && coefficient.denominator == 1;
    return arena_printf(arena, "%s%s%s%s%s", text, *text ? " + " : "",
                        one ? "" : exact_show(arena, coefficient), one ? "" : " ", name);
}

const char *judge_show_coefficients(const Judge *judge, const Place *place, const Exact *values)
{
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        bool per_byte = parameter_info[i].dimension.bytes != 0;
        Exact coefficient = per_byte ? exact_divide(values[i], place->sizes[0]) : values[i];
        if (coefficient.real == 0)
            continue;
        const char *unit = !per_byte ? "" : place->point.order ? "word " : "m ";
        text = add_term(judge->arena, text, coefficient,
                        arena_printf(judge->arena, "%s%s", unit, parameter_info[i].name));
    }
    if (place->point.order && values[MULTIPLY_VECTOR].real != 0)
        text = add_term(judge->arena, text, values[MULTIPLY_VECTOR], "tm");
    return *text ? text : "0";
}

const char *judge_show_place(const Judge *judge, const Place *place)
{
    const ClaimPoint *point = &place->point;
    const char *text =
        place->network->shape.count > 1
            ? arena_printf(judge->arena, "%s", place->network->name)
            : arena_printf(judge->arena, "%s, p = %lld", place->topology, (long long)point->p);
    if (judge->collective && judge->collective->rooted && point->root)
        text = arena_printf(judge->arena, "%s, root = %lld", text, (long long)point->root);
    if (judge->collective && judge->collective->targeted)
        text = arena_printf(judge->arena, "%s, target = %lld", text, (long long)point->target);
    if (judge->subject.algorithm && judge->subject.algorithm->free_chunks && point->k > 1)
        text = arena_printf(judge->arena, "%s, k = %lld", text, (long long)point->k);
    if (judge->subject.algorithm && judge->subject.algorithm->branching)
        text = arena_printf(judge->arena, "%s, %s = %lld", text,
                            branching_names[judge->subject.algorithm->branching],
                            (long long)point->branches);
    if (point->order)
        text = arena_printf(judge->arena, "%s, n = %lld", text, (long long)point->order);
    if (judge->collective && point->ports != 1)
        text = arena_printf(judge->arena, "%s, d = %lld", text, (long long)point->ports);
    if (place->rules.switching != SWITCHING_CUT_THROUGH)
        text = arena_printf(judge->arena, "%s, %s", text, switching_names[place->rules.switching]);
    return text;
}

void judge_refute(const Trial *trial, const char *claimed, const char *found_by, const char *found)
{
    Verdict *verdict = trial->verdict;
    const Place *place = trial->place;
    verdict->holds = false;
    verdict->counterexample =
        arena_printf(trial->judge->arena, "%s: claimed %s, %s %s",
                     judge_show_place(trial->judge, place), claimed, found_by, found);
    verdict->claimed = claimed;
    verdict->place = (VerdictPlace){place->network->shape, place->point, place->rules.switching};
    verdict->place.point.terms = NULL;
}

/* "ts = 7, th = 11, tw = 5, tc = 3, m = 35", without what the claim neglects */
static const char *show_vector(const Trial *trial, int v)
{
    const Judge *judge = trial->judge;
    const Place *place = trial->place;
    const char *text = "";
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (claim_counts(trial->claim, (Parameter)i))
            text = arena_printf(judge->arena, "%s%s = %s, ", text, parameter_info[i].name,
                                exact_show(judge->arena, place->vectors[v].parameters[i]));
    if (place->point.order)
        text = arena_printf(judge->arena, "%stm = %s, ", text,
                            exact_show(judge->arena, place->vectors[v].multiply));
    return arena_printf(judge->arena, "%s%s = %s", text, place->point.order ? "word" : "m",
                        exact_show(judge->arena, place->sizes[v]));
}

/* Is what was found what the claim says, or within it? */
static bool agrees(const Claim *claim, Exact claimed, Exact found)
{
    return claim->is_lower ? exact_compare(found, claimed) >= 0
           : claim->kind == CLAIM_AT_MOST || claim->kind == CLAIM_DIAMETER_AT_MOST ||
                   claim->is_upper
               ? exact_compare(found, claimed) <= 0
               : exact_equal(claimed, found);
}

/* What is found and what the formula says at all vectors; false where it has no value. */
static bool evaluate(const Trial *trial, Truth truth, const void *context,
                     Exact claimed[VECTOR_COUNT], Exact found[VECTOR_COUNT])
{
    const Place *place = trial->place;
    bool valued = true;
    for (int v = 0; v < place->vector_count; v++) {
        ExactParameters parameters = restrict_to(&place->vectors[v], trial->claim);
        found[v] = truth(context, &parameters, place->sizes[v]);
        valued = valued && claim_exact(trial->claim, &place->point, &parameters, place->sizes[v],
                                       &claimed[v]);
    }
    return valued;
}

Exact judge_profile_truth(const void *context, const ExactParameters *parameters, Exact size)
{
    return profile_time_exact(context, parameters, size);
}

bool judge_find_side(const Trial *trial, const Profile *profile, JudgedSide *side)
{
    const Place *place = trial->place;
    Exact claimed[VECTOR_COUNT], found[VECTOR_COUNT];
    if (!evaluate(trial, judge_profile_truth, profile, claimed, found))
        return false;
    *side = (JudgedSide){.p = place->point.p,
                         .claimed = judge_show_coefficients(trial->judge, place, claimed),
                         .derived = judge_show_coefficients(trial->judge, place, found),
                         .claimed_value = claimed[PARAMETER_COUNT].real,
                         .derived_value = found[PARAMETER_COUNT].real,
                         .at = show_vector(trial, PARAMETER_COUNT)};
    for (int v = 0; v < place->vector_count; v++)
        side->differ |= !agrees(trial->claim, claimed[v], found[v]);
    return true;
}

static void refute_time(const Trial *trial, const Exact *claimed, const Exact *found,
                        const char *found_by, int v)
{
    const Judge *judge = trial->judge;
    Verdict *verdict = trial->verdict;
    const char *left = judge_show_coefficients(judge, trial->place, claimed);
    const char *right = judge_show_coefficients(judge, trial->place, found);
    if (strcmp(left, right) == 0) {
        left = arena_printf(judge->arena, "%s for %s", exact_show(judge->arena, claimed[v]),
                            show_vector(trial, v));
        right = exact_show(judge->arena, found[v]);
    }
    judge_refute(trial, left, found_by, right);
    /* a mixture at which the claim is wrong; a lower bound may be so by one parameter alone */
    for (int mixture = MULTIPLY_VECTOR - 1; mixture >= PARAMETER_COUNT; mixture--)
        if (!agrees(trial->claim, claimed[mixture], found[mixture]))
            v = mixture;
    verdict->values = arena_printf(judge->arena, "%s: claimed %s, %s %s", show_vector(trial, v),
                                   exact_show(judge->arena, claimed[v]), found_by,
                                   exact_show(judge->arena, found[v]));
}

/* Places come with p rising. */
static void count_cases(Verdict *verdict, const Place *place, int count)
{
    int64_t p = place->point.p;
    verdict->cases += count;
    verdict->sizes += p > 1 && p > verdict->largest_p;
    if (p > verdict->largest_p)
        verdict->largest_p = p;
}

/* The error of an approximation where all parameters count, and for large m, where those per byte
   do alone. `few` ranks are 8 to 16, `many` more than 32. */
static void measure(const Trial *trial, const Exact *claimed, const Exact *found)
{
    Verdict *verdict = trial->verdict;
    int64_t p = trial->place->point.p;
    for (int v = 0; v < trial->place->vector_count && p > 1; v++) {
        bool large = v == PARAMETER_TW || v == PARAMETER_TC;
        double off = exact_equal(claimed[v], found[v]) ? 0
                     : found[v].real == 0              ? 1
                                                       : fabs(claimed[v].real / found[v].real - 1);
        if (large && off > verdict->large_error)
            verdict->large_error = off;
        if (v < PARAMETER_COUNT)
            continue;
        double *group = p >= 8 && p <= 16 ? &verdict->few_error : &verdict->many_error;
        if ((p > 32 || (p >= 8 && p <= 16)) && off > *group)
            *group = off;
        if (off > verdict->error) {
            verdict->error = off;
            refute_time(trial, claimed, found, "derived", v);
            verdict->holds = true;
        }
    }
}

const Claim *judge_own_claim(const Algorithm *algorithm, const Claim *like, const char *topology,
                             int mode, const ClaimPoint *point)
{
    const ClaimList *own = claims_all(&algorithm->claims);
    for (size_t i = 0; i < own->count; i++) {
        const Claim *claim = &own->items[i];
        bool is_whole =
            claim->kind == CLAIM_TIME && !claim->first.program && !claim->recorded_refuted;
        for (int x = 0; x < PARAMETER_COUNT; x++)
            is_whole &= like->neglects[x] || claim_counts(claim, (Parameter)x);
        if (is_whole && claim->switching[mode] && claim_is_on(claim, topology) &&
            claim_applies(claim, point))
            return claim;
    }
    return NULL;
}

void judge_look_far(const Algorithm *algorithm, const Claim *claim, Verdict *verdict)
{
    static const int powers[] = {12, 18}; /* whole squares and cubes */
    const ClaimPoint *at = &verdict->place.point;
    for (int i = 0; i < 4; i++) { /* in a line, and in a square */
        const int power = powers[i / 2], count = 1 + i % 2;
        Shape shape = {.p = 1 << power, .count = count};
        for (int x = 0; x < count; x++)
            shape.sizes[x] = 1 << power / count;
        ClaimPoint point = claim_point(&shape, 0, at->k, at->ports);
        point.branches = at->branches;
        point.order = algorithm->collective->problem ? shape.p : 0;
        Place place = {.point = point};
        judge_set_vectors(&place);
        const ExactParameters parameters = restrict_to(&place.vectors[PARAMETER_COUNT], claim);
        /* Raises the error by what it is on one topology, where the model has a claim. */
        for (size_t t = 0; t < 2 * claim->on_count; t++) {
            const int mode = t % 2;
            Exact claimed, found;
            const Claim *own = judge_own_claim(algorithm, claim, claim->on[t / 2], mode, &point);
            if (own && claim->switching[mode] && claim_applies(claim, &point) &&
                contract_try_buffer_blocks(algorithm->collective, point.p,
                                           &place.point.buffer_blocks) &&
                claim_exact(claim, &place.point, &parameters, place.sizes[0], &claimed) &&
                claim_exact(own, &place.point, &parameters, place.sizes[0], &found))
                verdict->far_errors[i / 2] =
                    fmax(verdict->far_errors[i / 2], fabs(claimed.real / found.real - 1));
        }
    }
}

void judge_compare_times(const Trial *trial, Truth truth, const void *context, const char *found_by)
{
    const Claim *claim = trial->claim;
    Verdict *verdict = trial->verdict;
    const Place *place = trial->place;
    Exact claimed[VECTOR_COUNT], found[VECTOR_COUNT];
    int worst = -1;
    const bool valued = evaluate(trial, truth, context, claimed, found);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!claim_counts(claim, (Parameter)i) && !verdict->lacks[i] && !claim->is_lower)
            verdict->lacks[i] = truth(context, &place->vectors[i], place->sizes[i]).real != 0;
    if (!valued) {
        judge_refute(trial, "something that has no value here", found_by,
                     judge_show_coefficients(trial->judge, place, found));
        return;
    }
    count_cases(verdict, place, place->vector_count);
    if (claim->is_approximate) {
        measure(trial, claimed, found);
        return;
    }
    for (int v = 0; v < place->vector_count; v++)
        if (!agrees(claim, claimed[v], found[v]) && (worst < 0 || worst < PARAMETER_COUNT))
            worst = v;
    if (worst >= 0)
        refute_time(trial, claimed, found, found_by, worst);
}

void judge_compare_value(const Trial *trial, Exact found, const char *about)
{
    const Judge *judge = trial->judge;
    const Claim *claim = trial->claim;
    const Place *place = trial->place;
    const char *unit_name = place->point.order ? " word" : " m";
    Exact claimed = {0}, unit = place->sizes[0];
    ExactParameters none = {0};
    bool is_bytes = dimension_equal(claim_info[claim->kind].dimension, DIMENSION_BYTES);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        none.parameters[i] = exact_from_int(0);
    bool valued = claim_exact(claim, &place->point, &none, place->sizes[0], &claimed);
    count_cases(trial->verdict, place, 1);
    if (valued && agrees(claim, claimed, found))
        return;
    if (is_bytes) {
        claimed = valued ? exact_divide(claimed, unit) : claimed;
        found = exact_divide(found, unit);
    }
    const char *said = valued ? exact_show(judge->arena, claimed) : "something without a value";
    judge_refute(trial,
                 arena_printf(judge->arena, "%s%s%s%s", said, is_bytes && valued ? unit_name : "",
                              *about ? " " : "", about),
                 judge->collective ? "derived" : "found",
                 arena_printf(judge->arena, "%s%s", exact_show(judge->arena, found),
                              is_bytes ? unit_name : ""));
}

Instance judge_instance(const Judge *judge, const Place *place)
{
    return claim_instance(judge->subject.algorithm, &place->network->shape, &place->point);
}

/* Where every path has one link. */
bool judge_has_one_mode(const Judge *judge, const Place *place)
{
    return !judge->subject.algorithm || place->network->topology->direct;
}

bool judge_is_open(const Judge *judge, size_t i, const Place *place)
{
    const Claim *claim = &judge->claims->items[i];
    bool speaks = judge_has_one_mode(judge, place) || claim->switching[place->rules.switching];
    return speaks && judge->verdicts[i].holds && claim_is_on(claim, place->topology) &&
           claim_applies(claim, &place->point);
}
