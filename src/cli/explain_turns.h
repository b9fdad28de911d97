/* What would turn the order of two algorithms, as a table: a row for each parameter of the machine,
   its levels and its protocols, and one for the size. */
#ifndef COLLCOST_CLI_EXPLAIN_TURNS_H
#define COLLCOST_CLI_EXPLAIN_TURNS_H

#include "cli/query.h"
#include "choose/break_even.h"

typedef struct {
    KnobArray knobs;
    Turning *by_knob;
    Turning by_size;
} Turns;

Turns explain_turns(Arena *arena, const Contest *contest);
/* `names` of the two; `order` as contest_order has it. */
void explain_turns_write(const Query *query, const Turns *turns, const Contest *contest,
                         const char *const names[2], int order);

#endif
