/* The lower bound of a collective on one network, for any size. */
#ifndef COLLCOST_STUDY_LOWER_BOUND_H
#define COLLCOST_STUDY_LOWER_BOUND_H

#include "bound/bounds.h"
#include "study/study.h"

typedef struct {
    bool known; /* false where the contract is too large to lay out */
    BoundSet bounds;
    double least[PARAMETER_COUNT]; /* what they are computed with */
} LowerBound;

LowerBound lower_bound_find(const Study *study, const Collective *collective,
                            const Network *network);
/* The bound that binds, in seconds; 0 where none is known. */
double lower_bound_seconds(const LowerBound *lower, double bytes);

#endif
