/* What of a cost cannot be better: what equals a lower bound. */
#ifndef COLLCOST_CLI_OPTIMUM_H
#define COLLCOST_CLI_OPTIMUM_H

#include "cli/query.h"
#include "bound/bound.h"
#include "cost/derive_profile.h"

enum { PART_COUNT = 4 };

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
