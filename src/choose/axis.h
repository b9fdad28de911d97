/* An axis along which algorithms compete, and who wins where.

   The axis is sizes of messages, or whole numbers: ranks p, or orders n of matrices. Of a size the
   time of each is a curve, and nothing is sampled: see envelope.h. Of a whole number nothing is
   known but the times there: see sweep.h. How two algorithms compare while a parameter of the
   machine varies is in break_even.h. */
#ifndef COLLCOST_CHOOSE_AXIS_H
#define COLLCOST_CHOOSE_AXIS_H

#include "cost/curve.h"

/* Fills the time of each candidate at a whole number. False after a report. */
typedef bool (*TimesAt)(void *context, int64_t at, double *seconds);

typedef struct {
    Arena *arena;
    size_t count; /* of candidates */
    double from, to;
    Diag *diag;
    /* sizes, in bytes: */
    Curve *const *curves;
    const double *scales; /* by which times are multiplied; NULL: 1 */
    /* whole numbers: */
    TimesAt times;
    void *context;
} ChoiceAxis;

#endif
