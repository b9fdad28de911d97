/* The family of closed forms: which terms they are sums of, as expressions of the language.

   A term is parsed from the text that a formula shows, so that what is evaluated and what is
   written cannot differ. On a grid there are sums over its sides too: X + Y + Z, or
   (X - 1)^2 + X * (Y - 1)^2. */
#ifndef COLLCOST_FORMS_FAMILY_H
#define COLLCOST_FORMS_FAMILY_H

#include "forms/sparse.h"
#include "model/machine.h"

typedef enum {
#define VARIABLE(id, word) FORM_##id,
#include "forms/family.def"
    FORM_VARIABLES
} FormVariable;

#define FORM_BIT(id) (1u << FORM_##id)
#define FORM_BITS_OF_GRIDS (FORM_BIT(X) | FORM_BIT(Y) | FORM_BIT(Z) | FORM_BIT(DIMS))

/* Sides that forms can name. */
enum { FORM_MOST_SIDES = 3 };

/* Where a form is evaluated. */
typedef struct {
    int64_t values[FORM_VARIABLES];
} FormPoint;

typedef struct {
    const char *text;
    const Expr *expr;
    int weight;         /* what is simpler weighs less */
    unsigned variables; /* bits of those in it */
} FormTerm;

ARRAY_TYPE(FormTerms, FormTerm);

/* A factor of all terms of a coefficient: `times` / `over`, each "1" where there is none. */
typedef struct {
    FormTerm times, over;
    int weight;
} FormUnit;

ARRAY_TYPE(FormUnits, FormUnit);

/* Conditions under which forms are sought: all points but exceptions meet the first, or one of
   both; or few do, and what holds for them is a part of the answer. */
typedef struct {
    int weight;
    FormTerm first, second; /* expr NULL: there is no second one */
    bool is_part;
} FormSplit;

ARRAY_TYPE(FormSplits, FormSplit);

typedef struct {
    FormTerms terms;
    FormUnits units; /* the first is 1 */
    FormSplits splits;
} Family;

/* All that there is in these variables; grids have `sides` sides, 0: there are no grids. */
Family family_create(Arena *arena, unsigned variables, int sides);
/* A term or a condition of one's own; `expr` is NULL where the text is none. */
FormTerm family_read(Arena *arena, const char *text, int weight);
/* False where it has no value, or none that is a fraction. */
bool family_value(const FormTerm *term, const FormPoint *point, Exact *value);
bool family_holds(const FormTerm *condition, const FormPoint *point);

/* One closed form: a sum of terms of the family, each times a fraction, all times a unit.

       2 * (p - 1) / p      one term, p - 1, times 2; the unit is 1 / p

   Formulas put together one such form for each of ts, th, m tw and m tc. */

typedef struct {
    int count; /* 0: it is zero */
    const FormTerm *terms[SPARSE_MOST_COLUMNS];
    Exact factors[SPARSE_MOST_COLUMNS];
    const FormUnit *unit;
} Form;

/* Are they the same but for a factor and the unit? */
bool form_is_multiple(const Form *a, const Form *b);
/* "2 * (p - 1) / p" */
const char *form_text(Arena *arena, const Form *form);
/* "(p - 1) * (2 * (ts + th) + m / p * (2 * tw + tc))": the sum of the forms times ts, th, m tw and
   m tc, with what they share in front. */
const char *form_sum_text(Arena *arena, const Form forms[PARAMETER_COUNT]);

#endif
