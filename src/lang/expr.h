/* Expressions as trees.

   Whole numbers (ranks, blocks, rounds) are exact 64-bit integers, costs are
   doubles with a dimension. parse.h makes the tree, check.h finds names, types
   and dimensions once, and two evaluators walk or compile it: program.h (fast,
   many points), exact.h (rational, with the place of every error). */
#ifndef COLLCOST_LANG_EXPR_H
#define COLLCOST_LANG_EXPR_H

#include "base/limits.h"
#include "base/quantity.h"

/* The last two are of names only: functions and arrays of blocks have no value. */
typedef enum { TYPE_BOOL, TYPE_INT, TYPE_REAL, TYPE_FUNCTION, TYPE_ARRAY } Type;

typedef enum {
    EXPR_NUMBER,
    EXPR_VARIABLE,
    EXPR_CALL, /* of a function that a model defines; check puts its body in the place */
#define OPERATION(id, word, arity, rule) EXPR_##id,
#include "lang/operations.def"
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
    const struct Exact *exact; /* of a number that is no integer; NULL: it is `real` */
    int argument_count;
    struct Expr *arguments[4]; /* sum: index, from, to, body */
} Expr;

/* Names that may be known at once, indices of sums among them. */
enum { MOST_SLOTS = LIMIT_NAMES };

enum { MOST_PARAMETERS = 4 };

/* The key of a `let`: a name, or a function with its parameters. */
typedef struct {
    Text name;
    Text parameters[MOST_PARAMETERS];
    int parameter_count;
} Signature;

/* `first(x): x - x mod 2`. A call is replaced by the body, so a function costs what it would cost
   to write it out. */
typedef struct {
    Signature signature;
    Expr *body;   /* not checked: its types depend on the call */
    size_t names; /* it sees the names in the slots before this one, which is its own */
} Function;

ARRAY_TYPE(FunctionArray, const Function *);

/* The names that an expression may use. A slot is an index into `items`, and a bit of `read`: of
   the variables that a checked expression reads. */
typedef struct {
    const char *name;
    Type type;
    Dimension dimension;
    bool varies;
} Variable;

typedef struct {
    Variable *items;
    size_t count, capacity;
    FunctionArray functions; /* the last one of a slot counts, if the name there is a function's */
    uint64_t read;
} Scope;

/* Adds a name and returns its slot. */
int scope_add(Arena *arena, Scope *scope, Variable variable);
/* Whole numbers by slot; NULL: no text can spell that name. Only the one in the slot `varying`
   differs from rank to rank; -1: none. */
Scope scope_of_whole(Arena *arena, const char *const *names, int count, int varying);
/* The slot of a name, or -1. */
int scope_find(const Scope *scope, Text name);
void scope_add_function(Arena *arena, Scope *scope, const Signature *signature, Expr *body);
/* The function in this slot, or NULL. */
const Function *scope_function(const Scope *scope, int slot);
/* How many arrays of blocks have slots before this one: its number, the main array's being 0. */
int scope_array_number(const Scope *scope, int slot);

/* A copy of the tree in which slots from `slot` on are moved up by `shift`. NULL where it has more
   than `*room` nodes; they are taken off. */
Expr *expr_copy(Arena *arena, const Expr *expr, int slot, int shift, size_t *room);
/* Are they the same tree, of the same variables and numbers? Numbers that are neither integers nor
   doubles are taken to differ. */
bool expr_equals(const Expr *a, const Expr *b);
/* Does the expression read the variable in this slot? */
bool expr_uses(const Expr *expr, int slot);
/* All variables that it reads, a bit each; indices of sums among them. */
uint64_t expr_slots(const Expr *expr);
/* Is it a sum of multiples of the variables in these slots, and of something without them? */
bool expr_is_linear(const Expr *expr, uint64_t slots);
/* Does a variable, or a function, of this name occur, unbound, in an expression that is not
   checked? */
bool expr_names(const Expr *expr, const char *name);
/* A node, a variable, a whole number; `text` is what they stand for. */
Expr *expr_make(Arena *arena, ExprKind kind, Text text, Expr *a, Expr *b);
Expr *expr_variable(Arena *arena, const char *name, Text text);
Expr *expr_number(Arena *arena, int64_t value, Text text);
/* The expression with another one in place of a name that is no index. */
Expr *expr_replace(Arena *arena, Expr *expr, const char *name, Expr *other);
/* Nodes of the tree. O(size). */
size_t expr_size(const Expr *expr);
/* sum(i, from, to, term), and largest(i, from, to, term): the largest term, but at least 0. */
bool expr_is_loop(const Expr *expr);
/* How many terms (limits.def) a term of this loop counts for: one, and one more for every 16
   operators in it. O(size). */
int64_t expr_term_weight(const Expr *loop);

#endif
