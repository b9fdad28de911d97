/* Evaluation at one point in exact rational arithmetic, with the place of every error.

   Values are fractions of 64-bit integers. Where a root, a logarithm or the size of the numbers
   leaves no fraction, a double takes over and `exact` is false. Only the branch that `when`, `and`
   and `or` need is evaluated. Used to compare a claim with a derived cost, and to say where and
   why a compiled program failed. */
#ifndef COLLCOST_LANG_EXACT_H
#define COLLCOST_LANG_EXACT_H

#include "lang/expr.h"

typedef struct {
    bool exact;
    int64_t numerator, denominator; /* lowest terms, denominator > 0 */
    double real;                    /* the value, or its nearest double */
} Exact;

Exact exact_from_int(int64_t value);
/* Exact where the double is a whole number below 2^53. */
Exact exact_from_double(double value);
Exact exact_add(Exact a, Exact b);
Exact exact_subtract(Exact a, Exact b);
Exact exact_multiply(Exact a, Exact b);
/* `b` must not be zero. */
Exact exact_divide(Exact a, Exact b);
/* -1, 0 or 1. */
int exact_compare(Exact a, Exact b);
/* Equal fractions; if one is inexact, equal to 12 digits. */
bool exact_equal(Exact a, Exact b);
/* "7/8", "3" or "2.585". */
const char *exact_show(Arena *arena, Exact value);

/* The value of a checked expression; slots[i] holds variable i, and room for the indices of sums.
   `slots` is written by sums only. */
bool exact_evaluate(const Expr *expr, Exact *slots, Exact *value, Diag *diag);
/* How many slots `expr` uses. */
int expr_slot_count(const Expr *expr);

#endif
