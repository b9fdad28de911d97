#include "cost/derive_memo.h"

#include "base/place_table.h"
#include "sched/grid_stages.h"
#include "sched/runs.h"

typedef struct {
    WideHash hash;
    PathRange *entries;
    PathCost *paths;
    size_t entry_count, path_count;
} SeenPortStep;
ARRAY_TYPE(SeenPortStepArray, SeenPortStep);

struct PortStepMemo {
    Arena *arena;
    SeenPortStepArray steps;
    PlaceTable places; /* of steps, by a half of their hash */
    size_t kept;       /* bytes of their paths */
    struct LinkLoads *loads;
    GridStages *stages;
    WideHash wanted; /* of the port step that was asked for last */
};

PortStepMemo *memo_create(Arena *arena)
{
    PortStepMemo *memo = ARENA_NEW(arena, PortStepMemo);
    *memo = (PortStepMemo){.arena = arena};
    return memo;
}

bool memo_recall(PortStepMemo *memo, PortStep *step)
{
    WideHash hash = {~step->run_count, step->is_empty};
    for (size_t i = 0; i < step->run_count && step->runs; i++) {
        const MessageRun *run = &step->runs[i];
        hash = hash_add(hash, (uint64_t)run->from.first, (uint64_t)run->from.stride);
        hash = hash_add(hash, (uint64_t)run->from.count, (uint64_t)run->blocks);
        hash = hash_add(hash, (uint64_t)run->slope, (uint64_t)run->mask);
        hash = hash_add(hash, (uint64_t)run->shift, i);
    }
    if (!step->runs) {
        hash.high = step->count ^ (uint64_t)step->by << 32;
        hash.low =
            (uint64_t)step->by ^ (uint64_t)step->together << 32 ^ (uint64_t)step->lanes << 33;
    }
    for (size_t i = 0; i < step->count && !step->runs; i++)
        hash = hash_add(hash, transfer_ends(step->transfers[i]), (uint64_t)step->sizes[i]);
    memo->wanted = hash;
    const int32_t place = place_table_get(&memo->places, memo->wanted.low >> 1);
    const SeenPortStep *seen = place < 0 ? NULL : &memo->steps.items[place];
    if (!seen || !hash_same(seen->hash, memo->wanted))
        return false;
    step->entries = seen->entries;
    step->entry_count = seen->entry_count;
    step->entry_paths = seen->paths;
    step->path_count = seen->path_count;
    return true;
}

struct LinkLoads **memo_loads(PortStepMemo *memo, Arena **arena)
{
    *arena = memo->arena;
    return &memo->loads;
}

void memo_keep_stages(PortStepMemo *memo)
{
    if (!memo->stages)
        memo->stages = grid_stages_create(memo->arena);
}

GridStages *memo_stages(PortStepMemo *memo)
{
    return memo->stages;
}

void memo_keep(PortStepMemo *memo, const PortStep *step)
{
    const size_t bytes = step->path_count * sizeof *step->entry_paths;
    if (memo->kept + bytes > MOST_KEPT)
        return;
    *place_table_find(memo->arena, &memo->places, memo->wanted.low >> 1) =
        (int32_t)memo->steps.count;
    *ARRAY_PUSH_ALONE(memo->arena, &memo->steps) = (SeenPortStep){
        memo->wanted, ARENA_COPY(memo->arena, PathRange, step->entries, step->entry_count),
        paths_copy(memo->arena, step->entry_paths, step->path_count), step->entry_count,
        step->path_count};
    memo->kept += bytes;
}
