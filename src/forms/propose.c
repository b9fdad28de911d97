#include "forms/propose.h"

#include <string.h>

/* Of the condition that a form holds for so many ports only. */
enum { WEIGHT_OF_PORTS = 6 };

/* Where forms are sought. */
typedef struct {
    Arena *arena;
    FitSpace *space;
    const char *base; /* a condition that all samples meet; NULL: none */
} Search;

static const char *join_conditions(Arena *arena, const char *first, const char *second)
{
    if (!first || !second)
        return first ? first : second;
    return arena_printf(arena, "%s and %s", first, second);
}

/* How many differ in p or in their grids; equal shapes follow one another. */
static int count_shapes(const FitPoints *points)
{
    int shapes = points->count > 0;
    for (size_t i = 1; i < points->count; i++) {
        bool differ = false;
        for (int j = 0; j <= FORM_DIMS; j++)
            differ |= fitting_sample(points, i)->point.values[j] !=
                      fitting_sample(points, i - 1)->point.values[j];
        shapes += differ;
    }
    return shapes;
}

/* A coefficient without a form ends the search, unless all are wanted. */
static Proposal propose_when(const Search *search, const FormTerm *condition, bool want_all)
{
    Proposal proposal = {
        .when = join_conditions(search->arena, condition ? condition->text : NULL, search->base),
        .points = fitting_points(search->space, condition)};
    proposal.found = count_shapes(&proposal.points) >= PROPOSE_LEAST_SHAPES;
    for (size_t i = 0; i < proposal.points.count; i++)
        proposal.found &= fitting_sample(&proposal.points, i)->is_sum;
    for (int i = 0; i < PARAMETER_COUNT && (proposal.found || want_all); i++) {
        proposal.coefficients[i] =
            fitting_form(&proposal.points, (Parameter)i, proposal.coefficients, i);
        proposal.found &= proposal.coefficients[i].found;
    }
    return proposal;
}

static void add_proposal(Proposals *proposals, const Proposal *proposal)
{
    proposals->items[proposals->count++] = *proposal;
    proposals->found |= proposal->found;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        proposals->weight += proposal->coefficients[i].weight;
}

static int count_covered(const Proposals *proposals)
{
    int covered = 0;
    for (size_t i = 0; i < proposals->count && proposals->found; i++)
        covered += count_shapes(&proposals->items[i].points);
    return covered;
}

static Proposals search_forms(const Search *search)
{
    Proposal whole = propose_when(search, NULL, true);
    Proposals best = {.items = ARENA_ARRAY(search->arena, Proposal, 1)};
    add_proposal(&best, &whole);
    best.complete = whole.found;
    const FormSplits *splits = &search->space->family.splits;
    for (size_t i = 0; i < splits->count; i++) {
        const FormSplit *split = &splits->items[i];
        if (best.found && (split->is_part || (best.complete && split->weight >= best.weight)))
            continue;
        /* Forms for one split: those that are found. */
        Proposals tried = {.items = ARENA_ARRAY(search->arena, Proposal, 2),
                           .weight = split->weight};
        const FormTerm *conditions[2] = {&split->first, &split->second};
        size_t wanted = split->second.expr ? 2 : 1;
        for (size_t j = 0; j < wanted; j++) {
            Proposal proposal = propose_when(search, conditions[j], false);
            if (proposal.found)
                add_proposal(&tried, &proposal);
        }
        tried.complete = tried.count == wanted && !split->is_part;
        /* Covering all points counts first, then being simple; among partial answers, one that
           covers far more numbers of ranks is better than a simpler one. */
        const int here = count_covered(&tried), there = count_covered(&best);
        const bool is_lighter = tried.weight < best.weight;
        if (!tried.found || tried.complete != best.complete
                ? tried.complete || (tried.found && !best.found)
            : tried.complete ? is_lighter
                             : 2 * here > 3 * there || (is_lighter && 3 * here > 2 * there))
            best = tried;
    }
    return best;
}

static Proposals search_samples(Arena *arena, const SampleArray *samples, const char *base)
{
    Search search = {arena, fitting_open(arena, samples), base};
    return search_forms(&search);
}

/* Forms in p hold for any number of dimensions, those in the sides of a grid for three at most. */
static Proposals search_dimensions(Arena *arena, const SampleArray *samples, const char *base)
{
    Proposals all = search_samples(arena, samples, base);
    SampleArray *flat = ARENA_NEW(arena, SampleArray);
    for (size_t i = 0; i < samples->count; i++)
        if (samples->items[i].point.values[FORM_DIMS] <= FORM_MOST_SIDES)
            *ARRAY_PUSH(arena, flat) = samples->items[i];
    if (all.complete || flat->count == samples->count || 2 * flat->count < samples->count)
        return all;
    Proposals named = search_samples(arena, flat, join_conditions(arena, base, "dims <= 3"));
    return named.found ? named : all;
}

