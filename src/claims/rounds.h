/* Claims about single rounds. */
#ifndef COLLCOST_CLAIMS_ROUNDS_H
#define COLLCOST_CLAIMS_ROUNDS_H

#include "claims/compare.h"
#include "cost/derive.h"

/* What the port steps of the schedule do, as `trace` shows it, in `arena`. NULL after a report. */
const Observation *rounds_observe(Arena *arena, const Instance *instance, const Place *place,
                                  Diag *diag);
/* Compares what is claimed for each round, for some rounds, or for their number. */
void judge_rounds(const Judge *judge, const Claim *claim, Verdict *verdict, Place *place,
                  const Profile *profile, const Observation *observation);

#endif
