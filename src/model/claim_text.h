/* Claims in words, for people. */
#ifndef COLLCOST_MODEL_CLAIM_TEXT_H
#define COLLCOST_MODEL_CLAIM_TEXT_H

#include "model/claim.h"

/* "time", "rounds bound": what is claimed; "" where the formula's text says it. */
const char *claim_words(Arena *arena, const Claim *claim);
/* The formula as written, or "reaches the bounds rounds node". */
const char *claim_formula(Arena *arena, const Claim *claim);
/* "on ring uniring, cut-through, rounds 1 .. 3, when d == 1, neglecting th": where it is claimed.
 */
const char *claim_where(Arena *arena, const Claim *claim);

#endif
