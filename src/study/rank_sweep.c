#include "study/rank_sweep.h"

#include <math.h>
#include <string.h>

RankSweep *rank_sweep_open(const Study *study, const Collective *collective)
{
    RankSweep *sweep = ARENA_NEW(study->arena, RankSweep);
    *sweep = (RankSweep){.study = study, .collective = collective};
    if (study->implementation) /* met as they become candidates */
        return sweep;
    return library_algorithms(study->library, collective, &sweep->candidates, study->diag) ? sweep
                                                                                           : NULL;
}

/* By name: an algorithm whose parts the study exchanges is another one of that name. Compositions,
   which are put together for each number of ranks, are known by their stages. */
static bool is_same(const Algorithm *a, const Algorithm *b)
{
    bool both = a->composed && b->composed;
    return both ? strcmp(a->composed, b->composed) == 0
                : a->composed == b->composed && strcmp(a->head.name, b->head.name) == 0;
}

static size_t place_of(const RankSweep *sweep, const Algorithm *algorithm)
{
    size_t i = 0;
    while (i < sweep->candidates.count && !is_same(sweep->candidates.items[i], algorithm))
        i++;
    return i;
}

/* Compositions that were not met before run on none of the ranks so far. */
static void add_candidates(RankSweep *sweep, const Case *opened)
{
    Arena *arena = sweep->study->arena;
    size_t before = sweep->candidates.count;
    for (size_t i = 0; i < opened->candidates.algorithms.count; i++)
        if (place_of(sweep, case_algorithm(opened, i)) == sweep->candidates.count)
            *ARRAY_PUSH(arena, &sweep->candidates) = case_algorithm(opened, i);
    size_t all = sweep->candidates.count;
    for (size_t i = 0; i < sweep->points.count && all > before; i++) {
        CurvePoint *costs = ARENA_ARRAY(arena, CurvePoint, all);
        double *seconds = ARENA_ARRAY(arena, double, all);
        for (size_t j = 0; j < all; j++) {
            seconds[j] = j < before ? sweep->points.items[i].seconds[j] : NAN;
            if (j < before)
                costs[j] = sweep->costs.items[i][j];
        }
        sweep->points.items[i].seconds = seconds;
        sweep->costs.items[i] = costs;
    }
}

bool rank_sweep_add(RankSweep *sweep, const Case *opened, double bytes, bool *is_wrong)
{
    Arena *arena = sweep->study->arena;
    *is_wrong = false;
    add_candidates(sweep, opened);
    size_t all = sweep->candidates.count, count = opened->candidates.algorithms.count, winner = 0;
    CurvePoint *points = ARENA_ARRAY(arena, CurvePoint, count + 1);
    CurvePoint *costs = ARENA_ARRAY(arena, CurvePoint, all);
    double *seconds = ARENA_ARRAY(arena, double, all);
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
    *ARRAY_PUSH(arena, &sweep->points) = (SweepPoint){opened->network.p, seconds};
    *ARRAY_PUSH(arena, &sweep->costs) = costs;
    size_t fastest = winner_find(seconds, all);
    while (place_of(sweep, case_algorithm(opened, winner)) != fastest)
        winner++;
    *is_wrong = case_check(opened, winner, costs[fastest].k, costs[fastest].branches, bytes,
                           CHECK_EACH) == COST_WRONG;
    return true;
}

static collcost_rank_row fill_row(const RankSweep *sweep, const SweepRow *row)
{
    const Algorithm *const *candidates = sweep->candidates.items;
    const Algorithm *winner = candidates[row->winner];
    const CurvePoint *from = &sweep->costs.items[row->first][row->winner];
    const CurvePoint *to = &sweep->costs.items[row->last][row->winner];
    size_t all = sweep->candidates.count, tied_count = 0;
    const char **tied = ARENA_ARRAY(sweep->study->arena, const char *, all + 1);
    bool has_second = row->second.loss > -INFINITY;
    for (size_t i = 0; i < all; i++)
        if (row->tied[i])
            tied[tied_count++] = candidates[i]->head.name;
    return (collcost_rank_row){
        .algorithm = winner->head.name,
        .has_chunks = winner->free_chunks,
        .from_p = sweep->points.items[row->first].at,
        .to_p = sweep->points.items[row->last].at,
        .covers = row->covers.items,
        .cover_count = row->covers.count,
        .from_k = from->k,
        .to_k = to->k,
        .branches = study_branches(winner, from->branches),
        .to_branches = to->branches,
        .total_at_from_s = from->total,
        .total_at_to_s = to->total,
        .tied = tied,
        .tied_count = tied_count,
        .second = has_second ? candidates[row->second.candidate]->head.name : NULL,
        .second_slower_by = has_second ? row->second.loss : 0,
        .second_slower_at_p = has_second ? row->second.at : 0,
    };
}

const collcost_rank_row *rank_sweep_rows(const RankSweep *sweep, size_t *count)
{
    Arena *arena = sweep->study->arena;
    SweepRowArray found =
        sweep_rows(arena, &sweep->points, sweep->candidates.count, SWEEP_JOIN_RESTRICTED);
    collcost_rank_row *rows = ARENA_ARRAY(arena, collcost_rank_row, found.count + 1);
    for (size_t i = 0; i < found.count; i++)
        rows[i] = fill_row(sweep, &found.items[i]);
    *count = found.count;
    return rows;
}
