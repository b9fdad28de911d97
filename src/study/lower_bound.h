/* The lower bound of a collective on one network, for any size. */
#ifndef COLLCOST_STUDY_LOWER_BOUND_H
#define COLLCOST_STUDY_LOWER_BOUND_H

#include "bound/bounds.h"
#include "study/study.h"

typedef struct {
    BoundSearch search;
    bool known;        /* false where the contract is too large to lay out */
    bool may_be_loose; /* blocks are combined for several ranks, so that results must come back */
    BoundSet bounds;
    double least[PARAMETER_COUNT]; /* what they are computed with */
    double call;                   /* which every algorithm pays beside them */
} LowerBound;

/* Reports to `diag` why it is not known. */
LowerBound lower_bound_find(const Study *study, const Collective *collective,
                            const Network *network, BoundSearch search, Diag *diag);
/* The bound that binds, in seconds, with the call; 0 where none is known. */
double lower_bound_seconds(const LowerBound *lower, double bytes);
/* The formula of a claim about this kind of bound alone that is recorded to hold here, or NULL. */
const char *lower_bound_closed_form(const Study *study, const Collective *collective,
                                    const Network *network, BoundKind kind);

#endif
