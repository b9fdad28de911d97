#include "cost/minimum.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

struct Minimum {
    void *state;
};

Minimum *minimum_create(Arena *arena)
{
    Minimum *minimum = ARENA_NEW(arena, Minimum);
    minimum->state = arena_alloc(arena, gsl_min_fminimizer_brent->size);
    return minimum;
}

/* The least of some points inside (low, high), nearer and nearer to its ends: beside an end the
   function may fall for a little way only. */
static double sample(FunctionOfOne *function, void *context, double low, double high)
{
    enum { SAMPLES = 28 };
    double best = low, least = INFINITY;
    for (int i = 1; i <= SAMPLES; i++) {
        double inside = ldexp(high - low, -i);
        const double sides[] = {low + inside, high - inside};
        for (int side = 0; side < 2; side++) {
            double value = function(sides[side], context);
            if (value < least)
                best = sides[side], least = value;
        }
    }
    return best;
}

void minimum_between(Minimum *minimum, FunctionOfOne *function, void *context, double low,
                     double high, double *at)
{
    gsl_function given = {function, context};
    gsl_min_fminimizer minimiser = {.type = gsl_min_fminimizer_brent, .state = minimum->state};
    double at_low = function(low, context), at_high = function(high, context);
    double start = *at, least = function(start, context);
    if (!(low < start && start < high && least < at_low && least < at_high)) {
        start = sample(function, context, low, high);
        least = function(start, context);
    }
    if (!(low < start && start < high && least < at_low && least < at_high) ||
        gsl_min_fminimizer_set_with_values(&minimiser, &given, start, least, low, at_low, high,
                                           at_high) != GSL_SUCCESS)
        return;
    for (int i = 0; i < 100; i++) {
        if (gsl_min_fminimizer_iterate(&minimiser) != GSL_SUCCESS ||
            gsl_min_test_interval(gsl_min_fminimizer_x_lower(&minimiser),
                                  gsl_min_fminimizer_x_upper(&minimiser), 0, 1e-10) == GSL_SUCCESS)
            break;
    }
    *at = gsl_min_fminimizer_x_minimum(&minimiser);
}
