/* The options that say how schedules are costed. */
#ifndef COLLCOST_CLI_QUERY_RULES_H
#define COLLCOST_CLI_QUERY_RULES_H

#include "cli/query.h"

/* Fills the conventions of query->rules: the machine's, and the options that override them. False
   after a report. */
bool query_read_rules(Query *query);

#endif
