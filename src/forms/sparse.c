#include "forms/sparse.h"

#include "base/random.h"
#include "base/residue.h"

#include <stdlib.h>
#include <string.h>

/* One more sum than a fit has columns, so that one is left to disagree. */
enum { SUMS = SPARSE_MOST_COLUMNS + 1 };

typedef struct {
    uint64_t sums[SUMS];
} Vector;

typedef struct {
    Vector vector;
    size_t column;
    int weight;
} Candidate;

struct SparseBasis {
    Workspace *workspace;
    const SparseColumn *columns;
    size_t rows, count;
    Vector *factors;       /* random, of each row in the sums */
    Candidate *candidates; /* `count`, the lightest first */
};

static Vector project(const SparseBasis *basis, const Exact *values)
{
    Vector vector = {{0}};
    for (size_t row = 0; row < basis->rows; row++) {
        uint64_t value = exact_residue(values[row]);
        for (int s = 0; s < SUMS; s++) {
            uint64_t part = residue_multiply(basis->factors[row].sums[s], value);
            vector.sums[s] = residue_subtract(part, residue_subtract(0, vector.sums[s]));
        }
    }
    return vector;
}

static bool is_zero(const Vector *vector)
{
    static const Vector zero;
    return memcmp(vector, &zero, sizeof zero) == 0;
}

static int compare_candidates(const void *a, const void *b)
{
    const Candidate *left = a, *right = b;
    if (left->weight != right->weight)
        return left->weight - right->weight;
    return left->column < right->column ? -1 : left->column > right->column;
}

SparseBasis *sparse_basis(Arena *arena, const SparseColumn *columns, size_t count, size_t rows)
{
    SparseBasis *basis = ARENA_NEW(arena, SparseBasis);
    *basis = (SparseBasis){.workspace = arena_workspace(arena), .columns = columns, .rows = rows};
    basis->factors = ARENA_ARRAY(arena, Vector, rows + 1);
    basis->candidates = ARENA_ARRAY(arena, Candidate, count + 1);
    for (size_t i = 0; i < rows * SUMS; i++)
        basis->factors[i / SUMS].sums[i % SUMS] = random_hash(i) % residue_prime;
    for (size_t i = 0; i < count; i++) {
        /* Zero is no use, and neither is what stands there already. */
        const Vector vector = project(basis, columns[i].values);
        bool is_new = !is_zero(&vector);
        for (size_t c = 0; c < basis->count && is_new; c++)
            is_new = memcmp(&basis->candidates[c].vector, &vector, sizeof vector) != 0;
        if (is_new)
            basis->candidates[basis->count++] = (Candidate){vector, i, columns[i].weight};
    }
    qsort(basis->candidates, basis->count, sizeof *basis->candidates, compare_candidates);
    return basis;
}

/* A search for one target. Levels hold what is left of columns and target once the columns chosen
   before have been taken out. */
typedef struct {
    const SparseBasis *basis;
    const Exact *target;
    int count, most_weight;
    size_t chosen[SPARSE_MOST_COLUMNS];
    Vector *levels[SPARSE_MOST_COLUMNS]; /* the target's stands behind those of the columns */
    SparseFit best;
    bool found;
} Search;

static int first_sum(const Vector *vector)
{
    int at = 0;
    while (at < SUMS - 1 && vector->sums[at] == 0)
        at++;
    return at;
}

static bool are_parallel(const Vector *a, const Vector *b)
{
    int at = first_sum(a);
    for (int s = 0; s < SUMS; s++)
        if (residue_multiply(a->sums[s], b->sums[at]) != residue_multiply(b->sums[s], a->sums[at]))
            return false;
    return true;
}

/* The equations of the rows that were found to be independent, in echelon form: the pivot of
   equation e is its unknown lead[e]. */
typedef struct {
    int count; /* of unknowns */
    int found;
    Exact factors[SPARSE_MOST_COLUMNS][SPARSE_MOST_COLUMNS + 1]; /* the right side is the last */
    int lead[SPARSE_MOST_COLUMNS];
} System;

static bool is_nothing(Exact value)
{
    return value.exact && value.numerator == 0;
}

static void take_out(Exact *row, const Exact *pivot, int lead, int count)
{
    Exact factor = row[lead];
    for (int i = 0; i <= count; i++)
        row[i] = exact_subtract(row[i], exact_multiply(factor, pivot[i]));
}

