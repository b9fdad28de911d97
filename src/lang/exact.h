/* Evaluation at one point in exact rational arithmetic, with the place of every error.

   Values are fractions of 64-bit integers. Where a root, a logarithm or the size of the numbers
   leaves no fraction, a double takes over and `exact` is false; of fractions that are only too
   large, what they are modulo a prime is kept, so that two of them can still be told apart. Only
   the branch that `when`, `and` and `or` need is evaluated. Used to compare a claim with a derived
   cost, and to say where and why a compiled program failed. */
#ifndef COLLCOST_LANG_EXACT_H
#define COLLCOST_LANG_EXACT_H

#include "lang/expr.h"

typedef struct Exact {
    bool exact;
    int64_t numerator, denominator; /* lowest terms, denominator > 0 */
    double real;                    /* the value, or its nearest double */
    bool is_large;                  /* not exact, but a fraction: */
    uint64_t residue;               /* modulo 2^61 - 1 */
} Exact;

Exact exact_from_int(int64_t value);
/* Exact where the double is a whole number below 2^53. */
Exact exact_from_double(double value);
/* A number that is no integer, from its digits: 1.5e-3 us is 15 / 10 / 10^3 / 10^6. `value` is its
   nearest double, and all that counts where the text is no number alone. O(length). */
Exact exact_from_text(Text text, double value);
Exact exact_add(Exact a, Exact b);
Exact exact_subtract(Exact a, Exact b);
Exact exact_multiply(Exact a, Exact b);
Exact exact_times(Exact value, int64_t factor);
/* `b` must not be zero. */
Exact exact_divide(Exact a, Exact b);
/* -1, 0 or 1. */
int exact_compare(Exact a, Exact b);
/* Equal fractions; if one is none, equal to 12 digits. Large ones that differ are taken to be equal
   with a probability of 2^-61. */
bool exact_equal(Exact a, Exact b);
/* Of a fraction, modulo 2^61 - 1. */
uint64_t exact_residue(Exact a);
/* "7/8", "3", "2.585" or, of a large fraction, "about 2.585". */
const char *exact_show(Arena *arena, Exact value);

/* The value of a checked expression; slots[i] holds variable i, and room for the indices of sums.
   `slots` is written by sums only. Without a `diag` nobody asks why it has none. */
bool exact_evaluate(const Expr *expr, Exact *slots, Exact *value, Diag *diag);
/* The same of many: of *terms the terms of sums are taken away, and where it would fall below zero
   it is, and there is no value. */
bool exact_evaluate_within(const Expr *expr, Exact *slots, int64_t *terms, Exact *value);
/* How many slots `expr` uses. */
int expr_slot_count(const Expr *expr);

#endif
