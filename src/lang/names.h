/* Names while an expression is checked: variables, functions of the model, arrays of blocks. Parts
   of check.h that only its own files use. */
#ifndef COLLCOST_LANG_NAMES_H
#define COLLCOST_LANG_NAMES_H

#include "lang/check.h"

/* The function whose body is being checked in the place of a call. Its names:

     slots   0 .. names-1        names .. base-1     base ...
             seen                hidden              indices of sums in the body

   The arguments were checked where the call stands; their sums use slots from `base` on too, and
   move up where a copy stands inside of sums of the body. */
typedef struct {
    const Function *function;
    Expr *arguments[MOST_PARAMETERS];
    size_t base;
} Inlining;

typedef struct {
    Arena *arena;
    Scope *scope;
    Diag *diag;
    const Inlining *inlining; /* NULL: none */
    size_t room;              /* nodes that may still be inlined */
    bool in_square;           /* dimensions are those of the square */
} Checker;

Checker checker_start(Arena *arena, Scope *scope, Diag *diag);
/* Checks a tree in place (check.c). */
bool checker_node(Checker *checker, Expr *expr);

bool names_check_variable(Checker *checker, Expr *expr);
/* The call of a function of the model is replaced by its body. */
bool names_check_call(Checker *checker, Expr *call);
/* Reports, and returns false. */
bool names_report_too_many(Checker *checker, Text text);

#endif
