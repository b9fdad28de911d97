/* Interval arithmetic: which whole numbers an expression can be, from what its names can be.

   Where all names are single values, so is the result, and equal to what a program gives. */
#ifndef COLLCOST_LANG_INTERVAL_H
#define COLLCOST_LANG_INTERVAL_H

#include "lang/expr.h"

/* least .. most, neither of them INT64_MIN; conditions are 0 or 1. */
typedef struct {
    int64_t least, most;
} Interval;

static inline Interval interval_union(Interval a, Interval b)
{
    return (Interval){a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
}

/* What each variable can be; bit i of `known`: something is known of variable i. */
typedef struct {
    Interval slots[MOST_SLOTS];
    uint64_t known;
    bool is_in_sum; /* a sum in a sum is not looked at */
} Box;

static inline void box_set(Box *box, int slot, int64_t least, int64_t most)
{
    box->slots[slot] = (Interval){least, most};
    box->known |= (uint64_t)1 << slot;
}

/* The value of a checked expression lies in `*interval` for all points of the box. False, silently,
   if it might have none at a point, is real, or has parts of which nothing is known. */
bool interval_find(const Expr *expr, const Box *box, Interval *interval);

/* The same of an operation on one value, or two. */
bool interval_operate(ExprKind kind, const Interval *arguments, Interval *result);

#endif
