/* Turns seen lately. Rings and pipelines send the same messages turn after turn, or by turns, and
   what is known of a turn need not be found again. */
#ifndef COLLCOST_COST_DERIVE_MEMO_H
#define COLLCOST_COST_DERIVE_MEMO_H

#include "cost/derive_loads.h"

enum { REMEMBERED_TURNS = 4 };

typedef struct {
    int32_t from, to;
    int64_t size;
} SeenMessage;

typedef struct {
    SeenMessage *messages;
    size_t count, room;
    Turn turn; /* its entries count */
} SeenTurn;

typedef struct {
    SeenTurn turns[REMEMBERED_TURNS];
    size_t next; /* the one to forget */
} TurnMemo;

/* Fills the entries of a turn whose messages have been seen; false where they have not. */
bool memo_recall(const TurnMemo *memo, Turn *turn);
/* Keeps a turn with its entries, copied into `arena`. */
void memo_keep(Arena *arena, TurnMemo *memo, const Turn *turn);

#endif
