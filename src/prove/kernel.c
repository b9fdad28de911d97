#include "prove/kernel.h"

#include <inttypes.h>

Kernel *kernel_create(Arena *arena, RankCase ranks, int64_t branches, int64_t ports,
                      int64_t least_p)
{
    Kernel *kernel = ARENA_NEW(arena, Kernel);
    *kernel = (Kernel){.arena = arena,
                       .terms = terms_create(arena),
                       .ranks = ranks,
                       .branches = branches,
                       .ports = ports,
                       .most_work = INT64_MAX,
                       .p_base = ranks == RANKS_POWERS ? 2 : 0};
    const int64_t least = least_p > branches ? least_p : branches > 1 ? branches : 1;
    kernel->p = term_free(kernel->terms, "p", term_int(kernel->terms, least), NULL);
    return kernel;
}

void kernel_lets(Env *env, const LetList *lets)
{
    for (size_t i = 0; i < lets->count; i++) {
        env->slots[lets->items[i].slot] = NULL;
        env->lets[lets->items[i].slot] = program_expr(lets->items[i].program);
    }
}

static const Term *any_rank(Kernel *kernel, const Term **kept, const char *name)
{
    const Term *last = term_plus(kernel->terms, kernel->p, -1);
    if (!*kept)
        *kept = term_free(kernel->terms, name, term_int(kernel->terms, 0), last);
    return *kept;
}

const Term *kernel_root(Kernel *kernel)
{
    return any_rank(kernel, &kernel->root, "root");
}

const Term *kernel_target(Kernel *kernel)
{
    return any_rank(kernel, &kernel->target, "target");
}

const Term *kernel_chunks(Kernel *kernel)
{
    if (!kernel->chunks) {
        kernel->chunks = term_free(kernel->terms, "k", term_int(kernel->terms, 1), NULL);
        kernel->chunks->variable->high = kernel->p; /* of samples */
    }
    return kernel->chunks;
}

Env kernel_env(Kernel *kernel, const Algorithm *algorithm, RankCase ranks)
{
    Terms *terms = kernel->terms;
    Env env = {0};
    env.slots[SCHEDULE_P] = kernel->p;
    env.slots[SCHEDULE_D] = term_int(terms, kernel->ports);
    env.slots[SCHEDULE_BRANCHES] = term_int(terms, kernel->branches);
    if (algorithm->collective->rooted)
        env.slots[SCHEDULE_ROOT] = ranks == RANKS_POWERS ? term_int(terms, 0) : kernel_root(kernel);
    if (algorithm->collective->targeted)
        env.slots[SCHEDULE_TARGET] = kernel_target(kernel);
    if (algorithm->free_chunks)
        env.slots[SCHEDULE_K] = kernel_chunks(kernel);
    kernel_lets(&env, &algorithm->lets);
    return env;
}

/* Where x is split at both of two levels next to one another: their difference is a digit. */
static void relate_wholes(Kernel *kernel, const PowerLevel *low, const PowerLevel *high,
                          const Term *x, const Term *whole)
{
    Terms *terms = kernel->terms;
    if (!low || !high)
        return;
    const Term *wholes[2] = {NULL, NULL}, *some = term_bool(terms, false);
    for (int i = 0; i < 2; i++) {
        const PowerLevel *level = i ? high : low;
        for (size_t j = 0; j < level->parts.count; j++)
            if (level->parts.items[j] == x)
                wholes[i] = level->wholes.items[j];
    }
    for (int64_t k = 0; wholes[0] && wholes[1] && k < low->chain->base; k++)
        some = term_or(terms, some,
                       term_equal(terms, wholes[0], term_sum(terms, wholes[1], k, low->value)));
    if (wholes[0] && wholes[1])
        term_axiom(terms, whole, some);
}

/* The first choice among the atoms of x, or NULL. */
static const Term *find_choice(const Term *x)
{
    if (x->kind == TERM_CHOICE)
        return x;
    for (int i = 0; x->kind == TERM_LINEAR && i < x->count; i++)
        if (x->arguments[i]->kind == TERM_CHOICE)
            return x->arguments[i];
    return NULL;
}

typedef const Term *Part(Kernel *kernel, const Term *x, const Term *of);

