/* Where two algorithms break even, as a table: a row for each parameter of the machine,
   its levels and its protocols, and one for the size. */
#ifndef COLLCOST_CLI_EXPLAIN_BREAK_EVEN_H
#define COLLCOST_CLI_EXPLAIN_BREAK_EVEN_H

#include "choose/break_even.h"
#include "cli/query.h"

/* `names` of the two; `order`: -1: the first is faster, 1: the second, 0: they cost the same. */
void explain_break_even_write(const Query *query, const BreakEvens *break_evens,
                              const Comparison *comparison, const char *const names[2], int order);

#endif
