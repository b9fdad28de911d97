/* What would turn the order of two algorithms, as a table: a row for each parameter of the machine,
   its levels and its protocols, and one for the size. */
#ifndef COLLCOST_CLI_EXPLAIN_TURNS_H
#define COLLCOST_CLI_EXPLAIN_TURNS_H

#include "choose/break_even.h"
#include "cli/query.h"

typedef struct {
    VariedParameterArray parameters;
    BreakEven *by_parameter;
    BreakEven by_size;
} BreakEvens;

BreakEvens explain_turns(Arena *arena, const Comparison *comparison);
/* `names` of the two; `order` as comparison_order has it. */
void explain_turns_write(const Query *query, const BreakEvens *turns, const Comparison *comparison,
                         const char *const names[2], int order);

#endif
