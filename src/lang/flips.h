/* How the value of an expression changes when ranks are exchanged by a bit of their number: r with
   r xor 2^b.

       has bits    base + v, where v has no other bits than some, and becomes v xor flips:
                   r, r div 4, r mod 4 * 8 + 5
       stays       within bounds
       or does something else.

   Products, quotients and rests by powers of two have bits again. That is read off the tree, for
   all values at once. */
#ifndef COLLCOST_LANG_FLIPS_H
#define COLLCOST_LANG_FLIPS_H

#include "lang/expr.h"

typedef enum { FLIPS_OTHER, FLIPS_BITS, FLIPS_STAYS } FlipKind;

typedef struct {
    FlipKind kind;
    int64_t base, mask, flips; /* of what has bits */
    int64_t least, most;       /* of both */
} Flip;

typedef struct {
    Flip slots[MOST_SLOTS];
} FlipScope;

Flip flip_bits(int64_t base, int64_t mask, int64_t flips);
Flip flip_known(int64_t value);
/* Does the value stay, in one form or the other? */
bool flip_rests(const Flip *value);
/* How the value of a checked expression changes, in O(nodes). */
Flip flip_find(const Expr *expr, const FlipScope *scope);

#endif
