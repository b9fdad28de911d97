#include "cli/setting.h"
#include "cli/switch_parts.h"
#include "model/parameters.h"

#include <math.h>
#include <string.h>

/* A switch point, and how far the logarithm of its size moves with each parameter at the end of its
   interval. */
typedef struct {
    const char *before, *after;
    double bytes;  /* NAN: it is there with other parameters only */
    double *moves; /* by interval */
    size_t fatal;  /* with which it comes or goes; as many as there are: none */
} Likely;
ARRAY_TYPE(LikelyArray, Likely);

static const char *interval_name(Arena *arena, const FittedInterval *interval)
{
    return arena_copy(arena, interval->parameter.chars, interval->parameter.length);
}

/* Is the parameter a rate, where the fit is about a time? */
static bool is_rate(const FittedInterval *interval)
{
    Text name = interval->parameter;
    size_t from = name.length;
    while (from > 0 && name.chars[from - 1] != '.')
        from--;
    const Text own = text_slice(name, from, name.length - from);
    bool is_inverse;
    return (parameter_find(OF_MACHINE, own, &is_inverse) ||
            parameter_find(OF_LEVEL, own, &is_inverse)) &&
           is_inverse;
}

/* The switch point from one algorithm to another that is there with other parameters only: it is
   one row, whichever of them brings it. As many as there are: it was not met. */
static size_t find_new(const LikelyArray *points, const collcost_moved *moved)
{
    size_t i = 0;
    while (i < points->count &&
           !(isnan(points->items[i].bytes) && strcmp(points->items[i].before, moved->before) == 0 &&
             strcmp(points->items[i].after, moved->after) == 0))
        i++;
    return i;
}

static bool follow(SwitchCase *switches, size_t number, LikelyArray *points)
{
    Arena *arena = switches->query.study.arena;
    const Fitted *fitted = switches->query.study.machine.fitted;
    const FittedInterval *interval = &fitted->intervals[number];
    const collcost_moved *moved;
    size_t count;
    if (interval->factor <= 1)
        return true;
    collcost_status status = collcost_case_vary_between(
        switches->opened, interval_name(arena, interval), 1 / interval->factor, interval->factor,
        switches->from, switches->to, switches->tolerance, &moved, &count);
    if (!query_answered(&switches->query, status))
        return false;
    switches->is_wrong |= status == COLLCOST_CHECK_FAILED;
    for (size_t i = 0; i < count; i++) {
        bool is_new = isnan(moved[i].bytes);
        size_t place = is_new ? find_new(points, &moved[i]) : i;
        if (place >= points->count)
            *ARRAY_PUSH(arena, points) =
                (Likely){moved[i].before, moved[i].after, moved[i].bytes,
                         ARENA_ARRAY(arena, double, fitted->interval_count), number};
        Likely *point = &points->items[place < points->count ? place : points->count - 1];
        double move = (log(moved[i].more_bytes) - log(moved[i].less_bytes)) / 2;
        if (isnan(move))
            point->fatal = number;
        else
            point->moves[number] = is_rate(interval) ? -move : move;
    }
    return true;
}

/* Together, by the correlations of the fit. */
static double total_move(const Fitted *fitted, const Likely *point, size_t *mostly)
{
    double sum = 0;
    *mostly = 0;
    for (size_t a = 0; a < fitted->interval_count; a++) {
        if (fabs(point->moves[a]) > fabs(point->moves[*mostly]))
            *mostly = a;
        for (size_t b = 0; b < fitted->interval_count; b++)
            sum += point->moves[a] * point->moves[b] * fitted_correlation(fitted, a, b);
    }
    return sqrt(fmax(sum, 0));
}

static void write_point(Table *table, const SwitchCase *switches, const Likely *point)
{
    Arena *arena = switches->query.study.arena;
    const Fitted *fitted = switches->query.study.machine.fitted;
    bool is_certain = point->fatal == fitted->interval_count;
    size_t mostly;
    double move = total_move(fitted, point, &mostly), count = switches->query.m_count;
    mostly = is_certain ? mostly : point->fatal;
    case_put(table, switches->opened);
    PUT(table, point, before, after);
    if (isnan(point->bytes))
        put_shown(table, KEY_switch_bytes, "none");
    else
        put_number(table, KEY_switch_bytes, point->bytes * count);
    put_bool(table, KEY_certain, is_certain);
    if (is_certain) {
        put_number(table, KEY_likely_from, point->bytes * exp(-move) * count);
        put_number(table, KEY_likely_to, point->bytes * exp(move) * count);
    }
    put_text(table, KEY_mostly, interval_name(arena, &fitted->intervals[mostly]));
    table_row(table);
}

bool switch_fitted_write(Table *table, SwitchCase *switches)
{
    Arena *arena = switches->query.study.arena;
    const Fitted *fitted = switches->query.study.machine.fitted;
    LikelyArray points = {0};
    for (size_t i = 1; i < switches->count; i++)
        *ARRAY_PUSH(arena, &points) =
            (Likely){switches->pieces[i - 1].algorithm, switches->pieces[i].algorithm,
                     switches->pieces[i].from_bytes,
                     ARENA_ARRAY(arena, double, fitted->interval_count), fitted->interval_count};
    for (size_t i = 0; i < fitted->interval_count; i++)
        if (!follow(switches, i, &points))
            return false;
    for (size_t i = 0; i < points.count; i++)
        write_point(table, switches, &points.items[i]);
    return true;
}
