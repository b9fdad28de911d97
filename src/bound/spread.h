/* How fast data spreads where a rank need not wait for its messages to arrive. */
#ifndef COLLCOST_BOUND_SPREAD_H
#define COLLCOST_BOUND_SPREAD_H

#include "base/arena.h"

/* When what starts at some ranks can be at others: each that has it sends `ports` messages every
   `spacing`, each of which arrives a startup later, and the earliest next message is always the
   best one. (Karp, Sahay, Santos, Schauser, Optimal broadcast and summation in the LogP model, SPAA
   1993.) What was asked before is remembered: n questions about one start take O(most log most). */
typedef struct {
    int64_t ports, most; /* ranks at most */
    double spacing, startup;
    int64_t start;
    double *arrivals; /* when the i-th rank has it, those of the start first, at 0 */
    int64_t reached;
    double *next; /* a heap: when each of them can send again */
} Spread;

Spread spread_start(Arena *arena, int64_t most, int64_t ports, double spacing, double startup);
/* When it can be at `wanted` <= most ranks, more than at the start. */
double spread_seconds(Spread *spread, int64_t start, int64_t wanted);

#endif
