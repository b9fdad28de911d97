#include "study/product.h"

#include "choose/sweep.h"

#include <math.h>

/* The time at one n. */
typedef struct {
    int64_t n;
    double seconds;
} TimeTask;

static bool find_time(void *context, const ScaleCase *scale, Diag *diag)
{
    TimeTask *task = context;
    return scale_time(scale, task->n, &task->seconds, diag);
}

/* Algorithms on one network that can be followed. */
typedef struct {
    const ProductCase *opened;
    AlgorithmArray algorithms;
} Candidates;

static bool find_times(void *context, int64_t n, double *seconds)
{
    const Candidates *candidates = context;
    for (size_t i = 0; i < candidates->algorithms.count; i++) {
        ScaleCase scale;
        if (!product_scale_case(candidates->opened, candidates->algorithms.items[i], &scale) ||
            !scale_time(&scale, n, &seconds[i], candidates->opened->study->diag))
            return false;
    }
    return true;
}

bool product_over_orders(const ProductCase *opened, int64_t first, int64_t last, ProductRows *rows)
{
    Arena *arena = opened->study->arena;
    Candidates candidates = {.opened = opened};
    SweepPointArray changes = {0};
    for (size_t i = 0; i < opened->algorithms.count; i++) {
        const Algorithm *algorithm = opened->algorithms.items[i];
        TimeTask task = {.n = first};
        ProductOutcome outcome = product_try(opened, algorithm, true, find_time, &task);
        if (outcome == PRODUCT_FAILED)
            return false;
        if (outcome == PRODUCT_FOUND)
            *ARRAY_PUSH(arena, &candidates.algorithms) = algorithm;
    }
    const ChoiceAxis orders = {arena,
                               candidates.algorithms.count,
                               (double)first,
                               (double)last,
                               opened->study->diag,
                               .times = find_times,
                               .context = &candidates};
    if (!sweep_find_changes(&orders, &changes))
        return false;
    for (size_t i = 0; i < changes.count; i++) {
        const SweepPoint *from = &changes.items[i];
        size_t winner = winner_find(from->seconds, candidates.algorithms.count);
        *ARRAY_PUSH(arena, rows) = (collcost_product_row){
            .algorithm = candidates.algorithms.items[winner]->head.name,
            .network = opened->network,
            .rules = opened->rules,
            .p = opened->shape.p,
            .from = from->at,
            .to = i + 1 < changes.count ? changes.items[i + 1].at - 1 : last,
            .total_at_from_s = from->seconds[winner],
            .total_at_to_s = NAN,
        };
    }
    return true;
}

bool product_over_ranks(const ProductCases *cases, int64_t n, ProductRows *rows)
{
    AlgorithmArray all = {0};
    SweepPointArray points = {0};
    if (cases->count == 0)
        return true;
    const Study *study = cases->items[0]->study;
    if (!library_algorithms(study->library, cases->items[0]->problem, &all, study->diag))
        return false;
    /* One point for each number of ranks, with the times of all algorithms of the library, in its
       order, if any runs there. */
    for (size_t i = 0; i < cases->count; i++) {
        const ProductCase *opened = cases->items[i];
        double *seconds = ARENA_ARRAY(study->arena, double, all.count + 1);
        for (size_t a = 0; a < all.count; a++)
            seconds[a] = NAN;
        for (size_t a = 0; a < opened->algorithms.count; a++) {
            const Algorithm *algorithm = opened->algorithms.items[a];
            TimeTask task = {.n = n};
            ProductOutcome outcome = product_try(opened, algorithm, true, find_time, &task);
            if (outcome == PRODUCT_FAILED)
                return false;
            if (outcome == PRODUCT_FOUND)
                seconds[product_place(&all, algorithm)] = task.seconds;
        }
        if (winner_find(seconds, all.count) < all.count)
            *ARRAY_PUSH(study->arena, &points) = (SweepPoint){opened->shape.p, seconds};
    }
    SweepRowArray found = sweep_rows(study->arena, &points, all.count, SWEEP_JOIN_NEIGHBOURS);
    for (size_t i = 0; i < found.count; i++) {
        const SweepRow *row = &found.items[i];
        const SweepPoint *first = &points.items[row->first], *last = &points.items[row->last];
        *ARRAY_PUSH(study->arena, rows) =
            (collcost_product_row){.algorithm = all.items[row->winner]->head.name,
                                   .from = first->at,
                                   .to = last->at,
                                   .total_at_from_s = first->seconds[row->winner],
                                   .total_at_to_s = last->seconds[row->winner]};
    }
    return true;
}
