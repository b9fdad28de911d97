/* What would turn the order of two algorithms: each parameter of the machine, or the size, changed
   by itself until the other one is the faster.

   A time never falls as a parameter grows. Between two of its values, therefore, the order stays as
   it is if the faster algorithm takes no longer at the larger value than the slower one at the
   smaller. Going outwards from the value in force, intervals are halved until that holds or the
   order has turned: so the nearest turn is found, to full precision, and none before it is missed.
   Each time is that of the best number of chunks. Switch points by size are those of the envelope.
 */
#ifndef COLLCOST_COST_TURNING_H
#define COLLCOST_COST_TURNING_H

#include "cost/curve.h"

/* Two algorithms on one network; `rules` are those of both curves, and are changed meanwhile. */
typedef struct {
    Curve *curves[2];
    Rules *rules;
    double bytes;
    Diag *diag;
} Contest;

typedef struct {
    bool below_found, above_found;
    double below, above; /* the nearest values beyond which the other one is faster */
} Turning;

/* -1: the first is faster; 1: the second; 0: they cost the same. False after a report, as all. */
bool contest_order(const Contest *contest, int *order);
/* By a parameter of the machine itself; those of levels and links stay. For algorithms of different
   cost. */
bool contest_turn_parameter(Contest *contest, Parameter parameter, Turning *turn);
/* By the size, from one byte to 2^53. */
bool contest_turn_size(Contest *contest, Turning *turn);

#endif
