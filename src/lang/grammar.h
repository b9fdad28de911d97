/* The words of expressions: operators with their binding powers, functions, reserved words.

   Weakest first:  or  <  and  <  not  <  == != < <= > >=  <  xor  <  + -  <  * / mod div
                   <  unary -  <  ^
   Comparisons do not chain; ^ associates to the right, the others to the left. */
#ifndef COLLCOST_LANG_GRAMMAR_H
#define COLLCOST_LANG_GRAMMAR_H

#include "lang/expr.h"

enum {
    POWER_NONE,
    POWER_OR,
    POWER_AND,
    POWER_NOT,
    POWER_COMPARE,
    POWER_XOR,
    POWER_ADD,
    POWER_MULTIPLY,
    POWER_UNARY,
    POWER_RAISE
};

typedef struct {
    const char *word;
    ExprKind kind;
    int power;
} Operator;

/* The operator between two operands that is written so, or NULL. */
const Operator *grammar_operator(Text word);
/* The operator of that kind, or NULL. */
const Operator *grammar_operator_of(ExprKind kind);
/* Is it written as a function: min(a, b)? */
bool grammar_is_function(ExprKind kind);
/* The function of that name, or -1. */
int grammar_function(Text name);
/* Words that cannot be names. */
bool grammar_is_reserved(Text name);

#endif
