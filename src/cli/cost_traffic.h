/* The rows of `cost --traffic`: bytes over the links of each level, by algorithm. */
#ifndef COLLCOST_CLI_COST_TRAFFIC_H
#define COLLCOST_CLI_COST_TRAFFIC_H

#include "cli/query.h"
#include "format/table.h"

/* Of one size, which is `asked` in the convention of --sizes. As text, the table is closed. False
   after a report. */
bool cost_traffic_write(const Query *query, collcost_case *opened, const char *rules, double size,
                        double asked, Table *table);

#endif
