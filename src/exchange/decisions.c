#include "exchange/decisions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const Measurement *row;
    double predicted;
    bool is_tuned;
} Candidate;

/* Of which one can be chosen instead of the other: 0. */
static int compare_alternatives(const Measurement *a, const Measurement *b)
{
    int order = measurement_compare_places(a, b);
    order = order ? order : (int)a->finish - (int)b->finish;
    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int compare_candidates(const void *first, const void *second)
{
    const Candidate *a = first, *b = second;
    int order = compare_alternatives(a->row, b->row);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Among the candidates of one size, each of which is another algorithm. */
static void decide(Arena *arena, const Candidate *candidates, size_t count,
                   DecisionArray *decisions)
{
    Decision decision = {.fastest = candidates[0].row};
    double least = INFINITY;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const Candidate *candidate = &candidates[i];
        bool is_library = measurement_is_default(candidate->row);
        if (candidate->row->seconds < decision.fastest->seconds)
            decision.fastest = candidate->row;
        if (is_library && !decision.library)
            decision.library = candidate->row;
        if (candidate->is_tuned &&
            (!decision.tuned || (measurement_is_default(decision.tuned) && !is_library)))
            decision.tuned = candidate->row;
        if (is_library || isnan(candidate->predicted))
            continue;
        known++;
        if (candidate->predicted < least) {
            least = candidate->predicted;
            decision.chosen = candidate->row;
        }
    }
    if (known < 2 || !decision.chosen)
        return;
    decision.chosen_loss = decision.chosen->seconds / decision.fastest->seconds - 1;
    if (decision.library)
        decision.library_loss = decision.library->seconds / decision.fastest->seconds - 1;
    if (decision.tuned)
        decision.tuned_loss = decision.tuned->seconds / decision.fastest->seconds - 1;
    *ARRAY_PUSH(arena, decisions) = decision;
}

DecisionArray decisions_find(Arena *arena, const MeasurementArray *rows, const double *predicted,
                             const bool *is_tuned)
{
    DecisionArray decisions = {0};
    Candidate *candidates = ARENA_ARRAY(arena, Candidate, rows->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].finish != FINISH_STREAM)
            candidates[count++] =
                (Candidate){&rows->items[i], predicted[i], is_tuned && is_tuned[i]};
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count; to++)
            if (compare_alternatives(candidates[from].row, candidates[to].row) != 0)
                break;
        decide(arena, &candidates[from], to - from, &decisions);
    }
    return decisions;
}

MeanLoss decisions_mean(const DecisionArray *decisions)
{
    MeanLoss mean = {.sizes = decisions->count};
    for (size_t i = 0; i < decisions->count; i++) {
        mean.chosen += decisions->items[i].chosen_loss;
        mean.library += decisions->items[i].library_loss;
        mean.known += decisions->items[i].library != NULL;
        if (!decisions->items[i].tuned || !decisions->items[i].library)
            continue;
        mean.tuned += decisions->items[i].tuned_loss;
        mean.untuned += decisions->items[i].library_loss;
        mean.tuned_sizes++;
    }
    mean.tuned = mean.tuned_sizes ? mean.tuned / (double)mean.tuned_sizes : NAN;
    mean.untuned = mean.tuned_sizes ? mean.untuned / (double)mean.tuned_sizes : NAN;
    mean.chosen = mean.sizes ? mean.chosen / (double)mean.sizes : NAN;
    mean.library = mean.known ? mean.library / (double)mean.known : NAN;
    return mean;
}
