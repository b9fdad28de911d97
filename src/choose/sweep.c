#include "choose/sweep.h"

#include <math.h>

enum { TRIES_PER_OCTAVE = 8 };

typedef struct {
    Arena *arena;
    const SweepPointArray *points;
    size_t candidates;
    SweepJoin join;
    size_t *winners;  /* of each point */
    bool *restricted; /* candidates that do not run on all points */
} Sweep;

static bool runs(const Sweep *sweep, size_t candidate, size_t point)
{
    return !isnan(sweep->points->items[point].seconds[candidate]);
}

/* Does a point neither belong to the rows of a candidate nor end them? */
static bool is_passed(const Sweep *sweep, size_t point, size_t candidate)
{
    size_t winner = sweep->winners[point];
    return sweep->join == SWEEP_JOIN_RESTRICTED && winner != candidate &&
           (!runs(sweep, candidate, point) || sweep->restricted[winner]);
}

/* Does a point go on with the row of an earlier one? */
static bool goes_on(const Sweep *sweep, size_t point)
{
    const SweepPoint *points = sweep->points->items;
    size_t before = point;
    while (before-- > 0)
        if (!is_passed(sweep, before, sweep->winners[point]))
            return sweep->winners[before] == sweep->winners[point] &&
                   (sweep->join == SWEEP_JOIN_RESTRICTED || points[before].at <= points[point].at);
    return false;
}

/* The row that begins with a point. */
static SweepRow find_row(const Sweep *sweep, size_t first)
{
    const SweepPoint *points = sweep->points->items;
    size_t winner = sweep->winners[first];
    bool *tied = ARENA_ARRAY(sweep->arena, bool, sweep->candidates);
    bool *tied_there = ARENA_ARRAY(sweep->arena, bool, sweep->candidates);
    SweepRow row = {.winner = winner, .first = first, .last = first, .tied = tied};
    winner_find_tied(points[first].seconds, sweep->candidates, tied);
    *ARRAY_PUSH(sweep->arena, &row.covers) = points[first].at;
    for (size_t i = first + 1; i < sweep->points->count; i++) {
        if (is_passed(sweep, i, winner))
            continue;
        if (sweep->winners[i] != winner || !goes_on(sweep, i))
            break;
        row.last = i;
        *ARRAY_PUSH(sweep->arena, &row.covers) = points[i].at;
        winner_find_tied(points[i].seconds, sweep->candidates, tied_there);
        for (size_t candidate = 0; candidate < sweep->candidates; candidate++)
            tied[candidate] &= tied_there[candidate];
    }
    row.second = (SweepSecond){.loss = -INFINITY};
    for (size_t i = row.first; i <= row.last; i++) {
        /* The fastest of the candidates that neither win a row nor are tied with it. */
        const double *seconds = points[i].seconds;
        double *others = ARENA_ARRAY(sweep->arena, double, sweep->candidates);
        for (size_t j = 0; j < sweep->candidates; j++)
            others[j] = j == winner || tied[j] ? NAN : seconds[j];
        const size_t other = winner_find(others, sweep->candidates);
        if (sweep->winners[i] != winner || other == sweep->candidates)
            continue;
        const double time = seconds[other], least = seconds[winner];
        const double loss = time == least ? 0 : time / least - 1;
        if (row.second.loss == -INFINITY || time_is_below(1 + row.second.loss, 1 + loss))
            row.second = (SweepSecond){loss, points[i].at, other};
    }
    return row;
}

SweepRowArray sweep_rows(Arena *arena, const SweepPointArray *points, size_t candidates,
                         SweepJoin join)
{
    SweepRowArray rows = {0};
    Sweep sweep = {arena,
                   points,
                   candidates,
                   join,
                   ARENA_ARRAY(arena, size_t, points->count),
                   ARENA_ARRAY(arena, bool, candidates)};
    for (size_t i = 0; i < points->count; i++) {
        sweep.winners[i] = winner_find(points->items[i].seconds, candidates);
        for (size_t candidate = 0; candidate < candidates; candidate++)
            sweep.restricted[candidate] |= !runs(&sweep, candidate, i);
    }
    for (size_t i = 0; i < points->count; i++)
        if (!goes_on(&sweep, i))
            *ARRAY_PUSH(arena, &rows) = find_row(&sweep, i);
    return rows;
}

typedef struct {
    SweepPoint point;
    size_t winner;
} Tried;

static bool try_at(const ChoiceAxis *axis, int64_t at, Tried *tried)
{
    double *seconds = ARENA_ARRAY(axis->arena, double, axis->count);
    *tried = (Tried){.point = {at, seconds}};
    if (!axis->times(axis->context, at, seconds))
        return false;
    tried->winner = winner_find(seconds, axis->count);
    return true;
}

/* The changes after `low` up to `high`: where the winner in the middle is a third one there are at
   least two. */
static bool find_between(const ChoiceAxis *axis, const Tried *low, const Tried *high,
                         SweepPointArray *changes)
{
    Tried middle;
    if (low->winner == high->winner)
        return true;
    if (high->point.at - low->point.at == 1) {
        *ARRAY_PUSH(axis->arena, changes) = high->point;
        return true;
    }
    return try_at(axis, low->point.at + (high->point.at - low->point.at) / 2, &middle) &&
           find_between(axis, low, &middle, changes) && find_between(axis, &middle, high, changes);
}

bool sweep_find_changes(const ChoiceAxis *axis, SweepPointArray *changes)
{
    const int64_t last = (int64_t)axis->to;
    Tried low, high;
    if (axis->count == 0)
        return true;
    if (!try_at(axis, (int64_t)axis->from, &low))
        return false;
    *ARRAY_PUSH(axis->arena, changes) = low.point;
    while (low.point.at < last) {
        const int64_t at = low.point.at;
        int64_t step = 1;
        while (step * 2 * TRIES_PER_OCTAVE <= at)
            step *= 2;
        if (!try_at(axis, last - at < step ? last : at + step, &high) ||
            !find_between(axis, &low, &high, changes))
            return false;
        low = high;
    }
    return true;
}
