#include "exchange/decisions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As logarithms: the least gain; a deviation from which on expectations decide nothing, a factor
   of 1.6; how much slower counts as not slower; and an expectation that is off by more, a factor of
   20, is one of a row that was not measured as its log says. */
static const double least_gain = 0.1, largest_deviation = 0.47, not_slower = 0.02, wild = 3;

typedef struct {
    const Measurement *row;
    size_t at;       /* in the rows */
    double expected; /* NAN: nothing */
    bool is_measured_elsewhere;
} Candidate;

/* What is decided so far, and by what. */
typedef struct {
    Arena *arena;
    const MeasurementArray *rows;
    const DecisionBasis *basis;
    double deviation; /* of what is expected, as far as it is known */
    DecisionArray decisions;
} Deciding;

static int compare_candidates(const void *first, const void *second)
{
    const Candidate *a = first, *b = second;
    int order = measurement_compare_alternatives(a->row, b->row);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* The same at the next size, down or up; SIZE_MAX: there is none. */
static size_t beside(const MeasurementArray *rows, size_t at, int step)
{
    const size_t next = at + (size_t)step;
    if ((step < 0 && at == 0) || next >= rows->count)
        return SIZE_MAX;
    const Measurement *a = &rows->items[at], *b = &rows->items[next];
    return measurement_is_same_subject(a, b) && a->finish == b->finish && a->bytes != b->bytes
               ? next
               : SIZE_MAX;
}

/* Where a size lies between two others, as a share. */
static double share_between(const MeasurementArray *rows, size_t below, size_t at, size_t above)
{
    double from = log(fmax(rows->items[below].bytes, 0.5)),
           to = log(fmax(rows->items[above].bytes, 0.5));
    return (log(fmax(rows->items[at].bytes, 0.5)) - from) / (to - from);
}

/* What the prediction of a row is off, as a logarithm. */
static double residual(const MeasurementArray *rows, const DecisionBasis *basis, size_t at)
{
    return log(rows->items[at].seconds / basis->predicted[at]);
}

/* What is expected of a row without itself; NAN: nothing. */
static double expect(const MeasurementArray *rows, const DecisionBasis *basis, size_t at,
                     bool *is_measured_elsewhere)
{
    const double prediction = (basis->held_out ? basis->held_out : basis->predicted)[at];
    size_t below = beside(rows, at, -1), above = beside(rows, at, 1);
    *is_measured_elsewhere = false;
    if (below != SIZE_MAX && !(basis->predicted[below] > 0))
        below = SIZE_MAX;
    if (above != SIZE_MAX && !(basis->predicted[above] > 0))
        above = SIZE_MAX;
    if (basis->is_new || (below == SIZE_MAX && above == SIZE_MAX))
        return prediction;
    *is_measured_elsewhere = true;
    if (below == SIZE_MAX || above == SIZE_MAX)
        return prediction * exp(residual(rows, basis, below == SIZE_MAX ? above : below));
    double share = share_between(rows, below, at, above);
    return prediction *
           exp((1 - share) * residual(rows, basis, below) + share * residual(rows, basis, above));
}

/* How far expectations for the collective of the first one are off: the standard deviation of their
   logarithms; NAN: not known. */
static double find_deviation(const Candidate *candidates, size_t count, const DecisionBasis *basis)
{
    static const double mean_to_deviation = 1.25; /* of normally distributed numbers */
    const char *collective = candidates[0].row->collective;
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < count && strcmp(candidates[i].row->collective, collective) == 0; i++) {
        if (!(candidates[i].expected > 0) ||
            !(candidates[i].is_measured_elsewhere || basis->is_new))
            continue;
        const double error = fabs(log(candidates[i].expected / candidates[i].row->seconds));
        sum += error < wild ? error : 0;
        known += error < wild;
    }
    return known ? mean_to_deviation * sum / (double)known : NAN;
}

/* By how much, as a logarithm, the algorithm was faster than the library at the next size, down or
 * up; NAN: it is not known. */
static double gain_beside(const MeasurementArray *rows, size_t at, size_t library, int step)
{
    const size_t own = beside(rows, at, step), its = beside(rows, library, step);
    if (own == SIZE_MAX || its == SIZE_MAX || rows->items[own].bytes != rows->items[its].bytes)
        return NAN;
    return log(rows->items[its].seconds / rows->items[own].seconds);
}

/* May the library's choice be left for this one? At the ends of what was measured it must have
   gained twice as much at the size beside it. */
static bool may_leave(const Deciding *deciding, const Candidate *best, size_t library)
{
    const MeasurementArray *rows = deciding->rows;
    const double deviation = deciding->deviation;
    const size_t below = beside(rows, library, -1), above = beside(rows, library, 1);
    const double wanted = fmax(least_gain, deviation);
    if (!(deviation <= largest_deviation) || !best->is_measured_elsewhere)
        return false;
    if (below == SIZE_MAX || above == SIZE_MAX)
        return gain_beside(rows, best->at, library, below == SIZE_MAX ? 1 : -1) > 2 * wanted;
    double share = share_between(rows, below, library, above);
    double own =
        (1 - share) * log(rows->items[below].seconds) + share * log(rows->items[above].seconds);
    return own - log(best->expected) > wanted &&
           gain_beside(rows, best->at, library, -1) > -not_slower &&
           gain_beside(rows, best->at, library, 1) > -not_slower;
}

