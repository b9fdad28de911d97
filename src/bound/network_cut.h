/* The best cut as sides of a network, for pictures. */
#ifndef COLLCOST_BOUND_NETWORK_CUT_H
#define COLLCOST_BOUND_NETWORK_CUT_H

#include "bound/bound.h"

/* A rank is two places: its memory, and its node, through which messages for others may go. Where
   one of them is inside and the other is not, the cut goes through the ports of the rank. */
typedef struct {
    const bool *memories; /* of each rank: is it inside, on the side that blocks must leave? */
    const bool *nodes;    /* of each node of the network */
    bool both;            /* what must come in counts too */
    Bound bound;
} NetworkCut;

/* In `arena`. False where no block has to move, or there are too many links. */
bool network_cut_find(Arena *arena, const Contract *contract, const Network *network,
                      const Rules *rules, NetworkCut *cut);

#endif
