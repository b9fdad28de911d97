/* Algorithms with others in the place of those that they use: `--using allgather/ring`. */
#ifndef COLLCOST_MODEL_EXCHANGE_H
#define COLLCOST_MODEL_EXCHANGE_H

#include "model/algorithm.h"

/* Does a step of the algorithm itself use one of this collective? */
bool exchange_uses(const Algorithm *algorithm, const Collective *collective);
/* A copy that uses `parts` wherever `algorithm` uses another algorithm of their collectives, and
   is named for them; without claims, which are about the original. The algorithm itself where that
   changes nothing. */
const Algorithm *exchange_parts(Arena *arena, const Algorithm *algorithm,
                                const Algorithm *const *parts, size_t count);

#endif
