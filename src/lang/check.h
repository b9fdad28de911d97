/* Names, types and dimensions of an expression, found once before it is evaluated. */
#ifndef COLLCOST_LANG_CHECK_H
#define COLLCOST_LANG_CHECK_H

#include "lang/parse.h"

/* Checks `expr` in place and returns it, perhaps inside a conversion to `type`; NULL after a
   report. A whole number is wanted where `type` is TYPE_INT: a real expression is then required
   to come out whole when it is evaluated. `dimension` counts for TYPE_REAL only. The scope grows
   while a sum is checked and is as before afterwards. */
Expr *check_expression(Arena *arena, Expr *expr, Scope *scope, Type type, Dimension dimension,
                       Diag *diag);
/* Checks an expression of any type and dimension in place and returns it; NULL after a report. The
   scope is as before afterwards. */
Expr *check_any(Arena *arena, Expr *expr, Scope *scope, Diag *diag);

/* Adds a function to the scope. Its body's names must be known before it; types are checked at each
   call. False after a report. */
bool check_function(Arena *arena, const Signature *signature, Expr *body, Scope *scope, Diag *diag);

/* Bounds become whole numbers and the index a variable of `scope`, where it stays.
   `varies`: whether the bounds may differ from rank to rank. */
bool check_loop(Arena *arena, Loop *loop, Scope *scope, bool varies, Diag *diag);
/* The loop variables stay in the scope; the caller takes them out (by the scope's count) once the
   set is compiled. */
bool check_block_set(Arena *arena, BlockSet *set, Scope *scope, Diag *diag);

#endif
