/* Whether a closed form is convex in the number of chunks.

   Seen from its tree, with all but k, sizes and parameters put in (claim_fold): it is a sum of
   terms c k^e, -2 <= e <= 2, where only those of k^0 and k^1 may have a negative c. Then no other
   number of chunks is better than one that is better than its neighbours. */
#ifndef COLLCOST_COST_CONVEXITY_H
#define COLLCOST_COST_CONVEXITY_H

#include "lang/expr.h"

/* Proven; false where something else is in the formula. Sizes and parameters are taken not to be
   negative. O(size). */
bool formula_is_convex(const Expr *formula);

#endif
