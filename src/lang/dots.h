/* Sums with dots, 1 + 2 + 4 + ... + p/2, as sums over an index. */
#ifndef COLLCOST_LANG_DOTS_H
#define COLLCOST_LANG_DOTS_H

#include "lang/expr.h"

enum { MOST_TERMS_BEFORE_DOTS = 3 };

/* The sum of the terms, two or three, of those that follow, and of the last one. Of three the first
   may be no such term: then *count becomes 2. NULL: they follow no pattern, in which a number in
   them rises by the same step, or by the same factor. Of two terms the last one says which:
   1 + 2 + ... + 2^k. */
Expr *dots_sum(Arena *arena, Expr *const *terms, int *count, Expr *last, Text text);

#endif
