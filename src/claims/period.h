/* Claims about the period of a pipeline: after how many chunks it does the same for the next ones.
 */
#ifndef COLLCOST_CLAIMS_PERIOD_H
#define COLLCOST_CLAIMS_PERIOD_H

#include "claims/compare.h"

/* Compares the times of all numbers of chunks up to a limit that follow from the claim
   (cost/bag.h) with those that are derived one by one. */
void judge_period(Judge *judge, const Claim *claim, Verdict *verdict, const Place *place,
                  const Instance *instance);

#endif
