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
/* What a remark says about the formulas before it, from one of its words on. */
void remark_read(Arena *arena, Text remark, InformalLetters *letters, EquationParts *parts,
                 Expr **condition);

#endif
