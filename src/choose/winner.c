#include "choose/winner.h"

#include <math.h>
#include <string.h>

bool time_is_below(double a, double b)
{
    return isinf(b) ? a < b : a < b - tie_tolerance * fabs(b);
}

bool time_is_equal(double a, double b)
{
    return !time_is_below(a, b) && !time_is_below(b, a);
}

static bool is_near_least(double seconds, double least)
{
    return !isnan(seconds) && !time_is_below(least, seconds);
}

/* INFINITY where all are missing. */
static double least_of(const double *seconds, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, seconds[i]);
    return least;
}

size_t winner_find(const double *seconds, size_t count)
{
    double least = least_of(seconds, count);
    size_t winner = 0;
    while (winner < count && !is_near_least(seconds[winner], least))
        winner++;
    return winner;
}

size_t winner_find_tied(const double *seconds, size_t count, bool *tied)
{
    double least = least_of(seconds, count);
    size_t winner = winner_find(seconds, count), others = 0;
    for (size_t i = 0; i < count; i++) {
        tied[i] = i != winner && is_near_least(seconds[i], least);
        others += tied[i];
    }
    return others;
}

void winner_order(const double *seconds, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    /* The places from `done` on keep the candidates that are left in their own order. */
    for (size_t done = 0; done < count; done++) {
        double least = INFINITY;
        for (size_t i = done; i < count; i++)
            least = fmin(least, seconds[order[i]]);
        size_t place = done;
        while (place < count && !is_near_least(seconds[order[place]], least))
            place++;
        if (place == count) /* all that are left are missing */
            return;
        size_t winner = order[place];
        memmove(&order[done + 1], &order[done], (place - done) * sizeof *order);
        order[done] = winner;
    }
}
