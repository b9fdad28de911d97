/* The rule that says which of several candidates is the fastest: the first, in their order, among
   those within 1e-12 (relative) of the least time. Everything that names a winner uses it.

   Sums that are written differently round differently, so times that far apart count as equal. That
   is not transitive: a may equal b, and b equal c, where a is below c. Candidates are therefore
   never compared in pairs: the least time comes first, then the first candidate near it.

   Candidates are given as an array of seconds in the order of the library; NAN is one that is
   missing (it does not run there), and never wins. */
#ifndef COLLCOST_CHOOSE_WINNER_H
#define COLLCOST_CHOOSE_WINNER_H

#include <stdbool.h>
#include <stddef.h>

extern const double tie_tolerance; /* 1e-12 */

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

#endif
