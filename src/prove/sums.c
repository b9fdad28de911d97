#include "prove/sums.h"

/* Obligations that are tried are evaluated at so many sample points. */
enum { TRIED_POINTS = 400, MOST_SPLITS = 4 };

bool costing_shows(Costing *costing, const char *name, const char *meaning, const TermArray *given,
                   const Term *goal)
{
    Obligation obligation = {name, meaning, {0}, goal};
    for (size_t i = 0; i < given->count + costing->inside.count; i++)
        *ARRAY_PUSH(costing->kernel->arena, &obligation.hypotheses) =
            i < given->count ? given->items[i] : costing->inside.items[i - given->count];
    const Term *hypotheses = term_and_all(costing->kernel->terms, &obligation.hypotheses);
    if (costing->kernel->why || costing->kernel->terms->overflows)
        return false;
    if (term_is_true(goal) || term_is_false(hypotheses))
        return true;
    Terms *terms = costing->kernel->terms;
    Samples samples = samples_of(costing->main, (const Term *const[]){hypotheses, goal}, 2);
    while (samples_next(&samples, TRIED_POINTS))
        if (term_value(terms, hypotheses) && !terms->undefined && !term_value(terms, goal) &&
            !terms->undefined)
            return false;
    *ARRAY_PUSH(costing->kernel->arena, &costing->main->obligations) = obligation;
    return true;
}

bool costing_always(Costing *costing, const char *name, const char *meaning, const Term *goal)
{
    return costing_shows(costing, name, meaning, &(TermArray){0}, goal);
}

/* A choice among the atoms of products with several, or NULL. */
static const Term *find_choice(const Poly *poly)
{
    for (size_t i = 0; i < poly->count; i++)
        for (int j = 0; j < poly->items[i].count; j++)
            if (poly->items[i].powers[j].atom->kind == TERM_CHOICE)
                return poly->items[i].powers[j].atom;
    return NULL;
}

/* Is it zero wherever `given` holds? Linear forms are left to solvers; of other ones choices are
   split until nothing is left. */
static bool is_zero(Costing *costing, const Poly *poly, const TermArray *given, int depth)
{
    Kernel *kernel = costing->kernel;
    Terms *terms = kernel->terms;
    if (poly->count == 0)
        return true;
    const Term *value = poly_zero(kernel, poly);
    if (value)
        return costing_shows(costing, "equal", "what is claimed and what follows are the same",
                             given, term_equal(terms, value, term_int(terms, 0)));
    const Term *choice = find_choice(poly);
    if (!choice || depth == MOST_SPLITS)
        return costing_shows(costing, "never", "it is never so", given, term_bool(terms, false));
    bool zero = true;
    for (int i = 0; zero && i < 2; i++) {
        TermArray more = {0};
        const Poly by = poly_of(kernel->arena, choice->arguments[1 + i]);
        Poly branch;
        for (size_t j = 0; j < given->count; j++)
            *ARRAY_PUSH(kernel->arena, &more) = given->items[j];
        *ARRAY_PUSH(kernel->arena, &more) =
            i ? term_not(terms, choice->arguments[0]) : choice->arguments[0];
        zero = poly_replace(kernel, poly, choice, &by, &branch) &&
               is_zero(costing, &branch, &more, depth + 1);
    }
    return zero;
}

/* As is_zero; what was tried in vain leaves no obligations. */
static bool shows_zero(Costing *costing, const Poly *poly)
{
    const size_t count = costing->main->obligations.count;
    const bool zero = is_zero(costing, poly, &(TermArray){0}, 0);
    if (!zero)
        costing->main->obligations.count = count;
    return zero;
}

bool costing_equal(Costing *costing, const Poly *a, const Poly *b)
{
    const Poly difference = poly_sum(costing->kernel->arena, a, -1, b);
    return shows_zero(costing, &difference);
}

const Term *costing_choice(Costing *costing, const Term *condition, const Term *a, const Term *b)
{
    Terms *terms = costing->kernel->terms;
    if (costing_always(costing, "one way", "it is always so", condition))
        return a;
    if (costing_always(costing, "one way", "it is never so", term_not(terms, condition)))
        return b;
    return term_choice(terms, condition, a, b);
}

Poly costing_count(Costing *costing, const Term *condition)
{
    Terms *terms = costing->kernel->terms;
    const Term *none = term_int(terms, 0), *one = term_int(terms, 1);
    return poly_of(costing->kernel->arena, term_choice(terms, condition, one, none));
}

