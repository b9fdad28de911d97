#include "forms/fitting.h"

#include <limits.h>
#include <stdlib.h>

/* Sums of three terms and more must be of light ones. */
static const int most_weights[SPARSE_MOST_COLUMNS + 1] = {0, INT_MAX, INT_MAX, 12, 10};

FitSpace *fitting_open(Arena *arena, const SampleArray *samples)
{
    FitSpace *space = ARENA_NEW(arena, FitSpace);
    int64_t dimensions = 1;
    for (size_t i = 0; i < samples->count; i++)
        if (samples->items[i].point.values[FORM_DIMS] > dimensions)
            dimensions = samples->items[i].point.values[FORM_DIMS];
    /* Grids of more sides than have names count by p alone. */
    bool is_grid = dimensions > 1 && dimensions <= FORM_MOST_SIDES;
    unsigned variables = FORM_BIT(P) | (is_grid ? FORM_BITS_OF_GRIDS : 0);
    for (size_t i = 0; i < samples->count; i++)
        for (int v = FORM_K; v < FORM_VARIABLES; v++)
            if (samples->items[i].point.values[v] != samples->items[0].point.values[v])
                variables |= 1u << v;
    if (variables & FORM_BIT(TARGET)) /* what counts is where it lies from the root */
        variables |= FORM_BIT(ROOT);
    int sides = variables & FORM_BIT(X) ? (int)dimensions : 0;
    *space = (FitSpace){arena, samples, variables, family_create(arena, variables, sides), NULL};
    space->values = ARENA_ARRAY(arena, Exact *, space->family.terms.count + 1);
    return space;
}

FitPoints fitting_points(FitSpace *space, const FormTerm *condition)
{
    size_t count = space->samples->count;
    FitPoints points = {space, ARENA_ARRAY(space->arena, size_t, count + 1), 0,
                        ARENA_ARRAY(space->arena, bool, count + 1)};
    for (size_t i = 0; i < count; i++)
        if (!condition || family_holds(condition, &space->samples->items[i].point))
            points.samples[points.count++] = i;
    return points;
}

const Sample *fitting_sample(const FitPoints *points, size_t i)
{
    return &points->space->samples->items[points->samples[i]];
}

/* The search for one form. */
typedef struct {
    Arena *arena; /* for this search only */
    const FitPoints *points;
    Parameter parameter;
    const FittedForm *before;
    int before_count;
    size_t row_count;
    const int64_t *rows; /* the points, one for each value of the variables that count */
    const FormTerm **terms;
    SparseBasis *basis;
} Fitting;

static int compare_points(const FormPoint *a, const FormPoint *b, unsigned variables)
{
    for (int i = 0; i < FORM_VARIABLES; i++)
        if ((variables & (1u << i)) && a->values[i] != b->values[i])
            return a->values[i] < b->values[i] ? -1 : 1;
    return 0;
}

/* A point with its number; ordered by these variables, then by number. */
typedef struct {
    const FormPoint *point;
    unsigned variables;
    size_t number;
} Row;

static int compare_rows(const void *a, const void *b)
{
    const Row *left = a, *right = b;
    int order = compare_points(left->point, right->point, left->variables);
    return order ? order : (left->number > right->number) - (left->number < right->number);
}

static Row *sort_rows(const Fitting *fitting, unsigned variables)
{
    size_t count = fitting->points->count;
    Row *rows = ARENA_ARRAY(fitting->arena, Row, count + 1);
    for (size_t i = 0; i < count; i++)
        rows[i] = (Row){&fitting_sample(fitting->points, i)->point, variables, i};
    qsort(rows, count, sizeof *rows, compare_rows);
    return rows;
}

/* Do these variables alone tell the coefficient? */
static bool depends_on(const Fitting *fitting, unsigned variables)
{
    const Row *rows = sort_rows(fitting, variables);
    for (size_t i = 1; i < fitting->points->count; i++) {
        const Sample *before = fitting_sample(fitting->points, rows[i - 1].number);
        const Sample *here = fitting_sample(fitting->points, rows[i].number);
        if (compare_points(&before->point, &here->point, variables) == 0 &&
            exact_compare(before->costs[fitting->parameter], here->costs[fitting->parameter]) != 0)
            return false;
    }
    return true;
}

int fitting_sides(const FitPoints *points)
{
    int64_t sides = 0;
    for (size_t i = 0; i < points->count; i++) {
        const int64_t *at = fitting_sample(points, i)->point.values;
        for (int side = 1; side < at[FORM_DIMS] && side < FORM_MOST_SIDES; side++)
            if (at[FORM_X + side] != at[FORM_X])
                return 0;
        if (at[FORM_DIMS] < 2 || at[FORM_DIMS] > FORM_MOST_SIDES || (i && at[FORM_DIMS] != sides))
            return 0;
        sides = at[FORM_DIMS];
    }
    return (int)sides;
}

/* The fewest variables that tell the coefficient; 0 if all of them do not. Of squares and cubes, X
   stays beside p: forms in it are simpler than in roots of p. */
static unsigned find_needed(const Fitting *fitting)
{
    static const unsigned groups[] = {FORM_BIT(ROOT) | FORM_BIT(TARGET), FORM_BIT(K), FORM_BIT(D),
                                      FORM_BITS_OF_GRIDS};
    unsigned variables = fitting->points->space->variables;
    if (!depends_on(fitting, variables))
        return 0;
    for (size_t i = 0; i < COUNT_OF(groups); i++)
        if ((variables & groups[i]) && depends_on(fitting, variables & ~groups[i]))
            variables &= ~groups[i];
    if ((fitting->points->space->variables & FORM_BIT(X)) && fitting_sides(fitting->points))
        variables = (variables & ~FORM_BITS_OF_GRIDS) | FORM_BIT(X);
    return variables;
}