/* The same part of both branches of a choice in x. */
static const Term *part_of_branches(Kernel *kernel, Part *part, const Term *x, const Term *choice,
                                    const Term *of)
{
    Terms *terms = kernel->terms;
    const int64_t factor = term_coefficient(x, choice);
    const Term *rest = term_sum(terms, x, -factor, choice);
    const Term *other = part(kernel, term_sum(terms, rest, factor, choice->arguments[2]), of);
    const Term *one = part(kernel, term_sum(terms, rest, factor, choice->arguments[1]), of);
    return term_choice(terms, choice->arguments[0], one, other);
}

static const Term *whole_part(Kernel *kernel, PowerLevel *level, const Term *x);

static const Term *whole_of(Kernel *kernel, const Term *x, const Term *value)
{
    return whole_part(kernel, kernel_find_level(kernel, value), x);
}

/* x split at a level: the largest multiple of its value that is at most x. */
static const Term *whole_part(Kernel *kernel, PowerLevel *level, const Term *x)
{
    if (find_choice(x))
        return part_of_branches(kernel, whole_of, x, find_choice(x), level->value);
    Terms *terms = kernel->terms;
    const Term *multiple = term_int(terms, 0);
    int64_t value;
    for (size_t i = 0; i < level->parts.count; i++)
        if (level->parts.items[i] == x)
            return level->wholes.items[i];
    if (term_is_int(level->value, &value))
        return term_sum(terms, x, -1, term_mod(terms, x, value));
    for (int i = 0; x->kind == TERM_LINEAR && i < x->count; i++)
        if (level_divides(level, x->arguments[i], x->coefficients[i]))
            multiple = term_sum(terms, multiple, x->coefficients[i], x->arguments[i]);
    if (x->kind != TERM_LINEAR && level_divides(level, x, 1))
        return x;
    const Term *rest = term_sum(terms, x, -1, multiple);
    if (term_is_int(rest, &value) && value == 0)
        return x;
    const Term *whole =
        term_defined(terms, "a", term_operation(terms, TERM_MULTIPLE, 0, rest, level->value), NULL);
    if (!whole->variable->level) {
        whole->variable->level = level;
        const Term *left = term_sum(terms, rest, -1, whole);
        term_axiom(terms, whole, term_le(terms, term_int(terms, 0), left));
        term_axiom(terms, whole, term_less(terms, left, level->value));
        if (rest->least >= 0) {
            term_axiom(terms, whole, term_le(terms, term_int(terms, 0), whole));
            ((Term *)whole)->least = 0;
        }
    }
    const Term *sum = term_sum(terms, whole, 1, multiple);
    *ARRAY_PUSH(kernel->arena, &level->parts) = x;
    *ARRAY_PUSH(kernel->arena, &level->wholes) = sum;
    PowerLevel *const *levels = &level->chain->levels[level->place - level->chain->shift];
    relate_wholes(kernel, level, levels[1], x, whole);
    if (level->place > level->chain->shift)
        relate_wholes(kernel, levels[-1], level, x, whole);
    return sum;
}

/* A factor and its product, whose axioms `variable` gets: where it lies among small multiples. */
static void add_product(Kernel *kernel, PowerLevel *level, const Term *variable, const Term *factor,
                        const Term *product)
{
    Terms *terms = kernel->terms;
    for (int64_t k = -2; k <= level->chain->base; k++) {
        const Term *most = term_le(terms, product, term_times(terms, level->value, k));
        term_axiom(terms, variable,
                   term_same(terms, term_le(terms, factor, term_int(terms, k)), most));
    }
    *ARRAY_PUSH(kernel->arena, &level->factors) = factor;
    *ARRAY_PUSH(kernel->arena, &level->products) = product;
}

/* factor * level for an atom. */
static const Term *product_of_atom(Kernel *kernel, PowerLevel *level, const Term *factor)
{
    Terms *terms = kernel->terms;
    for (size_t i = 0; i < level->factors.count; i++)
        if (level->factors.items[i] == factor)
            return level->products.items[i];
    const Term *product = term_defined(
        terms, "a", term_operation(terms, TERM_PRODUCT, 0, factor, level->value), NULL);
    product->variable->level = level;
    add_product(kernel, level, product, factor, product);
    return product;
}

