/* What the letters of a formula mean: all that they can, and the formulas that come of it.

       (p-1) alpha + (p-1)/p n beta        beta   a time per byte, a bandwidth, a startup time
                                           n      the largest buffer, one block

   A reading gives each letter one meaning. Its formula and condition are trees with the names of
   claims (model/claim.h), not checked: whether a time comes out shows when a claim is made of it.
   Logarithms are exact in claims about the sizes where they are whole, or rounded everywhere. */
#ifndef COLLCOST_CLAIMS_READINGS_H
#define COLLCOST_CLAIMS_READINGS_H

#include "claims/letters.h"

typedef struct {
    int choices[MOST_SYMBOLS]; /* of each symbol: which of its meanings */
    Expr *formula;
    Expr *when; /* NULL: no condition */
} Reading;

/* False after a report: logarithms of logarithms would be written out too often. */
bool readings_check_length(const Expr *formula, Diag *diag);
/* Calls `visit` for each reading that can be written down, the likely ones first, until it returns
   false. In readings that are `apart` no two letters mean the same. */
typedef bool (*ReadingVisitor)(void *context, const Reading *reading);
void readings_visit(Arena *arena, const Expr *formula, const SymbolList *symbols, bool apart,
                    ReadingVisitor visit, void *context);
/* Where two letters mean the same in all readings that are times, is one of them something else?
   Both may be the number of ranks if the formula is right so. False after a report. */
bool readings_check_same(const SymbolList *symbols, const int *choices, bool is_right, Diag *diag);
/* Does the reading give this symbol a meaning which it does not have in this program? */
bool reading_is_unusual(const SymbolList *symbols, const Reading *reading);

#endif
