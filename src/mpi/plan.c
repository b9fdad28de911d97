#include "mpi/plan.h"

size_t chunk_begin(const ListedSchedule *schedule, size_t m, int64_t block)
{
    const __int128 h = block % schedule->chunks;
    return (size_t)(h * (__int128)m / schedule->chunks);
}

size_t chunk_bytes(const ListedSchedule *schedule, size_t m, int64_t block)
{
    const __int128 h = block % schedule->chunks + 1;
    return (size_t)(h * (__int128)m / schedule->chunks) - chunk_begin(schedule, m, block);
}

typedef struct {
    Arena *arena;
    const ListedSchedule *schedule;
    size_t m;
    int32_t me;
    int64_t *places;
    Plan *plan;
} Planner;

static size_t place_of(Planner *planner, int64_t block)
{
    if (planner->places[block] < 0) {
        planner->places[block] = (int64_t)planner->plan->memory;
        planner->plan->memory += chunk_bytes(planner->schedule, planner->m, block);
    }
    return (size_t)planner->places[block];
}

/* What a rank has before counts, and what it must have, also where no message carries it. */
static void place_held(Planner *planner, const Holding *holding)
{
    const int64_t chunks = planner->schedule->chunks;
    for (int64_t i = 0, count = holding_count(holding, planner->me); i < count; i++)
        for (int64_t h = 0; h < chunks; h++)
            place_of(planner, holding_block(holding, planner->me, i) * chunks + h);
}

static void add_message(Planner *planner, const ListedMessage *message, bool sends, size_t *used)
{
    Plan *plan = planner->plan;
    PlannedMessage planned = {
        .peer = sends ? message->to : message->from, .sends = sends, .buffer = *used};
    for (size_t i = 0; i < message->block_count; i++) {
        const int64_t block = sends ? message->blocks[i] : message->destination[i];
        const size_t bytes = chunk_bytes(planner->schedule, planner->m, block);
        const size_t place = place_of(planner, block), at = *used + planned.bytes;
        *ARRAY_PUSH(planner->arena, sends ? &plan->packs : &plan->lands) =
            sends ? (PlannedCopy){place, at, bytes, false}
                  : (PlannedCopy){at, place, bytes, message->combines[i]};
        planned.bytes += bytes;
    }
    *used += planned.bytes;
    if (message->from != message->to)
        *ARRAY_PUSH(planner->arena, &plan->messages) = planned;
}

/* Work of the rank by itself goes through the buffer like a message, which is nowhere sent. */
static void add_local(Planner *planner, const ListedMessage *message, size_t *used)
{
    size_t again = *used;
    add_message(planner, message, true, used);
    add_message(planner, message, false, &again);
}

Plan plan_make(Arena *arena, const ListedSchedule *schedule, size_t m, int32_t me)
{
    Plan plan = {0};
    Planner planner = {.arena = arena,
                       .schedule = schedule,
                       .m = m,
                       .me = me,
                       .places = ARENA_ROOM(arena, int64_t, (size_t)schedule->space.count),
                       .plan = &plan};
    const ListedMessages *messages = &schedule->messages;
    for (int64_t b = 0; b < schedule->space.count; b++)
        planner.places[b] = -1;
    place_held(&planner, &schedule->contract->before);
    place_held(&planner, &schedule->contract->after);
    for (size_t i = 0; i < messages->count;) {
        const int64_t round = messages->items[i].round;
        size_t used = 0;
        for (; i < messages->count && messages->items[i].round == round; i++) {
            const ListedMessage *message = &messages->items[i];
            if (message->from == me && message->to == me)
                add_local(&planner, message, &used);
            else if (message->from == me || message->to == me)
                add_message(&planner, message, message->from == me, &used);
        }
        plan.buffers = used > plan.buffers ? used : plan.buffers;
        *ARRAY_PUSH(arena, &plan.phases) =
            (PlannedPhase){plan.messages.count, plan.packs.count, plan.lands.count};
    }
    plan.places = planner.places;
    return plan;
}