/* What may grow from pass to pass by what is summed: number `which`, with n = base^index. */
static const Term *grown(Costing *costing, int which, int64_t base, const Term *index)
{
    Kernel *kernel = costing->kernel;
    Terms *terms = kernel->terms;
    const Term *n = kernel_power(kernel, base, index), *p = kernel->p;
    switch (which) {
    case 0:
        return n;
    case 1:
        return term_choice(terms, term_le(terms, n, p), n, p);
    case 2:
        return kernel_quotient(kernel, term_plus(terms, p, -1), n);
    default:
        return NULL;
    }
}

/* The index of a sum, from low to high. */
typedef struct {
    const Term *index, *low, *high;
} SumRange;

/* The sum where the body is how something grows: its last value without its first one. */
static bool telescope(Costing *costing, const SumRange *over, const Poly *body, Poly *sum)
{
    Kernel *kernel = costing->kernel;
    Arena *arena = kernel->arena;
    Terms *terms = kernel->terms;
    int64_t base = 0;
    for (size_t i = 0; i < kernel->chains.count; i++)
        if (kernel->chains.items[i]->exponent == over->index)
            base = kernel->chains.items[i]->base;
    const Term *beyond = term_plus(terms, over->high, 1);
    for (int way = 0; base && way < 6; way++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            const int which = way / 2, from = -(way % 2);
            const Term *now = grown(costing, which, base, term_plus(terms, over->index, from));
            const Term *next = grown(costing, which, base, term_plus(terms, over->index, from + 1));
            const Term *first = grown(costing, which, base, term_plus(terms, over->low, from));
            const Term *last = grown(costing, which, base, term_plus(terms, beyond, from));
            if (kernel->why) {
                kernel->why = NULL;
                continue;
            }
            const Poly growth = poly_of(arena, term_sum(terms, next, -1, now));
            const Poly rest = poly_sum(arena, body, -sign, &growth);
            if (!shows_zero(costing, &rest))
                continue;
            *sum = poly_of(arena, term_times(terms, term_sum(terms, last, -1, first), sign));
            return true;
        }
    return false;
}

/* i + .. , or the squares, from low to high, where the body is a power of the index. */
static bool sum_powers(Costing *costing, const SumRange *over, const Product *product, Poly *sum)
{
    Arena *arena = costing->kernel->arena;
    bool fits = product->count == 1 && product->powers[0].atom == over->index &&
                product->powers[0].exponent >= 1 && product->powers[0].exponent <= 2;
    if (!fits)
        return false;
    Poly ends[2];
    for (int i = 0; i < 2; i++) { /* of 1 .. x */
        const Poly x =
            poly_of(arena, i ? term_plus(costing->kernel->terms, over->low, -1) : over->high);
        const Poly one = poly_int(arena, 1), next = poly_sum(arena, &x, 1, &one);
        const Poly twice = poly_sum(arena, &next, 1, &x);
        ends[i] = poly_times(arena, &x, &next, &fits);
        if (product->powers[0].exponent == 2)
            ends[i] = poly_times(arena, &ends[i], &twice, &fits);
    }
    *sum = poly_sum(arena, &ends[0], -1, &ends[1]);
    const int64_t divisor = product->powers[0].exponent == 2 ? 6 : 2;
    for (size_t i = 0; i < sum->count; i++)
        sum->items[i].factor = exact_divide(sum->items[i].factor, exact_from_int(divisor));
    return fits;
}

/* A sum that was there before, over the same or with an index moved by a number; or a new one. */
static Poly keep_sum(Costing *costing, const SumRange *over, const Poly *body)
{
    Kernel *kernel = costing->kernel;
    Terms *terms = kernel->terms;
    for (size_t i = 0; i < costing->sums.count; i++) {
        const Sum *sum = &costing->sums.items[i];
        const Term *shift = term_sum(terms, over->low, -1, sum->low);
        const size_t count = costing->main->obligations.count;
        int64_t by;
        bool fits = true;
        if (!term_is_int(shift, &by))
            continue;
        const Poly moved =
            poly_substitute(kernel, body, over->index, term_plus(terms, sum->index, by), &fits);
        kernel->why = NULL;
        if (fits &&
            costing_always(costing, "last pass", "two sums end at the same place",
                           term_equal(terms, over->high, term_plus(terms, sum->high, by))) &&
            costing_equal(costing, &moved, &sum->body))
            return poly_of(kernel->arena, sum->atom);
        costing->main->obligations.count = count;
    }
    const Term *atom = term_free(terms, "sum", term_int(terms, 0), kernel->p);
    ((Term *)atom)->least = INT64_MIN, ((Term *)atom)->most = INT64_MAX;
    atom->variable->axioms.count = 0; /* it may have any value */
    *ARRAY_PUSH(kernel->arena, &costing->sums) =
        (Sum){atom, over->index, over->low, over->high, *body};
    return poly_of(kernel->arena, atom);
}

