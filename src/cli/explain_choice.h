/* What a library chooses by itself, which of its algorithms is the fastest, and what is the fastest
   of all: a row each. */
#ifndef COLLCOST_CLI_EXPLAIN_CHOICE_H
#define COLLCOST_CLI_EXPLAIN_CHOICE_H

#include "cli/query.h"

/* For the first network and size of the query, which names a library. Writes the table, and says
   which algorithms are compared next: its choice, and the fastest of its own or else of all; the
   same one twice where nothing is faster. */
Status explain_choice_write(Query *query, const Collective *collective,
                            const Algorithm *compared[2]);

#endif