/* Of a number of which few values are possible: one of so many multiples. */
static const Term *product_by_cases(Kernel *kernel, const Term *few, const Term *other)
{
    Terms *terms = kernel->terms;
    const Term *product = term_times(terms, other, few->most);
    for (int64_t value = few->most - 1; value >= few->least; value--) {
        const Term *multiple = term_times(terms, other, value);
        product =
            term_choice(terms, term_equal(terms, few, term_int(terms, value)), multiple, product);
    }
    return product;
}

static bool has_few_values(const Term *term)
{
    int64_t width;
    return term->least != INT64_MIN && term->most != INT64_MAX &&
           !__builtin_sub_overflow(term->most, term->least, &width) && width <= 16;
}

static const Term *product_of_linear(Kernel *kernel, PowerLevel *level, const Term *factor)
{
    Terms *terms = kernel->terms;
    const bool is_form = factor->kind == TERM_LINEAR;
    const Term *sum = term_times(terms, level->value, is_form ? factor->value : 0);
    for (int i = 0; i < (is_form ? factor->count : 1); i++) {
        const Term *atom = is_form ? factor->arguments[i] : factor;
        bool known = false;
        for (size_t j = 0; j < level->factors.count; j++)
            known |= level->factors.items[j] == atom;
        const Term *part = !known && has_few_values(atom)
                               ? product_by_cases(kernel, atom, level->value)
                               : product_of_atom(kernel, level, atom);
        sum = term_sum(terms, sum, is_form ? factor->coefficients[i] : 1, part);
    }
    return sum;
}

const Term *kernel_product(Kernel *kernel, const Term *a, const Term *b)
{
    int64_t value;
    if (term_is_int(a, &value))
        return term_times(kernel->terms, b, value);
    if (term_is_int(b, &value))
        return term_times(kernel->terms, a, value);
    PowerLevel *level = kernel_find_level(kernel, b);
    if (level)
        return product_of_linear(kernel, level, a);
    level = kernel_find_level(kernel, a);
    if (level)
        return product_of_linear(kernel, level, b);
    if (has_few_values(a))
        return product_by_cases(kernel, a, b);
    if (has_few_values(b))
        return product_by_cases(kernel, b, a);
    return kernel_refuse(kernel, "a product of two numbers that are not known");
}

/* x mod M for a number M that is no power: y in 0 .. M - 1, x = y - k M for a small k. */
enum { MOST_TURNS = 3 };

/* Is 0 <= x < divisor by what is known of x? */
static bool is_below(Kernel *kernel, const Term *x, const Term *divisor)
{
    Terms *terms = kernel->terms;
    if (x->least < 0)
        return false;
    const bool is_free = x->variable && !x->variable->definition && x->variable->high;
    return term_is_true(term_less(terms, x, divisor)) ||
           (is_free && term_is_true(term_less(terms, x->variable->high, divisor)));
}

/* Does x lie within as many multiples of a divisor as are looked at? */
static const Term *is_near(Terms *terms, const Term *x, const Term *divisor)
{
    const Term *below = term_less(terms, x, term_times(terms, divisor, MOST_TURNS + 1));
    return term_and(terms, term_le(terms, term_times(terms, divisor, -MOST_TURNS), x), below);
}

static const Term *any_modulo(Kernel *kernel, const Term *a, const Term *divisor)
{
    Terms *terms = kernel->terms;
    if (find_choice(a))
        return part_of_branches(kernel, any_modulo, a, find_choice(a), divisor);
    if (divisor->least < 1)
        return kernel_refuse(kernel, "a remainder by what may be zero");
    const Term *x = a;
    if (divisor->variable)
        x = term_sum(terms, x, -term_coefficient(x, divisor), divisor);
    for (int i = 0; x->kind == TERM_LINEAR && i < x->count; i++) {
        const Term *atom = x->arguments[i];
        const Term *inner = atom->variable ? atom->variable->definition : NULL;
        if (!inner || inner->kind != TERM_ANY_MOD || inner->arguments[1] != divisor)
            continue;
        const int64_t factor = x->coefficients[i];
        x = term_sum(terms, term_sum(terms, x, -factor, atom), factor, inner->arguments[0]);
        i = -1;
    }
    const Term *before = x->variable ? x->variable->definition : NULL;
    if (before && before->kind == TERM_ANY_MOD && before->arguments[1] == divisor)
        return x;
    const Term *zero = term_int(terms, 0);
    if (is_below(kernel, x, divisor))
        return x;
    const Term *y =
        term_defined(terms, "m", term_operation(terms, TERM_ANY_MOD, 0, x, divisor), NULL);
    if (y->variable->axioms.count)
        return y;
    term_axiom(terms, y, term_le(terms, zero, y));
    term_axiom(terms, y, term_less(terms, y, divisor));
    ((Term *)y)->least = 0;
    ((Term *)y)->most = divisor->most == INT64_MAX ? INT64_MAX : divisor->most - 1;
    const Term *near = is_near(terms, x, divisor);
    const Term *some = term_bool(terms, false);
    for (int64_t k = -MOST_TURNS; k <= MOST_TURNS; k++)
        some = term_or(terms, some, term_equal(terms, y, term_sum(terms, x, k, divisor)));
    term_axiom(terms, y, term_implies(terms, near, some));
    return y;
}

