/* The rule that says which of several candidates is the fastest: the first, in their order, among
   those within 1e-12 (relative) of the least time. Everything that names a winner uses it.

   Sums that are written differently round differently, so times that far apart count as equal. That
   is not transitive: a may equal b, and b equal c, where a is below c. Candidates are therefore
   never compared in pairs: the least time comes first, then the first candidate near it.

   Candidates are given as an array of seconds in the order of the library; NAN is one that is
   missing (it does not run there), and never wins. */
#ifndef COLLCOST_CHOOSE_WINNER_H
#define COLLCOST_CHOOSE_WINNER_H

#include "cost/curve.h"

/* Is time `a` less than `b` by more than rounding? */
bool time_is_below(double a, double b);
/* Neither is below the other. */
bool time_is_equal(double a, double b);

/* The winner; `count` where all are missing. */
size_t winner_find(const double *seconds, size_t count);
/* Sets tied[i] for each other candidate within 1e-12 of the least time; their number. */
size_t winner_find_tied(const double *seconds, size_t count, bool *tied);
/* Fills `order` with the numbers of all candidates as a table lists them: the winner, then the
   winner of the rest, and so on; the missing ones come last. Needs time in the square of `count`.
 */
void winner_order(const double *seconds, size_t count, size_t *order);

/* An axis along which algorithms compete, and who wins where.

   The axis is sizes of messages, or whole numbers: ranks p, or orders n of matrices. Of a size the
   time of each is a curve, and nothing is sampled: see envelope.h. Of a whole number nothing is
   known but the times there: see sweep.h. How two algorithms compare while a parameter of the
   machine varies is in break_even.h. */

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
