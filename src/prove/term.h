/* Terms of linear integer arithmetic, each kept once, so that equal terms are one pointer.

   A whole number is a linear form: a constant and multiples of atoms. Atoms are variables, choices,
   and quotients and remainders by constants. A variable is free, between two terms, or defined: it
   has a value wherever the free ones do, and axioms that say what a solver may know of it. So every
   term can be evaluated at a point, and nothing is assumed that such points do not meet. */
#ifndef COLLCOST_PROVE_TERM_H
#define COLLCOST_PROVE_TERM_H

#include "base/buffer.h"
#include "base/place_table.h"

#include <stdbool.h>

typedef enum {
    TERM_LINEAR, /* value + sum of coefficients[i] * arguments[i] */
    TERM_VARIABLE,
    TERM_CHOICE, /* arguments: condition, a, b */
    TERM_DIV,    /* by the constant `value` */
    TERM_MOD,
    /* conditions */
    TERM_AT_LEAST_ZERO, /* of one linear form */
    TERM_ZERO,
    TERM_AND, /* of none: true */
    TERM_OR,  /* of none: false */
    TERM_NOT,
    /* values of defined variables, which no solver sees: */
    TERM_ANY_MOD,
    TERM_ANY_DIV,
    TERM_MULTIPLE, /* a - a mod b */
    TERM_DIGIT,    /* (a div b) mod value */
    TERM_PRODUCT,
    TERM_POWER, /* value ^ argument */
    TERM_CEIL_LOG,
    TERM_FLOOR_LOG, /* to the base `value` */
    TERM_LOWEST_BIT
} TermKind;

typedef struct Term {
    TermKind kind;
    int id;
    int count;
    const struct Term **arguments;
    int64_t *coefficients;
    int64_t value;
    int64_t least, most; /* what is known of its value; INT64_MIN and INT64_MAX: nothing */
    struct TermVariable *variable;
} Term;

ARRAY_TYPE(TermArray, const Term *);

/* Free: from low to high. Defined: `definition`. */
typedef struct TermVariable {
    const char *stem, *name; /* the name is given where it is printed */
    const Term *low, *high;
    const Term *definition;
    const char *meaning; /* for readers */
    TermArray axioms;
    struct PowerLevel *level; /* of which it is a multiple, or NULL */
    int64_t now;              /* at the point that is looked at */
} TermVariable;

typedef struct Terms {
    Arena *arena;
    PlaceTable table; /* hash to the first of a chain */
    TermArray items;
    IntArray next; /* in the chain, or -1 */
    TermArray variables;
    int64_t *values; /* at the point that is looked at, by id */
    unsigned *seen;  /* the point for which a value counts */
    size_t room;
    unsigned point;
    int64_t work; /* terms made and evaluated: what it took, on all machines alike */
    bool overflows;
    bool undefined; /* a value at this point is none */
} Terms;

/* Terms are numbered as they are made, and the texts of obligations follow these numbers, as do the
   hashes in models/proofs.yaml. C leaves open which argument of a call comes first: of those that
   make terms, all but one are made before, the last first. */
Terms *terms_create(Arena *arena);
const Term *term_int(Terms *terms, int64_t value);
const Term *term_bool(Terms *terms, bool value);
bool term_is_int(const Term *term, int64_t *value);
bool term_is_true(const Term *term);
bool term_is_false(const Term *term);
/* A variable between two terms; high NULL: it has no end. What is known of a variable's value is
   set behind its axioms, which say so to solvers. */
const Term *term_free(Terms *terms, const char *name, const Term *low, const Term *high);
const Term *term_defined(Terms *terms, const char *name, const Term *definition,
                         const char *meaning);
void term_axiom(Terms *terms, const Term *variable, const Term *axiom);
const Term *term_sum(Terms *terms, const Term *a, int64_t factor, const Term *b);
const Term *term_plus(Terms *terms, const Term *a, int64_t value);
const Term *term_times(Terms *terms, const Term *a, int64_t factor);
const Term *term_div(Terms *terms, const Term *a, int64_t divisor);
const Term *term_mod(Terms *terms, const Term *a, int64_t divisor);
const Term *term_choice(Terms *terms, const Term *condition, const Term *a, const Term *b);
const Term *term_operation(Terms *terms, TermKind kind, int64_t value, const Term *a,
                           const Term *b);
/* a <= b, a == b */
const Term *term_le(Terms *terms, const Term *a, const Term *b);
const Term *term_less(Terms *terms, const Term *a, const Term *b);
/* low <= a <= high */
const Term *term_between(Terms *terms, const Term *low, const Term *a, const Term *high);
const Term *term_equal(Terms *terms, const Term *a, const Term *b);
const Term *term_and(Terms *terms, const Term *a, const Term *b);
const Term *term_or(Terms *terms, const Term *a, const Term *b);
const Term *term_not(Terms *terms, const Term *a);
const Term *term_implies(Terms *terms, const Term *a, const Term *b);
const Term *term_same(Terms *terms, const Term *a, const Term *b);
const Term *term_and_all(Terms *terms, const TermArray *items);
/* The coefficient of an atom in a linear form. */
int64_t term_coefficient(const Term *linear, const Term *atom);
/* Is the variable in it, or in what defines variables in it? */
bool term_depends(const Term *term, const Term *variable);
/* Its value, where all free variables have one. */
int64_t term_value(Terms *terms, const Term *term);
void terms_new_point(Terms *terms);
void term_print(Buffer *buffer, const Term *term);

#endif
