/* Roots that are exact where they are whole, for both evaluators. */
#ifndef COLLCOST_LANG_ROOTS_H
#define COLLCOST_LANG_ROOTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool root_is_square(int64_t a)
{
    int64_t root = a < 0 ? -1 : (int64_t)sqrtl((long double)a);
    return root >= 0 && root * root == a;
}

static inline bool root_is_cube(int64_t a)
{
    __int128 root = (__int128)roundl(cbrtl((long double)a));
    return root * root * root == a;
}

/* cbrt may be off by a unit in the last place, also for cubes of whole numbers. */
static inline double root_cube(double a)
{
    double whole = round(cbrt(a));
    return whole * whole * whole == a ? whole : cbrt(a);
}

#endif
