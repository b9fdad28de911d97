/* What port steps cost whose messages are runs (sched/runs.h).

   Where each two ranks have a link, the largest message says it. Over plain links loads are kept
   from one port step to the next (cost/kept_steps.h), but for few messages. In a grid of lines with
   powers of two, where rank r sends to r xor x, the paths along each dimension are known. */
#ifndef COLLCOST_COST_DERIVE_RUNS_H
#define COLLCOST_COST_DERIVE_RUNS_H

#include "cost/derive_memo.h"
#include "sched/runs.h"

/* Can port steps of runs be costed at all by these rules? */
bool runs_have_cost(const LoadContext *context);
/* Fills the entries of a port step that has runs. False, silently, where it must be costed message
   by message. */
bool runs_slowest(const LoadContext *context, PortStepMemo *memo, Arena *scratch, PortStep *step);

#endif
