/* Sums with dots, 1 + 2 + 4 + ... + p/2, as sums over an index. */
#ifndef COLLCOST_LANG_DOTS_H
#define COLLCOST_LANG_DOTS_H

#include "lang/expr.h"

/* The sum of the terms before dots, of those that follow, and of the last one: of the two or three
   in which `left`, a sum of so many terms, ends; *rest: what is before them, or NULL. NULL: they
   follow no pattern, in which a number in them rises by the same step, or by the same factor. Of
   two terms the last one says which: 1 + 2 + ... + 2^k. `text` ends behind the last one. */
Expr *dots_sum(Arena *arena, Expr *left, int terms, Expr *last, Text text, Expr **rest);

#endif