/* In all rows; NULL where the term has no value in some. What it is at all samples is kept; those
   where it has none are not exact. */
static const Exact *take_rows(const Fitting *fitting, size_t term)
{
    FitSpace *space = fitting->points->space;
    Exact **all = &space->values[term];
    if (!*all) {
        const FormTerm *known = &space->family.terms.items[term];
        *all = ARENA_ARRAY(space->arena, Exact, space->samples->count + 1);
        for (size_t i = 0; i < space->samples->count; i++)
            if (!family_value(known, &space->samples->items[i].point, &(*all)[i]))
                (*all)[i].exact = false;
    }
    Exact *values = ARENA_ROOM(fitting->arena, Exact, fitting->row_count + 1);
    for (size_t i = 0; i < fitting->row_count; i++) {
        values[i] = (*all)[fitting->points->samples[fitting->rows[i]]];
        if (!values[i].exact)
            return NULL;
    }
    return values;
}

/* The terms in these variables that have values everywhere. */
static void create_basis(Fitting *fitting, unsigned variables)
{
    const FormTerms *all = &fitting->points->space->family.terms;
    SparseColumn *columns = ARENA_ARRAY(fitting->arena, SparseColumn, all->count + 1);
    size_t count = 0;
    fitting->terms = ARENA_ARRAY(fitting->arena, const FormTerm *, all->count + 1);
    for (size_t i = 0; i < all->count; i++) {
        bool is_known = (all->items[i].variables & ~variables) == 0;
        const Exact *values = is_known ? take_rows(fitting, i) : NULL;
        if (!values)
            continue;
        columns[count] = (SparseColumn){values, all->items[i].weight};
        fitting->terms[count++] = &all->items[i];
    }
    fitting->basis = sparse_basis(fitting->arena, columns, count, fitting->row_count);
}

/* The coefficient without the unit; NULL where that is no fraction. */
static const Exact *take_unit(const Fitting *fitting, const FormUnit *unit)
{
    Exact *target = ARENA_ARRAY(fitting->arena, Exact, fitting->row_count + 1), times, over;
    for (size_t i = 0; i < fitting->row_count; i++) {
        const Sample *sample = fitting_sample(fitting->points, (size_t)fitting->rows[i]);
        if (!family_value(&unit->times, &sample->point, &times) ||
            !family_value(&unit->over, &sample->point, &over))
            return NULL;
        target[i] = exact_divide(exact_multiply(sample->costs[fitting->parameter], over), times);
        if (!target[i].exact)
            return NULL;
    }
    return target;
}

/* Keeps the fit if it is the lightest so far; the terms of a form before weigh nothing. */
static void weigh_fit(const Fitting *fitting, const SparseFit *fit, const FormUnit *unit,
                      SparseFit *best, FittedForm *fitted)
{
    Form form = {.count = fit->count, .unit = unit};
    for (int i = 0; i < fit->count; i++) {
        form.terms[i] = fitting->terms[fit->columns[i]];
        form.factors[i] = fit->factors[i];
    }
    bool shares = false;
    for (int i = 0; i < fitting->before_count; i++)
        shares |= fitting->before[i].found && form_is_multiple(&fitting->before[i].form, &form);
    int weight = unit->weight + (shares ? 0 : fit->weight);
    if (fitted->found && weight >= fitted->weight)
        return;
    *fitted = (FittedForm){true, weight, form};
    *best = *fit;
}

static void fit_rows(Fitting *fitting, FittedForm *fitted)
{
    unsigned variables = find_needed(fitting), all = fitting->points->space->variables;
    if (!variables)
        return;
    variables |= FORM_BIT(P) | (all & FORM_BIT(K)); /* of units */
    /* Small points come first, as they do among the samples. */
    const Row *sorted = sort_rows(fitting, variables);
    int64_t *rows = ARENA_ARRAY(fitting->arena, int64_t, fitting->points->count + 1);
    for (size_t i = 0; i < fitting->points->count; i++)
        if (i == 0 || compare_points(sorted[i - 1].point, sorted[i].point, variables) != 0)
            rows[fitting->row_count++] = (int64_t)sorted[i].number;
    sort_whole(rows, fitting->row_count);
    fitting->rows = rows;
    create_basis(fitting, variables);
    for (int count = 1; count <= SPARSE_MOST_COLUMNS && !fitted->found; count++) {
        /* Forms with so many terms; only what is paid by byte has units other than 1. */
        const FormUnits *units = &fitting->points->space->family.units;
        bool per_byte = parameter_info[fitting->parameter].dimension.bytes != 0;
        SparseFit best = {.count = 0}, fit;
        for (size_t u = 0; u < (per_byte ? units->count : 1); u++) {
            const Exact *target = take_unit(fitting, &units->items[u]);
            if (target && sparse_find(fitting->basis, target, count, most_weights[count], &fit))
                weigh_fit(fitting, &fit, &units->items[u], &best, fitted);
        }
        for (int j = 0; j < best.count; j++)
            fitting->points->determining[fitting->rows[best.rows[j]]] = true;
    }
}

FittedForm fitting_form(const FitPoints *points, Parameter parameter, const FittedForm *before,
                        int before_count)
{
    Fitting fitting = {.arena = arena_scratch(points->space->arena),
                       .points = points,
                       .parameter = parameter,
                       .before = before,
                       .before_count = before_count};
    FittedForm fitted = {.found = true, .form = {.unit = points->space->family.units.items}};
    for (size_t i = 0; i < points->count; i++) /* is it zero everywhere? */
        fitted.found &= fitting_sample(points, i)->costs[parameter].real == 0;
    if (!fitted.found)
        fit_rows(&fitting, &fitted);
    arena_destroy(fitting.arena);
    return fitted;
}
