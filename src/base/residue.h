/* Arithmetic modulo the prime 2^61 - 1, in which fractions too large for 64 bits are told apart:
   two that differ are equal by chance in one of some 2^61 cases. Residues are below the prime. */
#ifndef COLLCOST_BASE_RESIDUE_H
#define COLLCOST_BASE_RESIDUE_H

#include <stdint.h>

static const uint64_t residue_prime = ((uint64_t)1 << 61) - 1;

static inline uint64_t residue_of_whole(int64_t value)
{
    int64_t rest = value % (int64_t)residue_prime;
    return (uint64_t)(rest < 0 ? rest + (int64_t)residue_prime : rest);
}

static inline uint64_t residue_subtract(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + residue_prime - b;
}

/* 2^61 is 1, so the upper bits of the product are added to the lower ones. */
static inline uint64_t residue_multiply(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = (uint64_t)(product & residue_prime) + (uint64_t)(product >> 61);
    return sum >= residue_prime ? sum - residue_prime : sum;
}

/* By Fermat's little theorem; `a` is not 0. */
static inline uint64_t residue_invert(uint64_t a)
{
    uint64_t power = 1;
    for (uint64_t left = residue_prime - 2; left; left /= 2) {
        if (left % 2)
            power = residue_multiply(power, a);
        a = residue_multiply(a, a);
    }
    return power;
}

#endif