/* Adds one row; true if it was independent of those before. */
static bool add_equation(System *system, Exact *row)
{
    int count = system->count, lead = 0;
    for (int e = 0; e < system->found; e++)
        take_out(row, system->factors[e], system->lead[e], count);
    while (lead < count && is_nothing(row[lead]))
        lead++;
    if (lead == count)
        return false;
    Exact first = row[lead];
    for (int i = 0; i <= count; i++)
        row[i] = exact_divide(row[i], first);
    for (int e = 0; e < system->found; e++)
        take_out(system->factors[e], row, lead, count);
    memcpy(system->factors[system->found], row, ((size_t)count + 1) * sizeof *row);
    system->lead[system->found++] = lead;
    return true;
}

/* Solves for the factors with as many rows as are needed. False if the columns are dependent. */
static bool solve(const Search *search, SparseFit *fit)
{
    System system = {.count = fit->count};
    for (size_t row = 0; row < search->basis->rows && system.found < fit->count; row++) {
        Exact equation[SPARSE_MOST_COLUMNS + 1];
        for (int i = 0; i < fit->count; i++)
            equation[i] = search->basis->columns[fit->columns[i]].values[row];
        equation[fit->count] = search->target[row];
        fit->rows[system.found] = row;
        add_equation(&system, equation);
    }
    for (int e = 0; e < system.found; e++)
        fit->factors[system.lead[e]] = system.factors[e][fit->count];
    return system.found == fit->count;
}

static bool agrees(const Search *search, const SparseFit *fit)
{
    for (int i = 0; i < fit->count; i++)
        if (!fit->factors[i].exact || is_nothing(fit->factors[i]))
            return false;
    for (size_t row = 0; row < search->basis->rows; row++) {
        Exact sum = exact_from_int(0);
        for (int i = 0; i < fit->count; i++) {
            Exact value = search->basis->columns[fit->columns[i]].values[row];
            sum = exact_add(sum, exact_multiply(fit->factors[i], value));
        }
        if (!sum.exact || exact_compare(sum, search->target[row]) != 0)
            return false;
    }
    return true;
}

static int bits_of(int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return size < 2 ? 0 : 64 - __builtin_clzll(size - 1);
}

/* Does the column take more than two values? One that is a constant, or a condition, cannot be bent
   to pass through many points. */
static bool bends(const Exact *values, size_t rows)
{
    size_t other = 0;
    for (size_t row = 1; row < rows; row++) {
        bool is_first = exact_compare(values[row], values[0]) == 0;
        if (is_first || (other && exact_compare(values[row], values[other]) == 0))
            continue;
        if (other)
            return true;
        other = row;
    }
    return false;
}

static bool rows_differ(const SparseBasis *basis, const SparseFit *fit, size_t a, size_t b)
{
    for (int i = 0; i < fit->count; i++) {
        const Exact *values = basis->columns[fit->columns[i]].values;
        if (exact_compare(values[a], values[b]) != 0)
            return true;
    }
    return false;
}

/* Are there enough rows, and enough that differ in the columns of the fit? */
static bool has_enough_rows(const SparseBasis *basis, const SparseFit *fit)
{
    enum { DIFFERENT_EACH = 3 };
    size_t different[DIFFERENT_EACH * SPARSE_MOST_COLUMNS], found = 0, needed = 0;
    for (int i = 0; i < fit->count; i++)
        needed += bends(basis->columns[fit->columns[i]].values, basis->rows) ? DIFFERENT_EACH : 0;
    for (size_t row = 0; row < basis->rows && found < needed; row++) {
        bool is_other = true;
        for (size_t i = 0; i < found && is_other; i++)
            is_other = rows_differ(basis, fit, row, different[i]);
        if (is_other)
            different[found++] = row;
    }
    return found == needed;
}

/* The chosen columns have passed: what are their factors, and is this better than the best? */
static void try_chosen(Search *search)
{
    SparseFit fit = {.count = search->count};
    for (int i = 0; i < fit.count; i++)
        fit.columns[i] = search->basis->candidates[search->chosen[i]].column;
    if (!solve(search, &fit) || !agrees(search, &fit) || !has_enough_rows(search->basis, &fit))
        return;
    fit.weight = fit.size = 0;
    for (int i = 0; i < fit.count; i++) {
        fit.weight += search->basis->columns[fit.columns[i]].weight;
        fit.size += bits_of(fit.factors[i].numerator) + bits_of(fit.factors[i].denominator);
    }
    if (search->found && (fit.weight > search->best.weight ||
                          (fit.weight == search->best.weight && fit.size >= search->best.size)))
        return;
    search->best = fit;
    search->most_weight = fit.weight;
    search->found = true;
}

