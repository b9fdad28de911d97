/* Follows a schedule whose rounds are runs of messages (sched/runs.h): by port step, O(pieces of
   runs) each; where blocks are followed, O(messages), one bit each. */
#ifndef COLLCOST_COST_DERIVE_RUN_ROUNDS_H
#define COLLCOST_COST_DERIVE_RUN_ROUNDS_H

#include "cost/deriver.h"

/* False, silently, where its rounds are no runs, or the rules or the deriver need each message by
   itself. */
bool derive_run_rounds(Deriver *deriver, const Instance *instance);

#endif
