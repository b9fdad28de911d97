/* Trees written as text again, in the language of parse.h. */
#ifndef COLLCOST_LANG_SHOW_H
#define COLLCOST_LANG_SHOW_H

#include "lang/expr.h"

/* "(p - 1) * (ts + m * tw)", with no more parentheses than are needed. Whether the tree has been
   checked makes no difference. */
const char *expr_show(Arena *arena, const Expr *expr);

#endif
