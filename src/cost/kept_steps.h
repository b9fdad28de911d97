/* Port steps of runs over plain links, of which the last few are kept with the loads of all links.

   The next port step is made from the one most like it: only messages that come or go are looked
   at. What is the slowest of all is kept by parts of the ranks, of which only those are asked again
   whose links have another load. */
#ifndef COLLCOST_COST_KEPT_STEPS_H
#define COLLCOST_COST_KEPT_STEPS_H

#include "cost/derive_plain.h"
#include "cost/derive_routes.h"
#include "sched/runs.h"

typedef struct KeptSteps KeptSteps;

/* Of the network of `routes`, which stay where they are; memory is theirs. */
KeptSteps *kept_steps_create(KnownRoutes *routes);
/* The paths of a port step of which one may be its slowest. False, silently, where a rank sends two
   messages the same way, or has no route. */
bool kept_steps_list(KeptSteps *kept_steps, Arena *scratch, const PortStep *step, PlainList *all);

#endif
