/* Expressions as trees.

   Whole numbers (ranks, blocks, rounds) are exact 64-bit integers, costs are
   doubles with a dimension. parse.h makes the tree, check.h finds names, types
   and dimensions once, and two evaluators walk or compile it: program.h (fast,
   many points), exact.h (rational, with the place of every error). */
#ifndef COLLCOST_LANG_EXPR_H
#define COLLCOST_LANG_EXPR_H

#include "base/array.h"
#include "base/quantity.h"

typedef enum { TYPE_BOOL, TYPE_INT, TYPE_REAL } Type;

typedef enum {
    EXPR_NUMBER,
    EXPR_VARIABLE,
#define OPERATION(id, word, arity, rule) EXPR_##id,
#include "lang/operations.def"
#undef OPERATION
    EXPR_KIND_COUNT
} ExprKind;

typedef enum {
    RULE_LEAF,
    RULE_ARITHMETIC,
    RULE_PRODUCT,
    RULE_QUOTIENT,
    RULE_POWER,
    RULE_WHOLE,
    RULE_SIGN,
    RULE_COMPARISON,
    RULE_LOGIC,
    RULE_CHOICE,
    RULE_SUMMATION,
    RULE_ROUNDING,
    RULE_ROOT,
    RULE_LOGARITHM,
    RULE_PREDICATE,
    RULE_CONVERSION
} TypingRule;

typedef struct {
    const char *word;
    int arity;
    TypingRule rule;
} OperationInfo;

/* Indexed by ExprKind. */
extern const OperationInfo operation_info[EXPR_KIND_COUNT];

typedef struct Expr {
    ExprKind kind;
    Type type;           /* set by check */
    Dimension dimension; /* set by check */
    bool varies;         /* set by check: differs from lane to lane */
    int slot;            /* a variable's, and the index variable of a sum: set by check */
    Text text;           /* where it stands; for a variable its name */
    int64_t integer;
    double real;
    int argument_count;
    struct Expr *arguments[4]; /* sum: from, to, body and, before check, the index name */
} Expr;

/* Names that may be known at once, indices of sums among them. */
enum { MOST_SLOTS = 64 };

/* The names that an expression may use. A slot is an index into `items`. */
typedef struct {
    const char *name;
    Type type;
    Dimension dimension;
    bool varies;
} Variable;

ARRAY_TYPE(Scope, Variable);

/* Adds a name and returns its slot. */
int scope_add(Arena *arena, Scope *scope, Variable variable);
/* The slot of a name, or -1. */
int scope_find(const Scope *scope, Text name);

/* Does the expression read the variable in this slot? */
bool expr_uses(const Expr *expr, int slot);
/* sum(i, from, to, term), and largest(i, from, to, term): the largest term, but at least 0. */
bool expr_is_loop(const Expr *expr);

#endif
