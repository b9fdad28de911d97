#include "cost/derive_memo.h"

#include "base/array.h"

/* Of so many port steps the oldest is forgotten; of long ones, where there are more than so many
   messages together, fewer are kept. */
enum { MOST_SEEN_PORT_STEPS = 256, LEAST_SEEN_PORT_STEPS = 4, MOST_SEEN_MESSAGES = 1 << 15 };

typedef struct {
    int32_t from, to;
    int64_t size;
} SeenMessage;

ARRAY_TYPE(MessageArray, SeenMessage);
ARRAY_TYPE(PathRangeArray, PathRange);
ARRAY_TYPE(PathArray, PathCost);

typedef struct {
    MessageArray messages;
    int64_t by; /* of PortStep */
    PathRangeArray entries;
    PathArray paths;
} SeenPortStep;

struct PortStepMemo {
    Arena *arena;
    uint64_t hashes[MOST_SEEN_PORT_STEPS];
    SeenPortStep steps[MOST_SEEN_PORT_STEPS];
    size_t count, next; /* the one to forget */
    uint64_t wanted;    /* the hash of the port step that was asked for last */
};

PortStepMemo *memo_create(Arena *arena)
{
    PortStepMemo *memo = ARENA_NEW(arena, PortStepMemo);
    memo->arena = arena;
    return memo;
}

static SeenMessage message_of(const PortStep *step, size_t i)
{
    return (SeenMessage){step->transfers[i]->from, step->transfers[i]->to, step->sizes[i]};
}

static uint64_t hash_of(const PortStep *step)
{
    uint64_t hash = step->count ^ (uint64_t)step->by << 32;
    for (size_t i = 0; i < step->count; i++) {
        SeenMessage message = message_of(step, i);
        uint64_t ends = (uint64_t)message.from << 32 | (uint64_t)message.to;
        hash = (hash ^ ends ^ (uint64_t)message.size << 20) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_same(const SeenPortStep *seen, const PortStep *step)
{
    if (seen->messages.count != step->count || seen->by != step->by)
        return false;
    for (size_t i = 0; i < step->count; i++) {
        SeenMessage message = message_of(step, i), known = seen->messages.items[i];
        if (message.from != known.from || message.to != known.to || message.size != known.size)
            return false;
    }
    return true;
}

bool memo_recall(PortStepMemo *memo, PortStep *step)
{
    memo->wanted = hash_of(step);
    for (size_t i = 0; i < memo->count; i++) {
        const SeenPortStep *seen = &memo->steps[i];
        if (memo->hashes[i] != memo->wanted || !is_same(seen, step))
            continue;
        step->entries = seen->entries.items;
        step->entry_count = seen->entries.count;
        step->entry_paths = seen->paths.items;
        step->path_count = seen->paths.count;
        return true;
    }
    return false;
}

/* How many port steps of so many messages are kept. */
static size_t steps_kept(size_t messages)
{
    size_t most = MOST_SEEN_MESSAGES / (messages + 1);
    return most > MOST_SEEN_PORT_STEPS    ? MOST_SEEN_PORT_STEPS
           : most < LEAST_SEEN_PORT_STEPS ? LEAST_SEEN_PORT_STEPS
                                          : most;
}

static void copy_port_step(Arena *arena, SeenPortStep *seen, const PortStep *step)
{
    seen->messages.count = seen->entries.count = seen->paths.count = 0;
    seen->by = step->by;
    ARRAY_RESERVE(arena, &seen->messages, step->count);
    ARRAY_RESERVE(arena, &seen->paths, step->path_count);
    for (size_t i = 0; i < step->count; i++)
        *ARRAY_PUSH(arena, &seen->messages) = message_of(step, i);
    for (size_t i = 0; i < step->entry_count; i++)
        *ARRAY_PUSH(arena, &seen->entries) = step->entries[i];
    for (size_t i = 0; i < step->path_count; i++)
        *ARRAY_PUSH(arena, &seen->paths) = step->entry_paths[i];
}

void memo_keep(PortStepMemo *memo, const PortStep *step)
{
    if (memo->next >= steps_kept(step->count))
        memo->next = 0;
    size_t place = memo->next++;
    if (memo->count < memo->next)
        memo->count = memo->next;
    memo->hashes[place] = memo->wanted;
    copy_port_step(memo->arena, &memo->steps[place], step);
}
