#include "prove/poly.h"

#include <string.h>

bool product_alike(const Product *a, const Product *b)
{
    bool alike = a->count == b->count;
    for (int i = 0; alike && i < a->count; i++)
        alike = a->powers[i].atom == b->powers[i].atom &&
                a->powers[i].exponent == b->powers[i].exponent;
    return alike;
}

static void add(Arena *arena, Poly *poly, const Product *product)
{
    for (size_t i = 0; i < poly->count; i++)
        if (product_alike(&poly->items[i], product)) {
            poly->items[i].factor = exact_add(poly->items[i].factor, product->factor);
            if (poly->items[i].factor.exact && poly->items[i].factor.numerator == 0)
                poly->items[i] = poly->items[--poly->count];
            return;
        }
    if (!product->factor.exact || product->factor.numerator)
        *ARRAY_PUSH(arena, poly) = *product;
}

Poly poly_int(Arena *arena, int64_t value)
{
    Poly poly = {0};
    add(arena, &poly, &(Product){.factor = exact_from_int(value)});
    return poly;
}

Poly poly_of(Arena *arena, const Term *term)
{
    Poly poly = poly_int(arena, term->kind == TERM_LINEAR ? term->value : 0);
    Product product = {.factor = exact_from_int(1), .count = 1};
    for (int i = 0; i < (term->kind == TERM_LINEAR ? term->count : 1); i++) {
        product.powers[0].atom = term->kind == TERM_LINEAR ? term->arguments[i] : term;
        product.powers[0].exponent = 1;
        if (term->kind == TERM_LINEAR)
            product.factor = exact_from_int(term->coefficients[i]);
        add(arena, &poly, &product);
    }
    return poly;
}

Poly poly_sum(Arena *arena, const Poly *a, int64_t factor, const Poly *b)
{
    Poly sum = {0};
    for (size_t i = 0; i < a->count; i++)
        *ARRAY_PUSH(arena, &sum) = a->items[i];
    for (size_t i = 0; i < b->count; i++) {
        Product product = b->items[i];
        product.factor = exact_times(product.factor, factor);
        add(arena, &sum, &product);
    }
    return sum;
}

static bool multiply_power(Product *product, const Term *atom, int exponent)
{
    int place = 0;
    if (!exponent)
        return true;
    while (place < product->count && product->powers[place].atom->id < atom->id)
        place++;
    if (place < product->count && product->powers[place].atom == atom) {
        product->powers[place].exponent += exponent;
        if (product->powers[place].exponent == 0) {
            product->count--;
            memmove(&product->powers[place], &product->powers[place + 1],
                    (size_t)(product->count - place) * sizeof *product->powers);
        }
        return true;
    }
    if (product->count == MOST_POWERS)
        return false;
    memmove(&product->powers[place + 1], &product->powers[place],
            (size_t)(product->count - place) * sizeof *product->powers);
    product->powers[place].atom = atom;
    product->powers[place].exponent = exponent;
    product->count++;
    return true;
}

static bool multiply(const Product *a, const Product *b, int sign, Product *product)
{
    bool fits = true;
    *product = *a;
    product->factor =
        sign > 0 ? exact_multiply(a->factor, b->factor) : exact_divide(a->factor, b->factor);
    for (int i = 0; i < b->count; i++)
        fits &= multiply_power(product, b->powers[i].atom, sign * b->powers[i].exponent);
    return fits && product->factor.exact;
}

Poly poly_times(Arena *arena, const Poly *a, const Poly *b, bool *fits)
{
    Poly result = {0};
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            Product product;
            *fits &= multiply(&a->items[i], &b->items[j], 1, &product);
            add(arena, &result, &product);
        }
    return result;
}

bool poly_divide(Arena *arena, const Poly *a, const Poly *b, Poly *quotient)
{
    bool fits = b->count == 1;
    *quotient = (Poly){0};
    for (int i = 0; fits && i < b->items[0].count; i++)
        fits = b->items[0].powers[i].atom->least >= 1; /* else it may be zero */
    for (size_t i = 0; fits && i < a->count; i++) {
        Product product;
        fits &= multiply(&a->items[i], &b->items[0], -1, &product);
        add(arena, quotient, &product);
    }
    return fits;
}

bool poly_is_int(const Poly *poly, int64_t *value)
{
    *value = poly->count ? poly->items[0].factor.numerator : 0;
    return poly->count == 0 ||
           (poly->count == 1 && poly->items[0].count == 0 && poly->items[0].factor.exact &&
            poly->items[0].factor.denominator == 1);
}

