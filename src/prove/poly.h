/* Sums of products of terms, with fractions: what a claim says, and what a program costs.

   A product may have negative powers of atoms that are at least one. */
#ifndef COLLCOST_PROVE_POLY_H
#define COLLCOST_PROVE_POLY_H

#include "lang/exact.h"
#include "prove/kernel.h"

enum { MOST_POWERS = 8 };

typedef struct {
    Exact factor;
    int count;
    struct {
        const Term *atom;
        int exponent; /* not zero */
    } powers[MOST_POWERS];
} Product;

/* Of products that differ, in an order of their own. */
ARRAY_TYPE(Poly, Product);

/* Have they the same powers? */
bool product_alike(const Product *a, const Product *b);
Poly poly_int(Arena *arena, int64_t value);
Poly poly_of(Arena *arena, const Term *term);
Poly poly_sum(Arena *arena, const Poly *a, int64_t factor, const Poly *b);
/* With more powers than fit, or numbers too large, `*fits` becomes false. */
Poly poly_times(Arena *arena, const Poly *a, const Poly *b, bool *fits);
/* By a single product. */
bool poly_divide(Arena *arena, const Poly *a, const Poly *b, Poly *quotient);
bool poly_is_int(const Poly *poly, int64_t *value);
/* Is the variable in one of its atoms? */
bool poly_depends(const Poly *poly, const Term *variable);
/* With another term for an atom: the atom itself, or wherever a variable stands. */
bool poly_replace(Kernel *kernel, const Poly *poly, const Term *atom, const Poly *by, Poly *result);
Poly poly_substitute(Kernel *kernel, const Poly *poly, const Term *variable, const Term *by,
                     bool *fits);
/* Zero just if the term is, where it can be said so; NULL: it cannot. */
const Term *poly_zero(Kernel *kernel, const Poly *poly);

#endif
