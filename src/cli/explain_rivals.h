/* Which algorithms `explain` compares where it is not told. */
#ifndef COLLCOST_CLI_EXPLAIN_RIVALS_H
#define COLLCOST_CLI_EXPLAIN_RIVALS_H

#include "cli/query.h"

/* Both arrays have room for two. */
typedef struct {
    const Collective *collective;
    const Algorithm **algorithms; /* the first may be given */
    collcost_case **sides;        /* NULL, or already opened */
} ExplainedRivals;

/* The fastest of all algorithms and the next one; where one is given, that one and the fastest of
   the others. With the cases of those whose times are known then. False after a report. */
bool explain_rivals_find(Query *query, const ExplainedRivals *rivals);

#endif
