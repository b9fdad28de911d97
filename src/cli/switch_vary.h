/* How switch points depend on what was taken for granted: a parameter of the machine, a convention.
 */
#ifndef COLLCOST_CLI_SWITCH_VARY_H
#define COLLCOST_CLI_SWITCH_VARY_H

#include "cli/switchpoints.h"

/* --vary: for each switch point where it is if a parameter is less or more by a share; and those
   that appear only then. False after a report. */
Table *switch_vary_open(const Query *query);
bool switch_vary_write(Table *table, SwitchCase *switches);
/* Reports values of --vary that are none. */
bool switch_vary_check(const Query *query);

/* --rules all: the pieces under each convention that is not in force, and whether another algorithm
   is the fastest somewhere. False after a report. */
Table *switch_rules_open(const Query *query);
bool switch_rules_write(Table *table, SwitchCase *switches);
bool switch_rules_check(const Query *query);

#endif