bool poly_depends(const Poly *poly, const Term *variable)
{
    bool depends = false;
    for (size_t i = 0; i < poly->count; i++)
        for (int j = 0; j < poly->items[i].count; j++)
            depends |= term_depends(poly->items[i].powers[j].atom, variable);
    return depends;
}

/* 0: the atom is not in it. */
static int exponent_of(const Product *product, const Term *atom)
{
    for (int j = 0; j < product->count; j++)
        if (product->powers[j].atom == atom)
            return product->powers[j].exponent;
    return 0;
}

bool poly_replace(Kernel *kernel, const Poly *poly, const Term *atom, const Poly *by, Poly *result)
{
    Arena *arena = kernel->arena;
    bool fits = true;
    Poly sum = {0};
    for (size_t i = 0; i < poly->count && fits; i++) {
        Poly product = poly_int(arena, 1), quotient;
        int exponent = exponent_of(&poly->items[i], atom);
        product.items[0] = poly->items[i];
        multiply_power(&product.items[0], atom, -exponent);
        for (; exponent > 0; exponent--)
            product = poly_times(arena, &product, by, &fits);
        for (; exponent < 0 && fits; exponent++) {
            fits = poly_divide(arena, &product, by, &quotient);
            product = quotient;
        }
        sum = poly_sum(arena, &sum, 1, &product);
    }
    *result = sum;
    return fits;
}

Poly poly_substitute(Kernel *kernel, const Poly *poly, const Term *variable, const Term *by,
                     bool *fits)
{
    TermArray from = {0}, to = {0};
    Poly result = *poly;
    *ARRAY_PUSH(kernel->arena, &from) = variable;
    *ARRAY_PUSH(kernel->arena, &to) = by;
    for (size_t i = 0; i < poly->count; i++)
        for (int j = 0; j < poly->items[i].count; j++) {
            const Term *atom = poly->items[i].powers[j].atom;
            const Poly other = poly_of(
                kernel->arena,
                term_depends(atom, variable) ? kernel_substitute(kernel, atom, &from, &to) : atom);
            if (other.count != 1 || other.items[0].count != 1 ||
                other.items[0].powers[0].atom != atom)
                *fits &= poly_replace(kernel, &result, atom, &other, &result);
        }
    *fits &= !kernel->why;
    return result;
}

/* The least power of the atom in all products. */
static int least_power(const Poly *poly, const Term *atom)
{
    int least = 0;
    for (size_t i = 0; i < poly->count; i++) {
        const int exponent = exponent_of(&poly->items[i], atom);
        least = i == 0 || exponent < least ? exponent : least;
    }
    return least;
}

/* Without what all products have in common, and without fractions: zero only where it is. */
static bool reduce(Arena *arena, const Poly *poly, Poly *reduced)
{
    Poly common = poly_int(arena, 1);
    bool fits = true;
    *reduced = *poly;
    for (size_t i = 0; i < poly->count; i++)
        for (int j = 0; j < poly->items[i].count; j++) {
            const Term *atom = poly->items[i].powers[j].atom;
            const bool may = poly->count > 1 || atom->least >= 1; /* else it may be all of it */
            const int least = may ? least_power(poly, atom) : 0;
            if (least && least_power(&common, atom) == 0)
                fits &= multiply_power(&common.items[0], atom, least);
        }
    Poly inverse = common;
    for (int j = 0; j < common.items[0].count; j++)
        inverse.items[0].powers[j].exponent *= -1;
    *reduced = poly_times(arena, poly, &inverse, &fits);
    for (size_t i = 0; i < reduced->count && fits; i++) {
        const int64_t scale = reduced->items[i].factor.denominator;
        for (size_t j = 0; scale > 1 && j < reduced->count; j++)
            reduced->items[j].factor = exact_times(reduced->items[j].factor, scale);
        fits &= reduced->items[i].factor.exact;
    }
    return fits;
}

const Term *poly_zero(Kernel *kernel, const Poly *poly)
{
    Poly reduced;
    const Term *sum = term_int(kernel->terms, 0);
    if (!reduce(kernel->arena, poly, &reduced))
        return NULL;
    for (size_t i = 0; i < reduced.count; i++) {
        const Product *product = &reduced.items[i];
        const Term *term = term_int(kernel->terms, 1);
        for (int j = 0; j < product->count; j++)
            for (int k = 0; k < product->powers[j].exponent && !kernel->why; k++)
                term = kernel_product(kernel, term, product->powers[j].atom);
        if (kernel->why || !product->factor.exact) {
            kernel->why = NULL;
            return NULL;
        }
        sum = term_sum(kernel->terms, sum, product->factor.numerator, term);
    }
    return sum;
}
