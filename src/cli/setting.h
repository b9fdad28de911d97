/* What the times in a table rest on: machine, parameters that were set, what is assumed, rules. */
#ifndef COLLCOST_CLI_SETTING_H
#define COLLCOST_CLI_SETTING_H

#include "cli/query.h"

/* The rules in words; `network` NULL: the rows are about several. */
const char *setting_rules(const Query *query, const Network *network);
/* For all rows that follow, with what was put before; programs only. `problem` NULL: the rows are
   about a collective. */
void setting_put(Table *table, const Query *query, const struct Problem *problem,
                 const char *rules);

#endif
