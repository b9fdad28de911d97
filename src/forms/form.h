/* One closed form: a sum of terms of the family, each times a fraction, all times a unit.

       2 * (p - 1) / p      one term, p - 1, times 2; the unit is 1 / p

   Formulas put together one such form for each of ts, th, m tw and m tc. */
#ifndef COLLCOST_FORMS_FORM_H
#define COLLCOST_FORMS_FORM_H

#include "forms/family.h"
#include "forms/sparse.h"
#include "model/machine.h"

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
