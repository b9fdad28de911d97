#include "cost/chunk_times.h"

#include "base/watch.h"

#include <math.h>

static bool find_parts(ChunkTimes *times, double k, double bytes, bool on_line, CostParts *parts,
                       Diag *diag)
{
    double *const values[PARAMETER_COUNT] = {&parts->startup, &parts->hop, &parts->transfer,
                                             &parts->compute};
    const double call = times->rules->delays[DELAY_CALL].seconds;
    if (!times->closed.count) {
        watch_poll(times->arena);
        const Profile *profile = profiles_timed(times->profiles, (int64_t)k, diag);
        if (!profile)
            return false;
        const bool is_known =
            k <= MOST_DERIVED_CHUNKS && times->lines && times->lines[(int64_t)k].parts;
        if (on_line && is_known && !profile->ceil_chunks) /* else there are steps, no lines */
            *parts = bent_line_at(&times->lines[(int64_t)k], bytes);
        else
            *parts = profile_cost(profile, times->rules->parameters, bytes);
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

static bool find_total(ChunkTimes *times, double k, double bytes, bool on_line, double *total,
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
    if (profiles_are_beyond_reach(times->profiles, (int64_t)k))
        return true;
    if (!find_parts(times, k, bytes, on_line, &parts, diag))
        return false;
    *total = cost_total(parts);
    return true;
}

bool chunk_times_parts(ChunkTimes *times, double k, double bytes, CostParts *parts, Diag *diag)
{
    return find_parts(times, k, bytes, false, parts, diag);
}

bool chunk_times_total(ChunkTimes *times, double k, double bytes, double *total, Diag *diag)
{
    return find_total(times, k, bytes, false, total, diag);
}

bool chunk_times_parts_on_line(ChunkTimes *times, double k, double bytes, CostParts *parts,
                               Diag *diag)
{
    return find_parts(times, k, bytes, true, parts, diag);
}

bool chunk_times_total_on_line(ChunkTimes *times, double k, double bytes, double *total, Diag *diag)
{
    return find_total(times, k, bytes, true, total, diag);
}

bool chunk_times_bends(ChunkTimes *times, int64_t k, double from, double to, Arena *arena,
                       SizeArray *sizes, Diag *diag)
{
    const double *parameters = times->rules->parameters;
    const Profile *profile = profiles_timed(times->profiles, k, diag);
    if (!profile)
        return false;
    if (k > MOST_DERIVED_CHUNKS)
        return profile_bends(profile, parameters, from, to, arena, sizes, diag);
    if (!times->lines)
        times->lines = ARENA_ARRAY(times->arena, BentLine, MOST_DERIVED_CHUNKS + 1);
    BentLine *line = &times->lines[k];
    if (!line->parts && !bent_line_find(times->arena, profile, parameters, line, diag))
        return false;
    bent_line_list(line, from, to, arena, sizes);
    return true;
}

bool chunk_times_messages(ChunkTimes *times, int64_t k, double bytes, Arena *arena,
                          SizeArray *messages, Diag *diag)
{
    const Profile *profile = profiles_timed(times->profiles, k, diag);
    if (!profile)
        return false;
    IntArray blocks = profile_messages(profile, arena);
    for (size_t i = 0; i < blocks.count; i++)
        if (i == 0 || blocks.items[i] != blocks.items[i - 1])
            *ARRAY_PUSH(arena, messages) = (double)blocks.items[i] * profile_block(profile, bytes);
    return true;
}
