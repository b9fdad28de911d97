/* What the messages of one port step cost: routes, loads of links, and the slowest paths. */
#ifndef COLLCOST_COST_LOADS_H
#define COLLCOST_COST_LOADS_H

#include "cost/derive_step.h"

/* Fills the entries of a port step, and what there is of each message where context->each says so,
   or recalls what is known of it (cost/derive_memo.h). False after a report. */
bool port_step_route(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag);
/* Can port steps of runs be costed at all by these rules? */
bool runs_have_cost(const LoadContext *context);

#endif
