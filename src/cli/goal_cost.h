/* The cost of GOAL files. */
#ifndef COLLCOST_CLI_GOAL_COST_H
#define COLLCOST_CLI_GOAL_COST_H

#include "cli/query.h"

/* `cost FILE` with the query of the line, whose operand is that file. Not STATUS_FINE after a
   report. */
Status goal_cost(Query *query, const Source *source);

#endif
