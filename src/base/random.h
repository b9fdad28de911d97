/* Reproducible random numbers: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014, figure 14). */
#ifndef COLLCOST_BASE_RANDOM_H
#define COLLCOST_BASE_RANDOM_H

#include <stdint.h>

/* A good 64-bit mix of `x`: the same input gives the same output on every machine. */
static inline uint64_t random_hash(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t value = random_hash(*state);
    *state += 0x9E3779B97F4A7C15u;
    return value;
}

#endif
