/* Arithmetic of whole numbers that several layers need. */
#ifndef COLLCOST_BASE_WHOLE_H
#define COLLCOST_BASE_WHOLE_H

#include <stdint.h>

/* The largest number that divides both; of 0 and n it is n. Not for negative numbers. */
static inline int64_t whole_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

#endif
