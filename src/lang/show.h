/* Trees written as text again: in the language of parse.h, and as LaTeX, for formulas in papers. */
#ifndef COLLCOST_LANG_SHOW_H
#define COLLCOST_LANG_SHOW_H

#include "lang/expr.h"

/* "(p - 1) * (ts + m * tw)", with no more parentheses than are needed. Whether the tree has been
   checked makes no difference. */
const char *expr_show(Arena *arena, const Expr *expr);
/* How tightly what expr_show writes binds (grammar.h). */
int show_power(const Expr *expr);
/* "(p - 1) \left(t_s + \frac{m}{p} \, t_w\right)": math without the dollars, in plain LaTeX but for
   the environment cases, which is amsmath's. Whether the tree has been checked makes no difference;
   it may also be one of informal.h. */
const char *expr_latex(Arena *arena, const Expr *expr);

#endif
