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

/* In the study's arena. NULL after a report. */
static RankSweep *rank_sweep_open(const Study *study, const Collective *collective)
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

/* Adds the ranks of a case of that collective at m bytes, unless it has no candidates, and checks
   the winner. Needs the case no longer then. False after a report. */
static bool rank_sweep_add(RankSweep *sweep, const Case *opened, double bytes, bool *is_wrong)
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

/* A row goes on past ranks where its winner does not run. */
static const collcost_rank_row *rank_sweep_rows(const RankSweep *sweep, size_t *count)
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
    call->sweep = collective ? rank_sweep_open(study, collective) : NULL;
    return call_status(call->sweep != NULL);
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

static collcost_status add(void *arguments)
{
    SweepCall *call = arguments;
    const Study *study = call->sweep->study;
    bool is_wrong;
    if (call->opened->collective != call->sweep->collective)
        return call_status(
            diag_error(study->diag, NOWHERE, "this is a case of another collective"));
    if (!call_check_size(study, call->bytes, 0) ||
        !rank_sweep_add(call->sweep, call->opened, call->bytes, &is_wrong))
        return COLLCOST_BAD_INPUT;
    return is_wrong ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

collcost_status collcost_sweep_add(collcost_sweep *sweep, collcost_case *opened, double bytes)
{
    SweepCall call = {.sweep = sweep, .opened = opened, .bytes = bytes};
    return call_study(sweep->study, add, &call);
}

static collcost_status find_rows(void *arguments)
{
    SweepCall *call = arguments;
    call->rows = rank_sweep_rows(call->sweep, &call->count);
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
