/* The least that a product can take on a network, for any n, without the cost of its rounds: of
   each round the startup, one message as if it were alone, and what one rank multiplies. It costs a
   few blocks a round, where a derivation looks at all messages on all their links. */
#ifndef COLLCOST_SCALE_LEAST_TIME_H
#define COLLCOST_SCALE_LEAST_TIME_H

#include "scale/scale.h"

typedef struct LeastTime LeastTime;

/* Follows the rounds once, until their startups alone take more than `most` seconds. Where nothing
   is known of the time that way, the least time is 0. It lives as long as `arena`. */
LeastTime *least_time_open(Arena *arena, const ScaleCase *scale, double most);
/* In seconds. */
double least_time_seconds(const LeastTime *least, int64_t n);

#endif
