/* Turns seen before. Rings and pipelines send the same messages turn after turn, and a schedule
   begins and ends alike for all numbers of chunks: what is known of a turn need not be found
   again. */
#ifndef COLLCOST_COST_DERIVE_MEMO_H
#define COLLCOST_COST_DERIVE_MEMO_H

#include "cost/derive_loads.h"

typedef struct TurnMemo TurnMemo;

/* For turns of one network with the same rules and ports; it lives in `arena`. */
TurnMemo *memo_create(Arena *arena);
/* Fills the entries of a turn whose messages have been seen; false where they have not. */
bool memo_recall(TurnMemo *memo, Turn *turn);
/* Keeps a copy of a turn that memo_recall has just not found, with its entries. */
void memo_keep(TurnMemo *memo, const Turn *turn);

#endif
