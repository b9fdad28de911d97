/* Values of expressions as linear functions of the rank, for ranks that follow one another in equal
   steps.

       senders      2, 6, 10, ...      Progression {2, 4, count}
       value        a (r xor x) + b    Linear {a, x, b}

   In a row of ranks most expressions of schedules are of this form: (r + 1) mod p is r + 1 up to
   the last rank, and 0 there. Where an expression has one form for the first ranks, and another one
   for those after them, the progression is to be split. */
#ifndef COLLCOST_LANG_LINEAR_H
#define COLLCOST_LANG_LINEAR_H

#include "lang/interval.h"

/* first, first + stride, ..., `count` of them; ranks of 0 .. p - 1. */
typedef struct {
    int64_t first, stride, count;
} Progression;

static inline int64_t progression_last(const Progression *ranks)
{
    return ranks->first + (ranks->count - 1) * ranks->stride;
}

typedef struct {
    int64_t scale, mask, offset; /* the mask is of ranks, and 0 where the scale is */
} Linear;

/* What the names are: bit i of `lets`: variable i stands for an expression of the rank. Of the
   others that do not vary, `box` knows the values; of those that do, what they can be. */
typedef struct {
    int64_t p;
    int rank; /* the slot of the rank */
    Box box;
    uint64_t lets;
    const Expr *meanings[MOST_SLOTS];
} LinearScope;

typedef enum {
    LINEAR_FOUND,
    LINEAR_SPLIT, /* the first `*split` ranks, 0 < *split < count, and the others by themselves */
    LINEAR_LOST   /* nothing is known */
} LinearAnswer;

/* The value of a checked expression for all these ranks. */
LinearAnswer linear_find(const Expr *expr, const LinearScope *scope, const Progression *ranks,
                         Linear *value, int64_t *split);
/* Leaves those ranks for which a condition holds. */
LinearAnswer linear_restrict(const Expr *condition, const LinearScope *scope, Progression *ranks,
                             int64_t *split);
/* Bounds of the values; false: too large. Without a mask they are reached. */
bool linear_range(const Linear *value, const LinearScope *scope, const Progression *ranks,
                  Interval *range);
/* How many of the first values are below `end` while the others are not, or the other way round.
   Only without a mask. */
int64_t linear_below(const Linear *value, const Progression *ranks, int64_t end);

#endif
