/* After how many chunks a pipeline does the same for the next ones. */
#ifndef COLLCOST_COST_PERIOD_H
#define COLLCOST_COST_PERIOD_H

#include "cost/claim.h"
#include "sched/schedule.h"

/* As it is claimed of the algorithm, or of what it turns round, and recorded to hold; of one that
   is made of others the least common multiple of theirs, in their lines; else 1. What follows from
   it is checked at each use (cost/bag.h). At least 1. */
int64_t period_find(const Instance *instance, const Network *network);

#endif
