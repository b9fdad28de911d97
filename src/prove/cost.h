/* What a program costs, for all p, as sums over its rounds: how many there are, the links of their
   longest paths, their bytes, and what is combined.

   Ranks that have a message to send are found by a witness: a rank that sends the longest one if
   any sends at all. On a network other than a full one lemmas say how links are loaded. */
#ifndef COLLCOST_PROVE_COST_H
#define COLLCOST_PROVE_COST_H

#include "prove/sums.h"

/* Told of a direct program while it is followed. */
void costing_round(void *context, Proof *proof, const Templates *templates, const State *before);
void costing_loop(void *context, const Term *index, const Term *low, const Term *high, bool begins);

#endif
