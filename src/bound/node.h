/* Where most must pass the ports of one rank. */
#ifndef COLLCOST_BOUND_NODE_H
#define COLLCOST_BOUND_NODE_H

#include "bound/parts.h"

/* D and C of the cut around that rank. */
typedef struct {
    int64_t rank;
    bool enters;
    int64_t blocks, capacity;
} Tightest;

/* blocks is 0 where nothing has to move. */
Tightest node_tightest(const Bounder *bounder);

#endif
