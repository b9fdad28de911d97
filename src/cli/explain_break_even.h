/* Where two algorithms break even, as a table: a row for each parameter of the machine,
   its levels and its protocols, and one for the size. */
#ifndef COLLCOST_CLI_EXPLAIN_BREAK_EVEN_H
#define COLLCOST_CLI_EXPLAIN_BREAK_EVEN_H

#include "cli/query.h"

/* `names` of the two. */
void explain_break_even_write(const Query *query, const collcost_explanation *found,
                              const char *const names[2]);

#endif
