/* Formulas as people write them, in papers, in LaTeX, or as `cost` prints them:

       (ts + m tw)(p-1)      log_2 N      ⌈log p⌉ α + (p−1)/p n β      \frac{M}{k \beta}

   Everything that parse.h reads as an expression, without units, is read the same way, and besides:

   - what is side by side is multiplied, like `*`, left to right: M/k tw is (M/k) tw; a name
     before a parenthesis too, unless it is a function's
   - log, lg, log2, log_b and sqrt take the next operand without parentheses: log p (x) is
     log(p) x, log sqrt p nests, log p^2 is log(p^2)
   - ( ), [ ] and { } group, the brackets of ceiling and floor round
   - \sum_{i=a}^{b} takes the product after it
   - with letters given, mt_w is m t_w, and [p/2], which may round, is a call of `[]`

   In the tree a name is what it means (informal_lexer.h), at its place in the text. All
   logarithms are calls of `log` with one argument, or two, the second one being the base. */
#ifndef COLLCOST_LANG_INFORMAL_H
#define COLLCOST_LANG_INFORMAL_H

#include "lang/expr.h"
#include "lang/informal_lexer.h"

/* `text` must be verbatim; letters may be NULL. NULL after a report. */
Expr *informal_parse(Arena *arena, Text text, InformalLetters *letters, Diag *diag);
/* The formula that the text is; NULL: it is none, and nothing is reported. */
Expr *informal_formula(Arena *arena, Text text, InformalLetters *letters);
/* One name, written as in a formula; false after a report. */
bool informal_parse_name(Arena *arena, Text text, Text *name, Diag *diag);
/* Is it a call of `log`, or of `[]`? */
bool informal_is_call(const Expr *expr, const char *name);

#endif