static double loss_of(const Decision *decision, const Measurement *row)
{
    return row ? row->seconds / decision->fastest->seconds - 1 : NAN;
}

static void push(Deciding *deciding, Decision decision)
{
    decision.chosen_loss = loss_of(&decision, decision.chosen);
    decision.library_loss = loss_of(&decision, decision.library);
    decision.tuned_loss = loss_of(&decision, decision.tuned);
    *ARRAY_PUSH(deciding->arena, &deciding->decisions) = decision;
}

/* Each algorithm is new in turn: it is chosen where it is expected to be faster than all that were
   measured, by twice the deviation. */
static void decide_on_new(Deciding *deciding, const Candidate *candidates, size_t count,
                          Decision decision)
{
    const double deviation = deciding->deviation;
    for (size_t i = 0; i < count; i++) {
        const Measurement *fastest = decision.library;
        if (measurement_is_default(candidates[i].row) || !(candidates[i].expected > 0))
            continue;
        for (size_t j = 0; j < count; j++)
            if (j != i && candidates[j].expected > 0 &&
                (!fastest || candidates[j].row->seconds < fastest->seconds))
                fastest = candidates[j].row;
        bool is_chosen =
            deviation <= largest_deviation &&
            log(fastest->seconds / candidates[i].expected) > fmax(least_gain, 2 * deviation);
        decision.chosen = is_chosen ? candidates[i].row : fastest;
        push(deciding, decision);
    }
}

/* Among candidates of one size, if there is a choice. */
static void decide(Deciding *deciding, const Candidate *candidates, size_t count)
{
    const bool *is_tuned = deciding->basis->is_tuned;
    Decision decision = {0};
    const Candidate *best = NULL;
    size_t library = SIZE_MAX, known = 0;
    for (size_t i = 0; i < count; i++) {
        const Candidate *one = &candidates[i];
        const Measurement *row = one->row;
        const bool is_library = measurement_is_default(row);
        if (is_library && !decision.library) {
            decision.library = row;
            library = one->at;
        }
        if (is_tuned && is_tuned[one->at] &&
            (!decision.tuned || (measurement_is_default(decision.tuned) && !is_library)))
            decision.tuned = row;
        if ((is_library || one->expected > 0) &&
            (!decision.fastest || row->seconds < decision.fastest->seconds))
            decision.fastest = row;
        if (is_library || !(one->expected > 0))
            continue;
        known++;
        if (!best || one->expected < best->expected)
            best = one;
    }
    if (known < 2)
        return;
    if (deciding->basis->is_new) {
        decide_on_new(deciding, candidates, count, decision);
        return;
    }
    decision.chosen =
        library == SIZE_MAX || may_leave(deciding, best, library) ? best->row : decision.library;
    push(deciding, decision);
}

DecisionArray decisions_find(Arena *arena, const MeasurementArray *rows, const DecisionBasis *basis)
{
    Deciding deciding = {arena, rows, basis, NAN, {0}};
    Candidate *candidates = ARENA_ARRAY(arena, Candidate, rows->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        Candidate *candidate = &candidates[count];
        *candidate = (Candidate){&rows->items[i], i, NAN, false};
        if (basis->predicted[i] > 0)
            candidate->expected = expect(rows, basis, i, &candidate->is_measured_elsewhere);
        count += rows->items[i].finish != FINISH_STREAM;
    }
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count; to++)
            if (measurement_compare_alternatives(candidates[from].row, candidates[to].row) != 0)
                break;
        if (from == 0 ||
            strcmp(candidates[from].row->collective, candidates[from - 1].row->collective) != 0)
            deciding.deviation = find_deviation(&candidates[from], count - from, basis);
        decide(&deciding, &candidates[from], to - from);
    }
    return deciding.decisions;
}

MeanLoss decisions_mean(const DecisionArray *decisions)
{
    MeanLoss mean = {.sizes = decisions->count};
    for (size_t i = 0; i < decisions->count; i++) {
        const Decision *one = &decisions->items[i];
        mean.chosen += one->chosen_loss;
        if (!one->library)
            continue;
        mean.library += one->library_loss;
        mean.known++;
        if (!one->tuned)
            continue;
        mean.tuned += one->tuned_loss;
        mean.untuned += one->library_loss;
        mean.tuned_sizes++;
    }
    mean.tuned = mean.tuned_sizes ? mean.tuned / (double)mean.tuned_sizes : NAN;
    mean.untuned = mean.tuned_sizes ? mean.untuned / (double)mean.tuned_sizes : NAN;
    mean.chosen = mean.sizes ? mean.chosen / (double)mean.sizes : NAN;
    mean.library = mean.known ? mean.library / (double)mean.known : NAN;
    return mean;
}
