/* What of a cost cannot be better: what equals a lower bound. */
#ifndef COLLCOST_CLI_OPTIMUM_H
#define COLLCOST_CLI_OPTIMUM_H

#include "cli/query.h"
#include "cost/bound.h"
#include "cost/derive_profile.h"

enum { PART_COUNT = 4 };

/* The lower bounds of a collective, and what they are computed with. False where the contract is
   too large to lay out. */
bool optimum_bounds(const Query *query, const Collective *collective, const Network *network,
                    BoundSet *bounds, double least[PARAMETER_COUNT]);

/* Parts that reach the largest bound in their parameter can still not be reached together. */
typedef struct {
    bool whole;                    /* the time reaches the largest bound */
    const char *parts[PART_COUNT]; /* "startup", ...: those that do by themselves */
    size_t count;
} Optimum;

/* `least` is what bounds are computed with. */
Optimum optimum_find(const BoundSet *bounds, const double *least, CostParts parts, double bytes);
/* "yes", "in startup, transfer" or "no" */
const char *optimum_show(Arena *arena, const Optimum *optimum);

#endif