/* The digit of x that a level stands for, with the factor's product: W_N - W_(base N). */
static const Term *digit(Kernel *kernel, PowerLevel *level, const Term *x)
{
    Terms *terms = kernel->terms;
    if (find_choice(x))
        return part_of_branches(kernel, kernel_digit, x, find_choice(x), level->value);
    const int64_t base = level->chain->base;
    PowerLevel *above = kernel_level_at(kernel, level->chain, level->place + 1);
    if (!above)
        return kernel_refuse(kernel, "a power above those that are followed");
    const Term *low = whole_part(kernel, level, x), *high = whole_part(kernel, above, x);
    const Term *product = term_sum(terms, low, -1, high);
    int64_t value;
    if (term_is_int(product, &value) && value == 0)
        return term_int(terms, 0);
    if (term_is_int(level->value, &value))
        return term_mod(terms, term_div(terms, x, value), base);
    const Term *d =
        term_defined(terms, "d", term_operation(terms, TERM_DIGIT, base, x, level->value), NULL);
    if (d->variable->axioms.count)
        return d;
    ((Term *)d)->least = 0;
    ((Term *)d)->most = base - 1;
    const Term *some = term_bool(terms, false);
    for (int64_t k = 0; k < base; k++) {
        const Term *multiple = term_equal(terms, product, term_times(terms, level->value, k));
        const Term *is = term_equal(terms, d, term_int(terms, k));
        some = term_or(terms, some, term_and(terms, is, multiple));
    }
    term_axiom(terms, d, some);
    *ARRAY_PUSH(kernel->arena, &level->factors) = d;
    *ARRAY_PUSH(kernel->arena, &level->products) = product;
    return d;
}

const Term *kernel_digit(Kernel *kernel, const Term *x, const Term *power)
{
    PowerLevel *level = kernel_find_level(kernel, power);
    int64_t value;
    if (level)
        return digit(kernel, level, x);
    if (term_is_int(power, &value) && value > 0)
        return term_mod(kernel->terms, term_div(kernel->terms, x, value), 2);
    return kernel_refuse(kernel, "a digit at no power");
}

const Term *kernel_xor(Kernel *kernel, const Term *a, const Term *b)
{
    Terms *terms = kernel->terms;
    int64_t value;
    if (term_is_int(a, &value)) {
        const Term *other = a;
        a = b, b = other;
    }
    const PowerLevel *level = kernel_find_level(kernel, b);
    if (term_is_int(b, &value) && value == 0)
        return a;
    if (a == b)
        return term_int(terms, 0);
    const bool is_power = level ? level->chain->base == 2
                                : term_is_int(b, &value) && value > 0 && !(value & (value - 1));
    if (!is_power)
        return kernel_refuse(kernel, "xor of numbers that are no powers");
    const Term *off = term_sum(terms, a, -1, b), *on = term_sum(terms, a, 1, b);
    const Term *zero = term_int(terms, 0);
    return term_choice(terms, term_equal(terms, kernel_digit(kernel, a, b), zero), on, off);
}

/* Where the atom is the quotient x div N of a level: the level and x. */
static PowerLevel *level_of_quotient(Kernel *kernel, const Term *atom, const Term **x)
{
    const Term *definition = atom->variable ? atom->variable->definition : NULL;
    if (!definition || definition->kind != TERM_ANY_DIV)
        return NULL;
    *x = definition->arguments[0];
    return kernel_find_level(kernel, definition->arguments[1]);
}

