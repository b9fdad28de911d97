/* Arithmetic of whole numbers that several layers need. */
#ifndef COLLCOST_BASE_WHOLE_H
#define COLLCOST_BASE_WHOLE_H

#include <math.h>
#include <stdbool.h>
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

static inline int64_t whole_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Of a whole number and n > 0: a = n quotient + rest, 0 <= rest < n. */
static inline int64_t whole_floor_quotient(int64_t a, int64_t n)
{
    return a / n - (a % n < 0);
}

static inline int64_t whole_floor_rest(int64_t a, int64_t n)
{
    return a % n + (a % n < 0 ? n : 0);
}

/* 10 a + digit, or INT64_MAX where that is too large; a is not negative. */
static inline int64_t whole_append_digit(int64_t a, int digit)
{
    return __builtin_mul_overflow(a, 10, &a) || __builtin_add_overflow(a, digit, &a) ? INT64_MAX
                                                                                     : a;
}

static inline bool whole_is_power_of_two(int64_t a)
{
    return a > 0 && (a & (a - 1)) == 0;
}

/* Is it the whole number, but for what sums and products of fractions are off in the last places?
   0.1 * 3 * 10 is 3. */
static inline bool whole_is_near(double a, double whole)
{
    return fabs(a - whole) <= fmin(1e-14 * fabs(whole), 1e-3);
}

static inline double whole_ceil(double a)
{
    const double whole = nearbyint(a);
    return whole_is_near(a, whole) ? whole : ceil(a);
}

static inline double whole_floor(double a)
{
    const double whole = nearbyint(a);
    return whole_is_near(a, whole) ? whole : floor(a);
}

#endif