/* Does the atom stand before the sum as a factor: a parameter, or what divides? */
static bool stands_before(const Costing *costing, const Term *atom, int exponent)
{
    bool is = exponent < 0 || atom == costing->size;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        is |= atom == costing->parameters[i];
    return is;
}

/* Takes the products apart that have the same factors before the sum. */
static void split(Costing *costing, const Term *index, const Product *product, Product *before,
                  Product *within)
{
    *before = (Product){.factor = exact_from_int(1)};
    *within = (Product){.factor = product->factor};
    for (int i = 0; i < product->count; i++) {
        const bool outside =
            stands_before(costing, product->powers[i].atom, product->powers[i].exponent) &&
            !term_depends(product->powers[i].atom, index);
        Product *into = outside ? before : within;
        into->powers[into->count++] = product->powers[i];
    }
}

static const Poly *single(Arena *arena, const Product *product)
{
    Poly *poly = ARENA_NEW(arena, Poly);
    *ARRAY_PUSH(arena, poly) = *product;
    return poly;
}

/* The sum of one product of the body. */
static Poly sum_product(Costing *costing, const SumRange *over, const Poly *passes,
                        const Product *product, bool *fits)
{
    Arena *arena = costing->kernel->arena;
    Product before = {.factor = product->factor}, within = {.factor = exact_from_int(1)};
    Poly sum;
    for (int i = 0; i < product->count; i++) {
        Product *into = term_depends(product->powers[i].atom, over->index) ? &within : &before;
        into->powers[into->count++] = product->powers[i];
    }
    if (!within.count)
        return poly_times(arena, passes, single(arena, product), fits);
    if (!sum_powers(costing, over, &within, &sum))
        sum = keep_sum(costing, over, single(arena, &within));
    return poly_times(arena, &sum, single(arena, &before), fits);
}

Poly costing_sum(Costing *costing, const Term *index, const Term *low, const Term *high,
                 const Poly *body)
{
    Kernel *kernel = costing->kernel;
    Arena *arena = kernel->arena;
    Terms *terms = kernel->terms;
    Poly total = {0}, left = *body;
    bool fits = true;
    const Term *before_low = term_plus(terms, low, -1);
    high = costing_choice(costing, term_le(terms, before_low, high), high, before_low);
    const SumRange over = {index, low, high};
    const Term *passes = term_plus(terms, term_sum(terms, high, -1, low), 1);
    const Poly count = poly_of(arena, passes);
    while (left.count) { /* what has the same factors before the sum */
        Product before, within, other;
        Poly rest = {0}, inner = {0}, sum = {0};
        split(costing, index, &left.items[0], &before, &within);
        for (size_t i = 0; i < left.count; i++) {
            split(costing, index, &left.items[i], &other, &within);
            *ARRAY_PUSH(arena, product_alike(&before, &other) ? &inner : &rest) =
                product_alike(&before, &other) ? within : left.items[i];
        }
        const Exact factor = inner.items[0].factor;
        for (size_t i = 0; i < inner.count; i++)
            inner.items[i].factor = exact_divide(inner.items[i].factor, factor);
        before.factor = factor;
        if (!poly_depends(&inner, index) || !telescope(costing, &over, &inner, &sum))
            for (size_t i = 0; i < inner.count; i++) {
                const Poly part = sum_product(costing, &over, &count, &inner.items[i], &fits);
                sum = poly_sum(arena, &sum, 1, &part);
            }
        sum = poly_times(arena, &sum, single(arena, &before), &fits);
        total = poly_sum(arena, &total, 1, &sum);
        left = rest;
    }
    if (!fits)
        costing->why = "products of too many numbers";
    return total;
}
