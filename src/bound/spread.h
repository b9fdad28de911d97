/* How fast data spreads where a rank need not wait for its messages to arrive. */
#ifndef COLLCOST_BOUND_SPREAD_H
#define COLLCOST_BOUND_SPREAD_H

#include "base/arena.h"

/* When what starts at some ranks can be at `wanted` of them: each that has it sends `ports`
   messages every `spacing`, each of which arrives a startup later, and the earliest next message is
   always the best one. (Karp, Sahay, Santos, Schauser, Optimal broadcast and summation in the LogP
   model, SPAA 1993.) */
double spread_seconds(Arena *arena, int64_t start, int64_t wanted, int64_t ports, double spacing,
                      double startup);

#endif
