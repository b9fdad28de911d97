#include "study/rank_sweep.h"

#include <math.h>
#include <string.h>

bool rank_sweep_open(const Study *study, const Collective *collective, RankSweep *sweep)
{
    *sweep = (RankSweep){.arena = study->arena};
    return library_algorithms(study->library, collective, &sweep->candidates, study->diag);
}

/* By name: an algorithm whose parts the study exchanges is another one of that name. */
static size_t place_of(const RankSweep *sweep, const Algorithm *algorithm)
{
    size_t i = 0;
    while (strcmp(sweep->candidates.items[i]->head.name, algorithm->head.name) != 0)
        i++;
    return i;
}

bool rank_sweep_add(RankSweep *sweep, const Case *opened, double bytes)
{
    size_t all = sweep->candidates.count, count = opened->candidates.algorithms.count, winner = 0;
    CurvePoint *points = ARENA_ARRAY(sweep->arena, CurvePoint, count + 1);
    CurvePoint *costs = ARENA_ARRAY(sweep->arena, CurvePoint, all);
    double *seconds = ARENA_ARRAY(sweep->arena, double, all);
    if (count == 0)
        return true;
    if (!case_points(opened, bytes, points))
        return false;
    for (size_t i = 0; i < all; i++)
        seconds[i] = NAN;
    for (size_t i = 0; i < count; i++) {
        size_t place = place_of(sweep, case_algorithm(opened, i));
        costs[place] = points[i];
        seconds[place] = points[i].total;
    }
    *ARRAY_PUSH(sweep->arena, &sweep->points) = (SweepPoint){opened->network.p, seconds};
    *ARRAY_PUSH(sweep->arena, &sweep->costs) = costs;
    size_t fastest = winner_find(seconds, all);
    while (place_of(sweep, case_algorithm(opened, winner)) != fastest)
        winner++;
    sweep->is_wrong |= case_check(opened, winner, costs[fastest].k, bytes) == COST_WRONG;
    return true;
}

SweepRowArray rank_sweep_rows(const RankSweep *sweep)
{
    return sweep_rows(sweep->arena, &sweep->points, sweep->candidates.count, SWEEP_JOIN_RESTRICTED);
}
