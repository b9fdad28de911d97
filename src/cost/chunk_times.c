#include "cost/chunk_times.h"
#include "base/watch.h"

#include <math.h>

/* How many bends are below a size. O(log bends). */
static size_t bends_below(const SizeArray *bends, double bytes)
{
    size_t low = 0, high = bends->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bends->items[middle] < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The parts of the time at a size. A bend belongs to the line that ends there. */
static CostParts bent_line_at(const BentLine *line, double bytes)
{
    CostParts parts = line->parts[bends_below(&line->bends, bytes)];
    parts.transfer *= bytes;
    parts.compute *= bytes;
    return parts;
}

/* A size between two bends. Where there are none, one of bytes that take more than what rounding
   leaves of startups. */
static double inside_piece(const SizeArray *bends, size_t piece)
{
    const double low = piece > 0 ? bends->items[piece - 1] : 0;
    if (bends->count == 0)
        return 0x1p20;
    const double high = piece < bends->count ? bends->items[piece] : 2 * low + 1;
    return low + (high - low) / 2;
}

static CostParts by_byte(CostParts parts, double bytes)
{
    parts.transfer /= bytes;
    parts.compute /= bytes;
    return parts;
}

/* Finds all bends, and keeps them in `arena`. False after a report. */
static bool bent_line_find(Arena *arena, const Profile *profile, const double *parameters,
                           BentLine *line, Diag *diag)
{
    static const double largest = 0x1p70;
    const SizeArray *bends = &line->bends;
    const BendList all = {0, largest, arena, &line->bends, diag};
    if (!profile_bends(profile, parameters, &all))
        return false;
    line->parts = ARENA_ROOM(arena, CostParts, bends->count + 1);
    for (size_t i = 0; i <= bends->count; i++) {
        const double inside = inside_piece(bends, i);
        line->parts[i] = by_byte(profile_cost(profile, parameters, inside), inside);
    }
    return true;
}

/* Its lines; NULL: they are not known. */
static const BentLine *known_line(const ChunkTimes *times, double k)
{
    if (!times->lines || k > MOST_DERIVED_CHUNKS ||
        times->rules->ceil_chunks) /* then there are steps, no lines */
        return NULL;
    const BentLine *line = &times->lines[(int64_t)k];
    return line->parts ? line : NULL;
}

static bool find_parts(ChunkTimes *times, double k, double bytes, bool on_line, CostParts *parts,
                       Diag *diag)
{
    double *const values[PARAMETER_COUNT] = {&parts->startup, &parts->hop, &parts->transfer,
                                             &parts->compute};
    const double call = times->rules->delays[DELAY_CALL].seconds;
    if (!times->closed.count) {
        const BentLine *line = on_line ? known_line(times, k) : NULL;
        const Profile *profile = line ? NULL : profiles_timed(times->profiles, (int64_t)k, diag);
        if (!line && !profile)
            return false;
        watch_poll(times->arena);
        *parts = line ? bent_line_at(line, bytes)
                      : profile_cost(profile, times->rules->parameters, bytes);
        parts->startup += call;
        return true;
    }
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        double only[PARAMETER_COUNT] = {0};
        only[i] = times->rules->parameters[i];
        *values[i] = 0;
        if (only[i] != 0 && !closed_seconds(&times->closed, k, only, bytes, values[i], diag))
            return false;
    }
    parts->startup += call;
    return true;
}

static bool find_alike(ChunkTimes *times, double k, double bytes, bool on_line, double *total,
                       Diag *diag)
{
    if (times->closed.count) {
        if (!closed_seconds(&times->closed, k, times->rules->parameters, bytes, total, diag))
            return false;
        *total += times->rules->delays[DELAY_CALL].seconds;
        return true;
    }
    CostParts parts;
    *total = INFINITY;
    if (!(on_line && known_line(times, k)) &&
        profiles_are_beyond_reach(times->profiles, (int64_t)k))
        return true;
    if (!find_parts(times, k, bytes, on_line, &parts, diag))
        return false;
    *total = cost_total(parts);
    return true;
}

/* The bytes behind the full segments; 0: all are alike. */
static double rest_of(const ChunkTimes *times, double k, double bytes)
{
    const double rest = bytes - (k - 1) * times->full;
    return times->full > 0 && k > 1 && rest > 0 && rest < times->full ? rest : 0;
}

/* The rounds of the full segments, and those that the rest adds at its own size. Where both meet on
   links this is the most that they can take. */
bool chunk_times_total(ChunkTimes *times, double k, double bytes, bool on_line, double *total,
                       Diag *diag)
{
    const double rest = rest_of(times, k, bytes);
    double more, fewer;
    if (!(rest > 0))
        return find_alike(times, k, bytes, on_line, total, diag);
    if (!find_alike(times, k - 1, (k - 1) * times->full, on_line, total, diag) ||
        !find_alike(times, k, k * rest, on_line, &more, diag) ||
        !find_alike(times, k - 1, (k - 1) * rest, on_line, &fewer, diag))
        return false;
    *total += isinf(more) ? more : more - fewer;
    return true;
}

bool chunk_times_parts(ChunkTimes *times, double k, double bytes, CostParts *parts, Diag *diag)
{
    const double rest = rest_of(times, k, bytes);
    CostParts more, fewer;
    if (!(rest > 0))
        return find_parts(times, k, bytes, false, parts, diag);
    if (!find_parts(times, k - 1, (k - 1) * times->full, false, parts, diag) ||
        !find_parts(times, k, k * rest, false, &more, diag) ||
        !find_parts(times, k - 1, (k - 1) * rest, false, &fewer, diag))
        return false;
    *parts = cost_sum(*parts, cost_sum(more, cost_share(fewer, -1)));
    return true;
}