static const Term *constant_modulo(Kernel *kernel, const Term *a, int64_t divisor)
{
    Terms *terms = kernel->terms;
    const bool is_form = a->kind == TERM_LINEAR;
    for (int i = 0; i < (is_form ? a->count : 1); i++) {
        const Term *x, *atom = is_form ? a->arguments[i] : a;
        PowerLevel *level = level_of_quotient(kernel, atom, &x);
        if (level && level->chain->base == divisor && atom->most == INT64_MAX) {
            const int64_t factor = term_coefficient(a, atom);
            const Term *last = digit(kernel, level, x);
            a = term_sum(terms, term_sum(terms, a, -factor, atom), factor, last);
        }
        if (a->kind != TERM_LINEAR)
            break;
    }
    if (!has_few_values(a))
        return term_mod(terms, a, divisor);
    const Term *result = a;
    for (int64_t turns = a->least / divisor - 1; turns <= a->most / divisor + 1; turns++) {
        const Term *rest = term_plus(terms, a, -turns * divisor);
        const Term *reaches = term_le(terms, term_int(terms, turns * divisor), a);
        result = term_choice(terms, reaches, rest, result);
    }
    return result;
}

const Term *kernel_modulo(Kernel *kernel, const Term *a, const Term *divisor)
{
    int64_t value;
    if (term_is_int(divisor, &value))
        return value > 0 ? constant_modulo(kernel, a, value)
                         : kernel_refuse(kernel, "a remainder by a number below 1");
    PowerLevel *level = kernel_find_level(kernel, divisor);
    if (level && divisor != kernel->p)
        return term_sum(kernel->terms, a, -1, whole_part(kernel, level, a));
    return any_modulo(kernel, a, divisor);
}

const Term *kernel_quotient(Kernel *kernel, const Term *a, const Term *divisor)
{
    Terms *terms = kernel->terms;
    int64_t value;
    if (term_is_int(divisor, &value))
        return value > 0 ? term_div(terms, a, value)
                         : kernel_refuse(kernel, "a quotient by a number below 1");
    if (find_choice(a))
        return part_of_branches(kernel, kernel_quotient, a, find_choice(a), divisor);
    PowerLevel *level = kernel_find_level(kernel, divisor);
    if (level) {
        int64_t whole = 0, factor = 1;
        for (int i = level->chain->shift; i < level->place; i++)
            factor *= level->chain->base;
        whole = term_coefficient(a, level->chain->unit) / factor;
        if (whole)
            return term_plus(terms,
                             kernel_quotient(kernel, term_sum(terms, a, -whole, divisor), divisor),
                             whole);
    }
    const Term *multiple = level ? whole_part(kernel, level, a) : NULL;
    if (multiple && term_is_int(multiple, &value) && value == 0)
        return multiple;
    if (!level) {
        if (divisor->least < 1)
            return kernel_refuse(kernel, "a quotient by what may be zero");
        if (is_below(kernel, a, divisor))
            return term_int(terms, 0);
    }
    const Term *quotient =
        term_defined(terms, "q", term_operation(terms, TERM_ANY_DIV, 0, a, divisor), NULL);
    if (quotient->variable->axioms.count)
        return quotient;
    if (a->least >= 0) {
        term_axiom(terms, quotient, term_le(terms, term_int(terms, 0), quotient));
        ((Term *)quotient)->least = 0;
    }
    if (level) {
        add_product(kernel, level, quotient, quotient, multiple);
        return quotient;
    }
    const Term *some = term_bool(terms, false);
    for (int64_t k = -MOST_TURNS; k <= MOST_TURNS; k++) {
        const Term *rest = term_sum(terms, a, -k, divisor);
        const Term *below = term_less(terms, rest, divisor);
        const Term *is_rest = term_and(terms, term_le(terms, term_int(terms, 0), rest), below);
        const Term *is = term_equal(terms, quotient, term_int(terms, k));
        some = term_or(terms, some, term_and(terms, is, is_rest));
    }
    term_axiom(terms, quotient, term_implies(terms, is_near(terms, a, divisor), some));
    return quotient;
}

