/* What a library chooses by itself, which of its algorithms is the fastest, and what is the fastest
   of all: a row each. */
#ifndef COLLCOST_CLI_EXPLAIN_CHOICE_H
#define COLLCOST_CLI_EXPLAIN_CHOICE_H

#include "cli/query.h"

/* What is compared next: its choice, and the fastest of its own or else of all; the same one twice
   where nothing is faster. */
typedef struct {
    const Algorithm *algorithms[2];
    bool has_protocol; /* the library chooses one for the whole collective */
} ExplainedChoice;

/* For the first network and size of the query, which names a library. Writes the table,
   unless a picture is asked for. */
Status explain_choice_write(Query *query, const Collective *collective, ExplainedChoice *explained);

#endif
