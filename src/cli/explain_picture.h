/* `explain --picture`: the schedules of two algorithms, one above the other, on one scale. */
#ifndef COLLCOST_CLI_EXPLAIN_PICTURE_H
#define COLLCOST_CLI_EXPLAIN_PICTURE_H

#include "cli/query.h"

/* Of two cases with one candidate each, on the same network; for the size of the query. `verdict`:
   which one is faster. */
Status explain_picture(const Query *query, Case *const sides[2], const char *verdict);

#endif