/* Writes the formulas; sides need their condition. */
static void finish(Arena *arena, const SampleQuestion *question, Proposals *proposals)
{
    /* Of a form that names sides: squares and cubes say nothing of other grids; the second ones
       where the network has any number of dimensions. */
    static const char *const conditions[][2] = {
        [0] = {NULL, "dims <= 3"},
        [2] = {"X == Y", "dims == 2 and X == Y"},
        [3] = {"X == Y and Y == Z", "dims == 3 and X == Y and Y == Z"}};
    bool any = question->topology->dimensions == DIMENSIONS_ANY;
    for (size_t i = 0; i < proposals->count; i++) {
        Proposal *proposal = &proposals->items[i];
        Form forms[PARAMETER_COUNT];
        bool has_condition = proposal->when && strstr(proposal->when, "dims");
        for (int c = 0; c < PARAMETER_COUNT; c++)
            forms[c] = proposal->coefficients[c].form;
        unsigned variables = 0;
        for (int j = 0; j < PARAMETER_COUNT; j++)
            for (int t = 0; t < proposal->coefficients[j].form.count; t++)
                variables |= proposal->coefficients[j].form.terms[t]->variables;
        if (variables & (FORM_BIT(X) | FORM_BIT(Y) | FORM_BIT(Z)) && !has_condition)
            proposal->when = join_conditions(arena, proposal->when,
                                             conditions[fitting_sides(&proposal->points)][any]);
        if (proposal->found)
            proposal->formula = form_sum_text(arena, forms);
    }
}

/* Do all samples with other ports cost what they do with those of the question? Both are in the
   same order. */
static bool are_equal(const SampleArray *samples, const SampleArray *others)
{
    size_t at = 0;
    for (size_t i = 0; i < others->count; i++) {
        const Sample *other = &others->items[i];
        if (i && other->point.values[FORM_D] != others->items[i - 1].point.values[FORM_D])
            at = 0;
        for (bool is_same = false; at < samples->count && !is_same; at += !is_same) {
            is_same = true;
            for (int v = 0; v < FORM_VARIABLES; v++)
                is_same &=
                    v == FORM_D || samples->items[at].point.values[v] == other->point.values[v];
        }
        bool equal = at < samples->count && samples->items[at].is_sum == other->is_sum;
        for (int c = 0; c < PARAMETER_COUNT && equal; c++)
            equal = exact_compare(samples->items[at].costs[c], other->costs[c]) == 0;
        if (!equal)
            return false;
    }
    return true;
}

/* How good an answer is, without its weight. */
static int grade(const Proposals *proposals)
{
    return proposals->complete ? 2 : proposals->found ? 1 : 0;
}

/* Forms that hold for other numbers of ports too, or for that of the question alone. */
static Proposals search_ports(Arena *arena, const SampleQuestion *question,
                              const SampleArray *samples, const SampleArray *others)
{
    /* "root == 3 and target == 5" where these were given. */
    const char *base = NULL;
    if (question->root >= 0)
        base = arena_printf(arena, "root == %lld", (long long)question->root);
    if (question->target >= 0)
        base = join_conditions(arena, base,
                               arena_printf(arena, "target == %lld", (long long)question->target));
    if (are_equal(samples, others))
        return search_dimensions(arena, samples, base);
    const char *ports =
        arena_printf(arena, "d == %lld", (long long)samples->items[0].point.values[FORM_D]);
    SampleArray *both = ARENA_NEW(arena, SampleArray);
    for (size_t i = 0; i < samples->count; i++)
        *ARRAY_PUSH(arena, both) = samples->items[i];
    for (size_t i = 0; i < others->count; i++)
        *ARRAY_PUSH(arena, both) = others->items[i];
    Proposals any = search_dimensions(arena, both, base);
    Proposals one = search_dimensions(arena, samples, join_conditions(arena, base, ports));
    bool is_simple = any.weight <= one.weight + WEIGHT_OF_PORTS;
    return grade(&any) > grade(&one) || (grade(&any) == grade(&one) && is_simple) ? any : one;
}

bool propose_forms(Arena *arena, const SampleQuestion *question, const ShapeArray *shapes,
                   Proposals *proposals, Diag *diag)
{
    SampleArray *samples = ARENA_NEW(arena, SampleArray), others = {0};
    if (!samples_derive(arena, question, shapes, samples, diag))
        return false;
    const FitPoints points = fitting_points(fitting_open(arena, samples), NULL);
    const int found = count_shapes(&points);
    if (found == 0)
        return diag_error(diag, NOWHERE, "the algorithm runs on none of these networks");
    if (found < PROPOSE_LEAST_SHAPES)
        return diag_error(
            diag, NOWHERE,
            "costs for %d number%s of ranks or grids are too few: a form of one term needs "
            "%d, one of n terms %d n",
            found, PLURAL_END(found), PROPOSE_LEAST_SHAPES, SPARSE_ROWS_EACH);
    if (!samples_of_other_ports(arena, question, samples, &others, diag))
        return false;
    *proposals = search_ports(arena, question, samples, &others);
    finish(arena, question, proposals);
    proposals->samples = samples;
    return true;
}
