/* What would turn the order of two algorithms: each knob of the machine, or the size, changed by
   itself until the other one is the faster; of two that cost the same, until either is.

   Going outwards from the value in force, intervals are cut until it is certain that the order
   stays as it is there, or it has turned: so the nearest turn is found, to full precision, and none
   before it is missed. Each time is that of the best number of chunks. Switch points by size are
   those of the envelope; by the size of a protocol the order can change where it is that of a
   message. */
#ifndef COLLCOST_CHOOSE_BREAK_EVEN_H
#define COLLCOST_CHOOSE_BREAK_EVEN_H

#include "choose/comparison.h"

typedef struct {
    bool is_found;
    bool is_open; /* it could not be found out in a reasonable time; there may be one */
    double at;    /* the nearest value beyond which another one is the faster */
    int faster;   /* which, beyond */
} Turn;

typedef struct {
    Turn below, above;
} Turning;

/* -1: the first is faster; 1: the second; 0: they cost the same. False after a report. */
bool contest_order(const Contest *contest, int *order, Diag *diag);
/* By a knob, in its values: see knob_turn and race_now. */
Turning contest_turn_knob(const Contest *contest, const Knob *knob);
/* By the size, from one byte to 2^53. The curves keep what was found: no knob is turned after it.
 */
Turning contest_turn_size(const Contest *contest);

#endif
