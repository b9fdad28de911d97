/* What `explain` compares, and from where on the other one is faster. */
#ifndef COLLCOST_CLI_EXPLAIN_PARTS_H
#define COLLCOST_CLI_EXPLAIN_PARTS_H

#include "cli/query.h"

/* Where two algorithms break even, as a table: a row for each parameter of the machine,
   its levels and its protocols, and one for the size. `names` of the two. */
void explain_break_even_write(const Query *query, const collcost_explanation *explanation,
                              const char *const names[2]);

/* What a library chooses by itself, which of its algorithms is the fastest, and what is the fastest
   of all: a row each. What is compared next: its choice, and the fastest of its own or else of all;
   the same one twice where nothing is faster. For the first network and size of the query, which
   names a library. Writes the table, unless a picture is asked for. *has_protocol: the library
   chooses one for the whole collective. */
Status explain_choice_write(Query *query, const Collective *collective,
                            const Algorithm *algorithms[2], bool *has_protocol);

/* Which algorithms `explain` compares where it is not told: the fastest of all and the next one;
   where the first is given, that one and the fastest of the others. With the cases of those whose
   times are known then. False after a report. */
bool explain_rivals_find(Query *query, const Collective *collective, const Algorithm *algorithms[2],
                         collcost_case *sides[2]);

#endif