const Term *kernel_lowest_bit(Kernel *kernel, const Term *x)
{
    Terms *terms = kernel->terms;
    const Term *low =
        term_defined(terms, "low", term_operation(terms, TERM_LOWEST_BIT, 0, x, NULL), NULL);
    if (!low->variable->axioms.count) {
        term_axiom(terms, low, term_le(terms, term_int(terms, 1), low));
        term_axiom(terms, low, term_le(terms, low, x));
        ((Term *)low)->least = 1;
    }
    return low;
}

/* The term whose definition is `definition`, with other arguments. */
static const Term *rebuild(Kernel *kernel, const Term *term, const Term *definition,
                           const Term *const *a)
{
    Terms *terms = kernel->terms;
    const Term *made;
    switch (definition->kind) {
    case TERM_LINEAR:
        made = term_int(terms, term->value);
        for (int i = 0; i < term->count; i++)
            made = term_sum(terms, made, term->coefficients[i], a[i]);
        return made;
    case TERM_CHOICE:
        return term_choice(terms, a[0], a[1], a[2]);
    case TERM_DIV:
        return kernel_quotient(kernel, a[0], term_int(terms, term->value));
    case TERM_MOD:
        return kernel_modulo(kernel, a[0], term_int(terms, term->value));
    case TERM_AT_LEAST_ZERO:
        return term_le(terms, term_int(terms, 0), a[0]);
    case TERM_ZERO:
        return term_equal(terms, a[0], term_int(terms, 0));
    case TERM_AND:
    case TERM_OR:
        made = term_bool(terms, definition->kind == TERM_AND);
        for (int i = 0; i < term->count; i++)
            made = definition->kind == TERM_AND ? term_and(terms, made, a[i])
                                                : term_or(terms, made, a[i]);
        return made;
    case TERM_NOT:
        return term_not(terms, a[0]);
    case TERM_ANY_MOD:
        return any_modulo(kernel, a[0], a[1]);
    case TERM_ANY_DIV:
        return kernel_quotient(kernel, a[0], a[1]);
    case TERM_MULTIPLE: {
        PowerLevel *level = kernel_find_level(kernel, a[1]);
        return level ? whole_part(kernel, level, a[0])
                     : term_sum(terms, a[0], -1, kernel_modulo(kernel, a[0], a[1]));
    }
    case TERM_DIGIT: {
        PowerLevel *level = kernel_find_level(kernel, a[1]);
        const Term *base = term_int(terms, definition->value);
        return level ? digit(kernel, level, a[0])
                     : kernel_modulo(kernel, kernel_quotient(kernel, a[0], a[1]), base);
    }
    case TERM_PRODUCT:
        return kernel_product(kernel, a[0], a[1]);
    case TERM_LOWEST_BIT:
        return a[0]->least >= 1 ? kernel_lowest_bit(kernel, a[0])
                                : kernel_refuse(kernel, "the lowest bit of what may be none");
    case TERM_POWER:
        return kernel_power(kernel, definition->value, a[0]);
    default:
        return kernel_refuse(kernel, "a place that is not followed");
    }
}

static const Term *substitute(Kernel *kernel, const Term *term, const TermArray *from,
                              const TermArray *to, PlaceTable *done, TermArray *results)
{
    const Term *definition = term->variable ? term->variable->definition : term;
    for (size_t i = 0; i < from->count; i++)
        if (from->items[i] == term)
            return to->items[i];
    int32_t *place = place_table_find(kernel->arena, done, (uint64_t)term->id);
    if (*place >= 0)
        return results->items[*place];
    if (!definition)
        return term;
    const Term **a = ARENA_ARRAY(kernel->arena, const Term *, (size_t)definition->count);
    bool same = true;
    for (int i = 0; i < definition->count; i++) {
        a[i] = substitute(kernel, definition->arguments[i], from, to, done, results);
        same &= a[i] == definition->arguments[i];
    }
    if (same)
        return term;
    const Term *made = rebuild(kernel, term, definition, a);
    *place_table_find(kernel->arena, done, (uint64_t)term->id) = (int32_t)results->count;
    *ARRAY_PUSH(kernel->arena, results) = made;
    return made;
}

const Term *kernel_substitute(Kernel *kernel, const Term *term, const TermArray *from,
                              const TermArray *to)
{
    PlaceTable done = {0};
    TermArray results = {0};
    return substitute(kernel, term, from, to, &done, &results);
}
