/* Claims about single rounds. */
#ifndef COLLCOST_CLAIMS_ROUNDS_H
#define COLLCOST_CLAIMS_ROUNDS_H

#include "claims/compare.h"
#include "cost/derive.h"

/* Compares what is claimed for each round, for some rounds, or for their number. False after a
   report. */
bool judge_rounds(const Judge *judge, const Claim *claim, Verdict *verdict, Place *place,
                  const Instance *instance);

#endif