bool chunk_times_line(ChunkTimes *times, double k, double bytes, double *intercept, double *slope,
                      Diag *diag)
{
    const double rest = rest_of(times, k, bytes);
    const bool has_rest = rest > 0;
    CostParts more, fewer = {0};
    double total = 0;
    if (!find_parts(times, k, has_rest ? k * rest : bytes, true, &more, diag) ||
        (has_rest && (!find_parts(times, k - 1, (k - 1) * rest, true, &fewer, diag) ||
                      !chunk_times_total(times, k, bytes, true, &total, diag))))
        return false;
    *slope = bytes > 0 ? (more.transfer + more.compute - (fewer.transfer + fewer.compute)) /
                             (has_rest ? rest : bytes)
                       : 0;
    *intercept = has_rest ? total - *slope * bytes : more.startup + more.hop;
    return true;
}

static CostParts sum_of_kinds(const ChunkTimes *times, const Profile *profile, double bytes)
{
    const double block = bytes / (double)profile->chunks;
    CostParts sum = {0};
    for (size_t t = 0; t < profile->step_count; t++) {
        const PortStepCost *step = &profile->steps[t];
        CostParts parts = {0};
        if (step->path_count)
            parts = bent_line_at(&times->kinds[step->first_path], block);
        parts.compute = (double)step->combined * block * times->rules->parameters[PARAMETER_TC];
        sum.startup += (double)step->repeat * parts.startup;
        sum.hop += (double)step->repeat * parts.hop;
        sum.transfer += (double)step->repeat * parts.transfer;
        sum.compute += (double)step->repeat * parts.compute;
    }
    return sum;
}

/* bent_line_find of a profile whose port steps are of kinds that profiles of other k have too. */
static bool find_by_kinds(ChunkTimes *times, const Profile *profile, BentLine *line, Diag *diag)
{
    const double chunks = (double)profile->chunks;
    SizeArray *bends = &line->bends;
    for (size_t t = 0; t < profile->step_count; t++) {
        PortStepCost alone = profile->steps[t];
        if (!alone.path_count)
            continue;
        /* The line of a port step by itself, once for all profiles that have such ones. */
        BentLine *kind = &times->kinds[alone.first_path];
        const Profile of_one = {.steps = &alone,
                                .step_count = 1,
                                .paths = profile->paths + alone.first_path,
                                .path_count = alone.path_count,
                                .chunks = 1};
        alone.first_path = 0;
        alone.repeat = 1;
        alone.combined = 0;
        if (!kind->parts &&
            !bent_line_find(times->arena, &of_one, times->rules->parameters, kind, diag))
            return false;
        for (size_t i = 0; i < kind->bends.count; i++)
            *ARRAY_PUSH(times->arena, bends) = kind->bends.items[i] * chunks;
    }
    bends->count = sort_doubles_once(bends->items, bends->count);
    line->parts = ARENA_ROOM(times->arena, CostParts, bends->count + 1);
    for (size_t i = 0; i <= bends->count; i++) {
        const double inside = inside_piece(bends, i);
        line->parts[i] = by_byte(sum_of_kinds(times, profile, inside), inside);
    }
    return true;
}

/* Paths that two profiles share are those of a bag: then port steps of one kind are alike in both.
 */
static bool find_line(ChunkTimes *times, const Profile *profile, BentLine *line, Diag *diag)
{
    /* Is its time a sum over port steps, each of which depends on the bytes of a block alone? */
    const bool is_sum = !profile->timeline && !profile->rules && !profile->averaged &&
                        !profile->ceil_chunks && profile->unit == 0 && profile->chunks > 1;
    if (is_sum && profile->paths == times->shared) {
        if (!times->kinds)
            times->kinds = ARENA_ARRAY(times->arena, BentLine, profile->path_count);
        return find_by_kinds(times, profile, line, diag);
    }
    if (profile->paths != times->shared)
        times->kinds = NULL;
    times->shared = profile->paths;
    return bent_line_find(times->arena, profile, times->rules->parameters, line, diag);
}

static bool bends_alike(ChunkTimes *times, int64_t k, const BendList *list)
{
    const double *parameters = times->rules->parameters;
    const Profile *profile = profiles_timed(times->profiles, k, list->diag);
    if (!profile)
        return false;
    if (k > MOST_DERIVED_CHUNKS)
        return profile_bends(profile, parameters, list);
    if (!times->lines)
        times->lines = ARENA_ARRAY(times->arena, BentLine, MOST_DERIVED_CHUNKS + 1);
    BentLine *line = &times->lines[k];
    if (!line->parts && !find_line(times, profile, line, list->diag))
        return false;
    const SizeArray *bends = &line->bends;
    for (size_t i = bends_below(bends, list->from); i < bends->count && bends->items[i] < list->to;
         i++)
        bend_add(list, bends->items[i]);
    return true;
}

bool chunk_times_bends(ChunkTimes *times, int64_t k, const BendList *list)
{
    const double full = (double)(k - 1) * times->full;
    if (!(full > 0))
        return bends_alike(times, k, list);
    for (int64_t with = k - 1; with <= k; with++) { /* where those with the rest's size bend */
        const double chunks = (double)with;
        SizeArray found = {0};
        const BendList of_with = {fmax(0, list->from - full) * chunks, (list->to - full) * chunks,
                                  list->arena, &found, list->diag};
        if (!bends_alike(times, with, &of_with))
            return false;
        for (size_t i = 0; i < found.count; i++)
            *ARRAY_PUSH(list->arena, list->sizes) = full + found.items[i] / chunks;
    }
    return true;
}
