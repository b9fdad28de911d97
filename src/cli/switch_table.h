/* Switch points as rows: one for each piece. */
#ifndef COLLCOST_CLI_SWITCH_TABLE_H
#define COLLCOST_CLI_SWITCH_TABLE_H

#include "cli/switchpoints.h"

Table *switch_table_open(const Query *query);
/* The rows of one network. False after a report. */
bool switch_table_write(Table *table, SwitchCase *switches);

#endif
