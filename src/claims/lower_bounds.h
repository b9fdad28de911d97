/* Claims about lower bounds: that an algorithm reaches one, that a formula is one. */
#ifndef COLLCOST_CLAIMS_LOWER_BOUNDS_H
#define COLLCOST_CLAIMS_LOWER_BOUNDS_H

#include "claims/compare.h"

/* What all algorithms of a collective cost at one place, with all that they leave open. */
typedef struct {
    const char *name;
    Profile profile;
} Rival;
ARRAY_TYPE(Rivals, Rival);

/* NULL after a report. */
const Rivals *rivals_find(const Judge *judge, const Place *place);
/* Each bound by itself: the algorithm's cost in the parameter of the bound, others zero, is as
   large, or larger where the claim says so. */
void judge_reached(Judge *judge, const Claim *claim, Verdict *verdict, const Place *place,
                   const Profile *profile);
/* Is the formula the largest of the bounds that the claim names? One that is said to be never above
   is compared with the costs of algorithms, and it is noted whether one of them reaches it, and how
   far the computed bounds are above it. */
void judge_lower_bound(Judge *judge, const Claim *claim, Verdict *verdict, const Place *place,
                       const Rivals *rivals);

#endif
