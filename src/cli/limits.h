/* The lower bound of a collective on one network, for any size. */
#ifndef COLLCOST_CLI_LIMITS_H
#define COLLCOST_CLI_LIMITS_H

#include "cli/query.h"
#include "bound/bounds.h"

typedef struct {
    bool known; /* false where the contract is too large to lay out */
    BoundSet bounds;
    double least[PARAMETER_COUNT]; /* what they are computed with */
} Limits;

Limits limits_find(const Query *query, const Collective *collective, const Network *network);
/* The bound that binds, in seconds; 0 where none is known. */
double limits_seconds(const Limits *limits, double bytes);

#endif
