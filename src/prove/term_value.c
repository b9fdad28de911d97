/* What terms are at a point: each is evaluated once, for all that have it. */
#include "prove/term.h"

void terms_new_point(Terms *terms)
{
    if (terms->items.count > terms->room) {
        terms->room = terms->items.count * 2;
        terms->values = ARENA_ROOM(terms->arena, int64_t, terms->room);
        terms->seen = ARENA_ARRAY(terms->arena, unsigned, terms->room);
        terms->point = 0;
    }
    terms->point++;
    terms->undefined = false;
}

static int64_t power(Terms *terms, int64_t base, int64_t exponent)
{
    int64_t value = 1;
    terms->undefined |= exponent < 0;
    while (exponent-- > 0)
        if (__builtin_mul_overflow(value, base, &value)) {
            terms->undefined = true;
            return 1;
        }
    return value;
}

/* The least e with base^e >= x, or the largest with base^e <= x. */
static int64_t whole_log(Terms *terms, int64_t base, int64_t x, bool up)
{
    int64_t exponent = 0, value = 1;
    terms->undefined |= x < 1;
    while (up ? value < x : value <= x / base)
        value *= base, exponent++;
    return exponent;
}

static int64_t divide(Terms *terms, int64_t a, int64_t b, bool remainder)
{
    if (b == 0) {
        terms->undefined = true;
        return 0;
    }
    const int64_t quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return remainder ? a - quotient * b : quotient;
}

static int64_t find_value(Terms *terms, const Term *term);

int64_t term_value(Terms *terms, const Term *term)
{
    if ((size_t)term->id < terms->room && terms->seen[term->id] == terms->point)
        return terms->values[term->id];
    const int64_t value = find_value(terms, term);
    terms->work++;
    if ((size_t)term->id < terms->room) {
        terms->seen[term->id] = terms->point;
        terms->values[term->id] = value;
    }
    return value;
}

static int64_t find_value(Terms *terms, const Term *term)
{
    const Term *const *a = term->arguments;
    int64_t sum = term->value, product;
    switch (term->kind) {
    case TERM_LINEAR:
        for (int i = 0; i < term->count; i++)
            terms->undefined |=
                __builtin_mul_overflow(term_value(terms, a[i]), term->coefficients[i], &product) ||
                __builtin_add_overflow(sum, product, &sum);
        return sum;
    case TERM_VARIABLE:
        return term->variable->definition ? term_value(terms, term->variable->definition)
                                          : term->variable->now;
    case TERM_CHOICE:
        return term_value(terms, a[term_value(terms, a[0]) ? 1 : 2]);
    case TERM_DIV:
    case TERM_MOD:
        return divide(terms, term_value(terms, a[0]), term->value, term->kind == TERM_MOD);
    case TERM_AT_LEAST_ZERO:
        return term_value(terms, a[0]) >= 0;
    case TERM_ZERO:
        return term_value(terms, a[0]) == 0;
    case TERM_AND:
    case TERM_OR:
        for (int i = 0; i < term->count; i++)
            if ((term_value(terms, a[i]) != 0) == (term->kind == TERM_OR))
                return term->kind == TERM_OR;
        return term->kind == TERM_AND;
    case TERM_NOT:
        return !term_value(terms, a[0]);
    case TERM_ANY_MOD:
    case TERM_ANY_DIV:
        return divide(terms, term_value(terms, a[0]), term_value(terms, a[1]),
                      term->kind == TERM_ANY_MOD);
    case TERM_MULTIPLE:
        product = term_value(terms, a[0]);
        return product - divide(terms, product, term_value(terms, a[1]), true);
    case TERM_DIGIT:
        return divide(terms, divide(terms, term_value(terms, a[0]), term_value(terms, a[1]), false),
                      term->value, true);
    case TERM_PRODUCT:
        terms->undefined |=
            __builtin_mul_overflow(term_value(terms, a[0]), term_value(terms, a[1]), &product);
        return product;
    case TERM_POWER:
        return power(terms, term->value, term_value(terms, a[0]));
    case TERM_CEIL_LOG:
    case TERM_FLOOR_LOG:
        return whole_log(terms, term->value, term_value(terms, a[0]), term->kind == TERM_CEIL_LOG);
    case TERM_LOWEST_BIT:
        product = term_value(terms, a[0]);
        return product & -product;
    }
    return 0;
}
