#include "cost/chunk_kinds.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const PortStepCost *cost, const PathCost *paths, size_t path_count)
{
    uint64_t hash = mix((uint64_t)cost->combined, (uint64_t)cost->message);
    for (size_t i = 0; i < path_count; i++)
        hash = mix(hash, (uint64_t)paths[i].hops << 32 ^ (uint64_t)paths[i].load ^
                             (uint64_t)paths[i].lanes << 48);
    return hash;
}

static bool is_kind(const ChunkKinds *kinds, int32_t place, const PortStepCost *cost,
                    const PathCost *paths, size_t path_count)
{
    const PortStepCost *kind = &kinds->kinds.items[place];
    return kind->combined == cost->combined && kind->message == cost->message &&
           kind->path_count == path_count &&
           memcmp(kinds->paths.items + kind->first_path, paths, path_count * sizeof *paths) == 0;
}

int32_t chunk_kinds_find(ChunkKinds *kinds, const PortStepCost *cost, const PathCost *paths,
                         size_t path_count)
{
    const uint64_t hash = hash_of(cost, paths, path_count);
    int32_t *last = place_table_find(kinds->arena, &kinds->places, hash >> 1);
    for (int32_t place = *last; place >= 0; place = kinds->same_hash.items[place])
        if (is_kind(kinds, place, cost, paths, path_count))
            return place;
    PortStepCost kind = *cost;
    kind.first_path = kinds->paths.count;
    kind.path_count = path_count;
    for (size_t i = 0; i < path_count; i++)
        *ARRAY_PUSH(kinds->arena, &kinds->paths) = paths[i];
    *ARRAY_PUSH(kinds->arena, &kinds->same_hash) = *last;
    *ARRAY_PUSH(kinds->arena, &kinds->kinds) = kind;
    return *last = (int32_t)kinds->kinds.count - 1;
}

void chunk_kinds_begin(ChunkKinds *kinds)
{
    *ARRAY_PUSH(kinds->arena, &kinds->starts) = kinds->points.count;
}

void chunk_kinds_change(ChunkKinds *kinds, int64_t chunks, int32_t kind)
{
    const size_t first = kinds->starts.items[kinds->starts.count - 1];
    const size_t count = kinds->points.count;
    const int32_t before = count > first ? kinds->points.items[count - 1].kind : NO_KIND;
    if (kind != before)
        *ARRAY_PUSH(kinds->arena, &kinds->points) = (KindChange){(int32_t)chunks, kind};
}

/* The kind of a port step with k chunks. */
static int32_t kind_with(const ChunkKinds *kinds, size_t port_step, int64_t k)
{
    bool is_last = port_step + 1 == kinds->starts.count;
    size_t first = kinds->starts.items[port_step], low = first;
    size_t high = is_last ? kinds->points.count : kinds->starts.items[port_step + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (kinds->points.items[middle].chunks <= k)
            low = middle + 1;
        else
            high = middle;
    }
    return low == first ? NO_KIND : kinds->points.items[low - 1].kind;
}

/* The port steps with k chunks, in their order. */
static StepKindArray list_steps(const ChunkKinds *kinds, Arena *arena, int64_t k)
{
    StepKindArray steps = {0};
    int32_t last = NO_KIND;
    for (size_t t = 0; t < kinds->starts.count; t++) {
        const int32_t kind = kind_with(kinds, t, k);
        if (kind == NO_KIND)
            continue;
        if (kind == last) {
            steps.items[steps.count - 1].repeat++;
            continue;
        }
        PortStepCost *step = ARRAY_PUSH(arena, &steps);
        *step = kinds->kinds.items[last = kind];
        step->repeat = 1;
    }
    return steps;
}

static StepKindArray list_tally(const ChunkKinds *kinds, Arena *arena, const KindTally *tally)
{
    StepKindArray steps = {0};
    for (size_t i = 0; i < tally->count; i++) {
        PortStepCost *step = ARRAY_PUSH(arena, &steps);
        *step = kinds->kinds.items[tally->items[i].kind];
        step->repeat = tally->items[i].times;
    }
    return steps;
}

const Profile *chunk_kinds_profile(const ChunkKinds *kinds, const Rules *rules, int64_t k)
{
    Arena *scratch = arena_scratch(kinds->arena);
    const StepKindArray steps = kinds->tallies ? list_tally(kinds, scratch, &kinds->tallies[k])
                                               : list_steps(kinds, scratch, k);
    Profile *profile = ARENA_NEW(kinds->arena, Profile);
    *profile = (Profile){.steps = ARENA_COPY(kinds->arena, PortStepCost, steps.items, steps.count),
                         .step_count = steps.count,
                         .paths = kinds->paths.items,
                         .path_count = kinds->paths.count,
                         .chunks = k,
                         .ceil_chunks = rules->ceil_chunks,
                         .peak_total = -1,
                         .peak_blocks = -1};
    for (size_t i = 0; i < steps.count; i++)
        profile->startups += profile->steps[i].repeat;
    arena_destroy(scratch);
    return profile;
}
