/* The functions of collcost.h that are about numbers of ranks. */
#include "choose/sweep.h"
#include "study/call.h"
#include "study/case.h"

#include <math.h>
#include <string.h>

/* The fastest algorithm of a collective over the number of ranks, at one size. */

ARRAY_TYPE(PointsArray, const CurvePoint *);

/* Its candidates are the library's algorithms for the collective, in their order, then compositions
   as they are met: on each number of ranks some of them run. */
typedef struct collcost_sweep {
    const Study *study;
    const Collective *collective;
    AlgorithmArray candidates;
    SweepPointArray points; /* numbers of ranks */
    PointsArray costs;      /* at each of these, of each candidate that runs there */
} RankSweep;

/* Of that name: an algorithm whose parts the study exchanges is another one of that name.
   Compositions, which are put together for each number of ranks, are known by their stages. */
static size_t place_of(const RankSweep *sweep, const Algorithm *algorithm)
{
    const char *stages = algorithm->composed;
    size_t i = 0;
    for (; i < sweep->candidates.count; i++) {
        const Algorithm *other = sweep->candidates.items[i];
        if (stages && other->composed
                ? strcmp(stages, other->composed) == 0
                : stages == other->composed && strcmp(algorithm->head.name, other->head.name) == 0)
            break;
    }
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

typedef struct {
    Study *study;
    const char *collective;
    RankSweep *sweep;
} CreateCall;

static collcost_status create(void *arguments)
{
    CreateCall *call = arguments;
    const Study *study = call->study;
    Text name = call_text(study, "collective", call->collective);
    const Collective *collective = library_collective(study->library, name, study->diag);
    if (!collective)
        return COLLCOST_BAD_INPUT;
    call->sweep = ARENA_NEW(study->arena, RankSweep);
    *call->sweep = (RankSweep){.study = study, .collective = collective};
    /* those of a library are met as they become candidates */
    return call_status(
        study->implementation ||
        library_algorithms(study->library, collective, &call->sweep->candidates, study->diag));
}

collcost_status collcost_sweep_create(collcost_study *study, const char *collective,
                                      collcost_sweep **sweep)
{
    CreateCall call = {study, collective, NULL};
    collcost_status status = call_study(study, create, &call);
    if (status == COLLCOST_FINE)
        *sweep = call.sweep;
    return status;
}

typedef struct {
    RankSweep *sweep;
    const Case *opened;
    double bytes;
    const collcost_rank_row *rows;
    size_t count;
} SweepCall;

/* Adds the ranks of a case at m bytes, unless it has no candidates, and checks the winner. Needs
   the case no longer then. */
static collcost_status add(void *arguments)
{
    const SweepCall *call = arguments;
    RankSweep *sweep = call->sweep;
    const Case *opened = call->opened;
    Arena *arena = sweep->study->arena;
    if (opened->collective != sweep->collective)
        return call_status(
            diag_error(sweep->study->diag, NOWHERE, "this is a case of another collective"));
    if (!call_check_size(sweep->study, call->bytes, 0))
        return COLLCOST_BAD_INPUT;
    add_candidates(sweep, opened);
    size_t all = sweep->candidates.count, count = opened->candidates.algorithms.count, winner = 0;
    CurvePoint *points = ARENA_ARRAY(arena, CurvePoint, count + 1);
    CurvePoint *costs = ARENA_ARRAY(arena, CurvePoint, all);
    double *seconds = ARENA_ARRAY(arena, double, all);
    if (count == 0)
        return COLLCOST_FINE;
    if (!case_points(opened, call->bytes, points))
        return COLLCOST_BAD_INPUT;
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
    const CostCheck check = case_check(opened, winner, costs[fastest].k, costs[fastest].branches,
                                       call->bytes, CHECK_EACH);
    return check == COST_WRONG ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

collcost_status collcost_sweep_add(collcost_sweep *sweep, collcost_case *opened, double bytes)
{
    SweepCall call = {.sweep = sweep, .opened = opened, .bytes = bytes};
    return call_study(sweep->study, add, &call);
}

/* A row goes on past ranks where its winner does not run. */
static collcost_status find_rows(void *arguments)
{
    SweepCall *call = arguments;
    const RankSweep *sweep = call->sweep;
    Arena *arena = sweep->study->arena;
    SweepRowArray found =
        sweep_rows(arena, &sweep->points, sweep->candidates.count, SWEEP_JOIN_RESTRICTED);
    collcost_rank_row *rows = ARENA_ARRAY(arena, collcost_rank_row, found.count + 1);
    const Algorithm *const *candidates = sweep->candidates.items;
    for (size_t i = 0; i < found.count; i++) {
        const SweepRow *row = &found.items[i];
        const Algorithm *winner = candidates[row->winner];
        const CurvePoint *from = &sweep->costs.items[row->first][row->winner];
        const CurvePoint *to = &sweep->costs.items[row->last][row->winner];
        const bool has_second = row->second.loss > -INFINITY;
        const char **tied = ARENA_ARRAY(arena, const char *, sweep->candidates.count + 1);
        size_t tied_count = 0;
        for (size_t n = 0; n < sweep->candidates.count; n++)
            if (row->tied[n])
                tied[tied_count++] = candidates[n]->head.name;
        rows[i] = (collcost_rank_row){
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
    call->rows = rows;
    call->count = found.count;
    return COLLCOST_FINE;
}

collcost_status collcost_sweep_rows(collcost_sweep *sweep, const collcost_rank_row **rows,
                                    size_t *count)
{
    SweepCall call = {.sweep = sweep};
    collcost_status status = call_study(sweep->study, find_rows, &call);
    if (status == COLLCOST_FINE) {
        *rows = call.rows;
        *count = call.count;
    }
    return status;
}
