/* What is said about formulas beside them: conditions on the ranks, and what a letter stands for.
 */
#ifndef COLLCOST_LANG_EQUATION_REMARK_H
#define COLLCOST_LANG_EQUATION_REMARK_H

#include "lang/equation_text.h"
#include "lang/expr.h"
#include "lang/informal_lexer.h"

typedef struct {
    Expr *formula;
    Relation relation;
} EquationPart;
ARRAY_TYPE(EquationParts, EquationPart);

/* The condition of a case; *is_rest: that of all others. NULL after a report, or with that. */
Expr *condition_read(Arena *arena, Text text, InformalLetters *letters, bool *is_rest, Diag *diag);
/* What the clauses of a remark say about the formulas before it: conditions, which are added to the
   one there is (or NULL), and definitions. False: nothing that is understood. */
bool remark_read(Arena *arena, Text remark, InformalLetters *letters, EquationParts *parts,
                 Expr **condition);

#endif
