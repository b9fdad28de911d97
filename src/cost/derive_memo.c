#include "cost/derive_memo.h"

#include "base/array.h"

/* No more is kept once paths take some ten megabytes. */
enum { LEAST_ROOM = 64, MOST_KEPT_PATHS = 1 << 17 };

typedef struct {
    MessageHash hash;
    PathRange *entries; /* NULL: the place is free */
    PathCost *paths;
    size_t entry_count, path_count;
} SeenPortStep;

/* An open hash table. */
struct PortStepMemo {
    Arena *arena;
    SeenPortStep *steps;
    size_t count, room, kept_paths;
    struct LinkLoads *loads;
    MessageHash wanted; /* of the port step that was asked for last */
};

PortStepMemo *memo_create(Arena *arena)
{
    PortStepMemo *memo = ARENA_NEW(arena, PortStepMemo);
    *memo = (PortStepMemo){
        .arena = arena, .steps = ARENA_ARRAY(arena, SeenPortStep, LEAST_ROOM), .room = LEAST_ROOM};
    return memo;
}

static MessageHash hash_of(const PortStep *step)
{
    MessageHash hash = {step->count ^ (uint64_t)step->by << 32,
                        (uint64_t)step->by ^ (uint64_t)step->together << 32};
    for (size_t i = 0; i < step->count; i++)
        hash = hash_add(hash, transfer_ends(step->transfers[i]), (uint64_t)step->sizes[i]);
    return hash;
}

/* Where this port step is, or would be. */
static SeenPortStep *find(const PortStepMemo *memo, MessageHash hash)
{
    size_t at = (size_t)hash.low & (memo->room - 1);
    for (;; at = (at + 1) & (memo->room - 1)) {
        SeenPortStep *seen = &memo->steps[at];
        if (!seen->entries || (seen->hash.high == hash.high && seen->hash.low == hash.low))
            return seen;
    }
}

bool memo_recall(PortStepMemo *memo, PortStep *step)
{
    memo->wanted = hash_of(step);
    const SeenPortStep *seen = find(memo, memo->wanted);
    if (!seen->entries)
        return false;
    step->entries = seen->entries;
    step->entry_count = seen->entry_count;
    step->entry_paths = seen->paths;
    step->path_count = seen->path_count;
    return true;
}

static void grow(PortStepMemo *memo)
{
    PortStepMemo old = *memo;
    memo->room *= 2;
    memo->steps = ARENA_ARRAY(memo->arena, SeenPortStep, memo->room);
    for (size_t i = 0; i < old.room; i++)
        if (old.steps[i].entries)
            *find(memo, old.steps[i].hash) = old.steps[i];
}

struct LinkLoads **memo_loads(PortStepMemo *memo, Arena **arena)
{
    *arena = memo->arena;
    return &memo->loads;
}

void memo_keep(PortStepMemo *memo, const PortStep *step)
{
    if (memo->kept_paths + step->path_count > MOST_KEPT_PATHS)
        return;
    if (2 * memo->count >= memo->room)
        grow(memo);
    *find(memo, memo->wanted) = (SeenPortStep){
        memo->wanted, ARENA_COPY(memo->arena, PathRange, step->entries, step->entry_count),
        paths_copy(memo->arena, step->entry_paths, step->path_count), step->entry_count,
        step->path_count};
    memo->count++;
    memo->kept_paths += step->path_count;
}
