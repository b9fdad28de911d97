/* Hashes of 128 bits: two of 2^40 things have the same with a probability of 2^-49, so that what
   has the same hash is taken to be the same. */
#ifndef COLLCOST_BASE_WIDE_HASH_H
#define COLLCOST_BASE_WIDE_HASH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t high, low;
} WideHash;

/* Two chains of steps that can be undone, so that what differs in one number never has the same. */
static inline WideHash hash_add(WideHash hash, uint64_t a, uint64_t b)
{
    hash.high = (hash.high ^ a) * 0x9E3779B97F4A7C15u;
    hash.high = ((hash.high ^ hash.high >> 32) + b) * 0xD6E8FEB86659FD93u;
    hash.high ^= hash.high >> 29;
    hash.low = (hash.low + a) * 0xC2B2AE3D27D4EB4Fu;
    hash.low = (hash.low ^ hash.low >> 31 ^ b) * 0xFF51AFD7ED558CCDu;
    hash.low ^= hash.low >> 33;
    return hash;
}

static inline bool hash_same(WideHash a, WideHash b)
{
    return a.high == b.high && a.low == b.low;
}

#endif
