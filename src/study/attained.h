/* What of a cost cannot be better: what equals a lower bound. */
#ifndef COLLCOST_STUDY_ATTAINED_H
#define COLLCOST_STUDY_ATTAINED_H

#include "bound/bound.h"
#include "cost/derive_profile.h"
#include "study/study.h"

enum { ATTAINED_PARTS = 4 };

/* Parts that reach the largest bound in their parameter can still not be reached together. */
typedef struct {
    bool whole;                        /* the time reaches the largest bound */
    const char *parts[ATTAINED_PARTS]; /* "startup", ...: those that do by themselves */
    size_t count;
} Attained;

/* `least` is what bounds are computed with. */
Attained attained_find(const BoundSet *bounds, const double *least, CostParts parts, double bytes);

#endif