static bool is_too_heavy(const Search *search, int depth, size_t candidate, int weight)
{
    int left = search->count - depth;
    return weight + left * search->basis->candidates[candidate].weight > search->most_weight;
}

/* Takes a chosen column out of another; its sum `at`, whose inverse is kept, becomes zero there. */
typedef struct {
    const Vector *column;
    int at;
    uint64_t inverse;
} Pivot;

static uint64_t take_sum(const Pivot *pivot, const Vector *vector, uint64_t factor, int s)
{
    return residue_subtract(vector->sums[s], residue_multiply(factor, pivot->column->sums[s]));
}

static Vector eliminate(const Pivot *pivot, const Vector *vector)
{
    Vector rest = {{0}};
    uint64_t factor = residue_multiply(vector->sums[pivot->at], pivot->inverse);
    for (int s = 0; s < SUMS; s++)
        rest.sums[s] = take_sum(pivot, vector, factor, s);
    return rest;
}

/* The last column must be what is left of the target, times a factor. Nearly all fail already in
   two of the sums. */
static void choose_last(Search *search, const Pivot *pivot, const Vector *target, size_t first,
                        int weight)
{
    const SparseBasis *basis = search->basis;
    int depth = search->count - 1, one = first_sum(target), two = (one + 1) % SUMS;
    const Vector *here = search->levels[depth - 1];
    two = two == pivot->at ? (two + 1) % SUMS : two;
    for (size_t i = first; i < basis->count && !is_too_heavy(search, depth, i, weight); i++) {
        uint64_t factor = residue_multiply(here[i].sums[pivot->at], pivot->inverse);
        if (residue_multiply(take_sum(pivot, &here[i], factor, one), target->sums[two]) !=
            residue_multiply(take_sum(pivot, &here[i], factor, two), target->sums[one]))
            continue;
        Vector rest = eliminate(pivot, &here[i]);
        search->chosen[depth] = i;
        if (!is_zero(&rest) && are_parallel(&rest, target))
            try_chosen(search);
    }
}

/* Chooses column number `depth` of two or more among the candidates from `first` on; those before
   weigh `weight`. */
static void choose(Search *search, int depth, size_t first, int weight)
{
    const SparseBasis *basis = search->basis;
    const Vector *here = search->levels[depth];
    for (size_t i = first; i < basis->count && !is_too_heavy(search, depth, i, weight); i++) {
        workspace_poll(basis->workspace, NULL);
        if (is_zero(&here[i]))
            continue;
        int at = first_sum(&here[i]), with = weight + basis->candidates[i].weight;
        Pivot pivot = {&here[i], at, residue_invert(here[i].sums[at])};
        Vector target = eliminate(&pivot, &here[basis->count]);
        search->chosen[depth] = i;
        if (is_zero(&target))
            continue;
        if (depth + 2 == search->count) {
            choose_last(search, &pivot, &target, i + 1, with);
            continue;
        }
        Vector *next = search->levels[depth + 1];
        for (size_t j = i + 1; j < basis->count; j++)
            next[j] = eliminate(&pivot, &here[j]);
        next[basis->count] = target;
        choose(search, depth + 1, i + 1, with);
    }
}

bool sparse_find(const SparseBasis *basis, const Exact *target, int count, int most_weight,
                 SparseFit *fit)
{
    Search search = {basis, target, count, most_weight, .found = false};
    if (count < 1 || basis->rows < (size_t)(SPARSE_ROWS_EACH * count))
        return false;
    Arena *arena = arena_create(basis->workspace);
    for (int i = 0; i < count; i++)
        search.levels[i] = ARENA_ARRAY(arena, Vector, basis->count + 1);
    for (size_t i = 0; i < basis->count; i++)
        search.levels[0][i] = basis->candidates[i].vector;
    search.levels[0][basis->count] = project(basis, target);
    const Vector *here = search.levels[0];
    for (size_t i = 0; count == 1 && i < basis->count && !is_too_heavy(&search, 0, i, 0); i++) {
        search.chosen[0] = i;
        if (are_parallel(&here[i], &here[basis->count]))
            try_chosen(&search);
    }
    if (count > 1)
        choose(&search, 0, 0, 0);
    arena_destroy(arena);
    if (search.found)
        *fit = search.best;
    return search.found;
}
