#include "cost/derive_chunks.h"

#include "cost/derive_routes.h"

#include <string.h>

/* So many messages are costed again, in all, since others load their links. */
enum { MOST_COSTED_AGAIN = 1 << 26 };

/* A message of the port step at hand that crosses a link, and the one before it there. */
typedef struct {
    int32_t message, before;
} Crossing;

/* What the messages of the port step at hand do on a link. */
typedef struct {
    int64_t port_step, swept; /* of which this is known; the group that looked at it last */
    LinkLoad load;
    int32_t last; /* crossing; -1: none */
} LinkState;

/* A port step seen before: with each chunk more that it sends it is of the next of these kinds. */
typedef struct {
    uint64_t high; /* of its hash */
    size_t first;  /* in `group_kinds` */
} SeenGroups;

ARRAY_TYPE(SeenArray, SeenGroups);
ARRAY_TYPE(LinkStateArray, LinkState);
ARRAY_TYPE(CrossingArray, Crossing);

struct ChunkCosts {
    Arena *arena;
    const Chunkwise *chunkwise;
    bool grows;
    ChunkKinds kinds;
    PlaceTable seen_places;
    SeenArray seen;
    PlaceArray group_kinds;
    KnownRoutes *routes;     /* NULL: none was wanted yet */
    LinkStateArray states;   /* by link */
    CrossingArray crossings; /* of the port step at hand */
    int64_t groups, costed_again;
    FirstArray firsts;
};

/* The messages of one port step, while they are added. */
typedef struct {
    const LoadContext *context;
    const PortStep *step;
    Arena *scratch;
    const int32_t *routes; /* of each message */
    int64_t *marks;        /* of each: the group in which it was costed last */
    PlaceArray changed;
    PathList slowest, fresh;
    PlaceTable receiver_places;
    PlaceTable costed; /* messages, by hashes: the other halves are in costed_high */
    KeyArray costed_high;
    IntArray combined; /* of each receiver */
    PortStepCost cost;
} GrowingStep;

ChunkCosts *chunk_costs_create(Arena *arena, const Chunkwise *chunkwise, bool grows)
{
    ChunkCosts *costs = ARENA_NEW(arena, ChunkCosts);
    *costs = (ChunkCosts){
        .arena = arena, .chunkwise = chunkwise, .grows = grows, .kinds = {.arena = arena}};
    return costs;
}

bool chunk_costs_keeps_firsts(const ChunkCosts *costs)
{
    return costs->chunkwise->shift.passes > 0;
}

int64_t chunk_costs_first(const ChunkCosts *costs, int64_t chunks)
{
    return costs->chunkwise->shift.passes ? costs->chunkwise->shift.chunks : chunks;
}

ChunkPeriod chunk_costs_period(const ChunkCosts *costs)
{
    ChunkPeriod period = {0};
    if (costs->chunkwise->shift.passes == 0)
        return period;
    period.chunks = costs->chunkwise->shift.chunks;
    period.messages = (int64_t)costs->firsts.count;
    for (size_t i = 0; i < costs->firsts.count; i++)
        period.combined += costs->firsts.items[i].combines;
    return period;
}

/* The route of each message. NULL after a report. */
static const int32_t *find_routes(ChunkCosts *costs, const LoadContext *context, Arena *scratch,
                                  const PortStep *step, Diag *diag)
{
    int32_t *found = ARENA_ROOM(scratch, int32_t, step->count + 1);
    int64_t *from = ARENA_ROOM(scratch, int64_t, step->count + 1);
    int64_t *to = ARENA_ROOM(scratch, int64_t, step->count + 1);
    for (size_t i = 0; i < step->count; i++) {
        from[i] = step->transfers[i]->from;
        to[i] = step->transfers[i]->to;
    }
    if (!costs->routes) {
        costs->routes = ARENA_NEW(costs->arena, KnownRoutes);
        *costs->routes = routes_open(costs->arena, context->network, NULL,
                                     context->rules->duplex == DUPLEX_HALF, false);
        costs->routes->nodes = context->node_capacities;
    }
    if (!routes_find(costs->routes, scratch, step->count, from, to, found, diag))
        return NULL;
    while (costs->states.count < (size_t)costs->routes->link_count)
        *ARRAY_PUSH_ALONE(costs->arena, &costs->states) = (LinkState){.port_step = -1, .swept = -1};
    return found;
}

/* The messages of chunk 0, of chunk 1, ...: order[starts[c] .. starts[c + 1] - 1] of chunk c. NULL:
   some message has no chunk of its own. */
static const size_t *order_by_chunk(const ChunkCosts *costs, Arena *scratch, const Round *round,
                                    const PortStep *step, int32_t *order)
{
    size_t chunks = (size_t)costs->chunkwise->chunks;
    size_t *starts = ARENA_ARRAY(scratch, size_t, chunks + 2);
    int32_t *chunk_of = ARENA_ROOM(scratch, int32_t, step->count + 1);
    for (size_t i = 0; i < step->count; i++) {
        int64_t chunk = chunkwise_chunk(costs->chunkwise, round, step->transfers[i]);
        if (chunk < 0)
            return NULL;
        chunk_of[i] = (int32_t)chunk;
        starts[chunk + 2]++;
    }
    for (size_t c = 2; c < chunks + 2; c++)
        starts[c] += starts[c - 1];
    for (size_t i = 0; i < step->count; i++)
        order[starts[chunk_of[i] + 1]++] = (int32_t)i;
    return starts;
}

static void change_message(const ChunkCosts *costs, GrowingStep *growing, int32_t message)
{
    if (growing->marks[message] == costs->groups)
        return;
    growing->marks[message] = costs->groups;
    *ARRAY_PUSH(growing->scratch, &growing->changed) = message;
}

static void load_links_of(ChunkCosts *costs, GrowingStep *growing, int32_t message)
{
    KnownRoute route = costs->routes->items.items[growing->routes[message]];
    for (size_t l = route.first; l < route.first + route.count; l++) {
        LinkState *state = &costs->states.items[costs->routes->links.items[l]];
        int64_t port_step = (int64_t)costs->kinds.starts.count;
        if (state->port_step != port_step)
            *state = (LinkState){port_step, -1, {0, 0}, -1};
        state->load.blocks += message_blocks(growing->step, (size_t)message);
        state->load.messages++;
        *ARRAY_PUSH(growing->scratch, &costs->crossings) = (Crossing){message, state->last};
        state->last = (int32_t)costs->crossings.count - 1;
    }
}

/* The messages that share a link with this one. */
static void change_others(ChunkCosts *costs, GrowingStep *growing, int32_t message)
{
    KnownRoute route = costs->routes->items.items[growing->routes[message]];
    for (size_t l = route.first; l < route.first + route.count; l++) {
        LinkState *state = &costs->states.items[costs->routes->links.items[l]];
        if (state->swept == costs->groups)
            continue;
        state->swept = costs->groups;
        for (int32_t c = state->last; c >= 0; c = costs->crossings.items[c].before)
            change_message(costs, growing, costs->crossings.items[c].message);
    }
}

/* Was a message costed that is as large, over links of the same classes with the same loads? */
static bool was_costed(GrowingStep *growing, int64_t own, size_t count, const uint8_t *classes,
                       const LinkLoad *const *loads)
{
    WideHash hash = {(uint64_t)own, count};
    for (size_t l = 0; l < count; l++) {
        hash = hash_add(hash, (uint64_t)loads[l]->blocks, (uint64_t)loads[l]->messages);
        hash = hash_add(hash, classes[l], 0);
    }
    int32_t *place = place_table_find(growing->scratch, &growing->costed, hash.low >> 1);
    if (*place >= 0 && growing->costed_high.items[*place] == hash.high)
        return true;
    *place = (int32_t)growing->costed_high.count;
    *ARRAY_PUSH(growing->scratch, &growing->costed_high) = hash.high;
    return false;
}

static bool cost_message(ChunkCosts *costs, GrowingStep *growing, int32_t message)
{
    costs->costed_again++;
    const int64_t own = message_blocks(growing->step, (size_t)message);
    const KnownRoute route = costs->routes->items.items[growing->routes[message]];
    const uint8_t *classes = costs->routes->classes.items + route.first;
    const LinkLoad *few[64], **loads = few;
    if (route.count > sizeof few / sizeof *few)
        loads = ARENA_ROOM(growing->scratch, const LinkLoad *, route.count);
    for (size_t l = 0; l < route.count; l++)
        loads[l] = &costs->states.items[costs->routes->links.items[route.first + l]].load;
    if (was_costed(growing, own, route.count, classes, loads))
        return true;
    growing->fresh.count = 0;
    if (!message_paths(growing->context, growing->scratch, own, route.count, classes, loads,
                       &growing->fresh))
        return false;
    for (size_t f = 0; f < growing->fresh.count; f++)
        if (!paths_exceed(growing->slowest.items, growing->slowest.count, &growing->fresh.items[f]))
            *ARRAY_PUSH(growing->scratch, &growing->slowest) = growing->fresh.items[f];
    return true;
}

/* The receiver combines what this message brings with what the others of the port step brought. */
static void count_combined(GrowingStep *growing, int32_t message)
{
    const PortStep *step = growing->step;
    int64_t blocks = message_blocks(step, (size_t)message);
    if (blocks > growing->cost.message)
        growing->cost.message = blocks;
    if (!step->combines[message])
        return;
    uint64_t receiver = (uint64_t)step->transfers[message]->to;
    int32_t *place = place_table_find(growing->scratch, &growing->receiver_places, receiver);
    if (*place < 0) {
        *place = (int32_t)growing->combined.count;
        *ARRAY_PUSH(growing->scratch, &growing->combined) = 0;
    }
    int64_t *combined = &growing->combined.items[*place];
    *combined += step->combines[message];
    if (*combined > growing->cost.combined)
        growing->cost.combined = *combined;
}

/* Adds the messages of one chunk. */
static bool add_group(ChunkCosts *costs, GrowingStep *growing, const int32_t *messages,
                      size_t count)
{
    costs->groups++;
    growing->changed.count = 0;
    for (size_t i = 0; i < count; i++) {
        load_links_of(costs, growing, messages[i]);
        change_message(costs, growing, messages[i]);
        count_combined(growing, messages[i]);
    }
    for (size_t i = 0; i < count && growing->context->rules->contention != CONTENTION_NONE; i++)
        change_others(costs, growing, messages[i]);
    size_t before = growing->slowest.count;
    for (size_t i = 0; i < growing->changed.count; i++)
        if (!cost_message(costs, growing, growing->changed.items[i]))
            return false;
    if (growing->slowest.count > before)
        growing->slowest.count = paths_keep_slowest(growing->slowest.items, growing->slowest.count);
    return true;
}

/* The messages chunk by chunk, whichever chunks these are. */
static WideHash hash_groups(const ChunkCosts *costs, const PortStep *step, const size_t *starts,
                            const int32_t *order)
{
    WideHash hash = {step->count, step->is_empty};
    for (int64_t c = 0; c < costs->chunkwise->chunks; c++) {
        for (size_t i = starts[c]; i < starts[c + 1]; i++) {
            hash = hash_add(hash, transfer_ends(step->transfers[order[i]]),
                            (uint64_t)step->sizes[order[i]]);
            hash = hash_add(hash, (uint64_t)step->combines[order[i]], 0);
        }
        if (starts[c] < starts[c + 1])
            hash = hash_add(hash, UINT64_MAX, 0);
    }
    return hash;
}

/* The kinds of the port step as its chunks are added, appended to `group_kinds`. */
static bool cost_groups(ChunkCosts *costs, const LoadContext *context, Arena *scratch,
                        const PortStep *step, const size_t *starts, const int32_t *order,
                        Diag *diag)
{
    GrowingStep growing = {.context = context,
                           .step = step,
                           .scratch = scratch,
                           .routes = find_routes(costs, context, scratch, step, diag),
                           .marks = ARENA_ARRAY(scratch, int64_t, step->count + 1)};
    if (!growing.routes)
        return false;
    costs->crossings = (CrossingArray){0};
    for (int64_t c = 0; c < costs->chunkwise->chunks; c++) {
        if (starts[c] == starts[c + 1])
            continue;
        if (!add_group(costs, &growing, order + starts[c], starts[c + 1] - starts[c]) ||
            costs->costed_again > MOST_COSTED_AGAIN)
            return false;
        *ARRAY_PUSH(costs->arena, &costs->group_kinds) = chunk_kinds_find(
            &costs->kinds, &growing.cost, growing.slowest.items, growing.slowest.count);
    }
    return true;
}

/* Adds a port step whose messages are ordered by chunk. */
static bool add_port_step(ChunkCosts *costs, const LoadContext *context, Arena *scratch,
                          const PortStep *step, const size_t *starts, const int32_t *order,
                          Diag *diag)
{
    WideHash hash = hash_groups(costs, step, starts, order);
    int32_t *place = place_table_find(costs->arena, &costs->seen_places, hash.low >> 1);
    size_t next = costs->group_kinds.count;
    if (*place >= 0 && costs->seen.items[*place].high == hash.high)
        next = costs->seen.items[*place].first;
    else if (!cost_groups(costs, context, scratch, step, starts, order, diag))
        return false;
    if (*place < 0) {
        *place = (int32_t)costs->seen.count;
        *ARRAY_PUSH(costs->arena, &costs->seen) = (SeenGroups){hash.high, next};
    }
    chunk_kinds_begin(&costs->kinds);
    for (int64_t c = 0; c < costs->chunkwise->chunks; c++)
        if (starts[c] < starts[c + 1])
            chunk_kinds_change(&costs->kinds, c + 1, costs->group_kinds.items[next++]);
    return true;
}

bool chunk_costs_keep_firsts(ChunkCosts *costs, const Round *round, const int64_t *combines)
{
    return first_messages_keep(costs->arena, costs->chunkwise, round, combines, &costs->firsts);
}

bool chunk_costs_add(ChunkCosts *costs, const LoadContext *context, Arena *scratch,
                     const Round *round, const PortStep *step, Diag *diag)
{
    if (step->local_count)
        return false;
    int32_t *order = ARENA_ROOM(scratch, int32_t, step->count + 1);
    const size_t *starts = order_by_chunk(costs, scratch, round, step, order);
    return starts && add_port_step(costs, context, scratch, step, starts, order, diag);
}

/* The port steps of all chunks, as they are put together from messages of the first ones. */
typedef struct {
    FirstParts firsts;
    int32_t *sent, *received; /* by each rank in the port step at hand */
    int32_t *order;
    size_t *ends; /* of the messages of each chunk, behind a 0 */
    size_t room;  /* for messages */
    PortStep step;
} Repetition;

static Repetition start_repetition(const ChunkCosts *costs, const Instance *instance, Arena *arena)
{
    const size_t p = (size_t)instance->p, at_once = p * (size_t)instance->ports;
    const size_t all = (size_t)costs->chunkwise->chunks * costs->firsts.count;
    Repetition repetition = {
        .firsts = first_messages_order(arena, costs->chunkwise, &costs->firsts),
        .sent = ARENA_ARRAY(arena, int32_t, p),
        .received = ARENA_ARRAY(arena, int32_t, p),
        .ends = ARENA_ARRAY(arena, size_t, (size_t)costs->chunkwise->chunks + 1),
        .room = all < at_once ? all : at_once};
    repetition.order = ARENA_ROOM(arena, int32_t, repetition.room);
    for (size_t i = 0; i < repetition.room; i++)
        repetition.order[i] = (int32_t)i;
    repetition.step =
        (PortStep){.transfers = ARENA_ROOM(arena, const ScheduledTransfer *, repetition.room),
                   .sizes = ARENA_ROOM(arena, int64_t, repetition.room),
                   .combines = ARENA_ROOM(arena, int64_t, repetition.room),
                   .is_empty = instance->algorithm->collective->is_empty};
    return repetition;
}

/* Puts together the messages of a pass. False where ranks have too few ports to send them at once,
   or where a chunk would be sent in a pass that is not there with as many chunks. */
static bool list_pass(const ChunkCosts *costs, const Instance *instance, Repetition *repetition,
                      int64_t pass)
{
    const Chunkwise *chunkwise = costs->chunkwise;
    const ChunkShift *shift = &chunkwise->shift;
    const ChunkPasses *passes = &chunkwise->passes[0];
    const FirstParts *firsts = &repetition->firsts;
    const int64_t first_chunks = passes->first_chunks[pass - passes->least];
    PortStep *step = &repetition->step;
    bool good = true;
    step->count = 0;
    for (int64_t c = 0; c < chunkwise->chunks; c++) {
        const int64_t at = pass - c / shift->chunks * shift->passes - firsts->least;
        repetition->ends[c + 1] = step->count;
        if (at < 0 || at >= firsts->passes)
            continue;
        const int32_t *starts = firsts->starts + at * shift->chunks + c % shift->chunks;
        for (int32_t i = starts[0]; i < starts[1]; i++) {
            const FirstMessage *first = firsts->items[i];
            if (step->count == repetition->room)
                return false;
            good &= first_chunks <= c + 1;
            good &= ++repetition->sent[first->transfer.from] <= instance->ports;
            good &= ++repetition->received[first->transfer.to] <= instance->ports;
            step->transfers[step->count] = &first->transfer;
            step->sizes[step->count] = 1;
            step->combines[step->count++] = first->combines;
        }
        repetition->ends[c + 1] = step->count;
    }
    for (size_t i = 0; i < step->count; i++)
        repetition->sent[step->transfers[i]->from] = repetition->received[step->transfers[i]->to] =
            0;
    return good;
}

/* Do the later passes come first? */
static bool goes_back(const ChunkCosts *costs, const Instance *instance)
{
    return algorithm_is_reversed(instance->algorithm) != costs->chunkwise->shift.down;
}

/* False where some pass is no port step of its own, or too much is costed again. */
static bool repeat_passes(ChunkCosts *costs, const LoadContext *context, const Instance *instance,
                          Diag *diag)
{
    const ChunkPasses *passes = &costs->chunkwise->passes[0];
    const bool is_back = goes_back(costs, instance);
    Arena *arena = arena_scratch(costs->arena), *scratch = arena_scratch(costs->arena);
    Repetition repetition = start_repetition(costs, instance, arena);
    bool good = true;
    for (int64_t n = 0; n < passes->count && good; n++) {
        const ArenaMark mark = arena_mark(scratch);
        const int64_t pass = passes->least + (is_back ? passes->count - 1 - n : n);
        good = list_pass(costs, instance, &repetition, pass) &&
               (!repetition.step.count || add_port_step(costs, context, scratch, &repetition.step,
                                                        repetition.ends, repetition.order, diag));
        arena_release(scratch, mark);
    }
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}

/* Takes over what the memo has of these messages, or puts it there: a chain on one port, which
   another algorithm is with several. Where a round is several port steps, the order of messages
   counts, too. */
static bool recall_passes(ChunkCosts *costs, PortStepMemo *memo, const LoadContext *context,
                          const Instance *instance, Diag *diag)
{
    WideHash hash = first_messages_hash(costs->chunkwise, &costs->firsts);
    hash = hash_add(hash, (uint64_t)instance->ports << 1 | goes_back(costs, instance),
                    instance->algorithm->collective->is_empty);
    const ChunkKinds *known = memo_recall_schedule(memo, hash);
    if (known) {
        costs->kinds = *known;
        return true;
    }
    if (!repeat_passes(costs, context, instance, diag))
        return false;
    memo_keep_schedule(memo, hash, &costs->kinds, costs->arena);
    return true;
}

bool chunk_costs_repeat(ChunkCosts *costs, PortStepMemo *memo, const LoadContext *context,
                        const Instance *instance, const RoundCosting *costing, Diag *diag)
{
    if (!costs->chunkwise->shift.passes)
        return true;
    if (!first_messages_suffice(costs->chunkwise, &costs->firsts))
        return false;
    if (costs->grows && recall_passes(costs, memo, context, instance, diag))
        return true;
    costs->kinds = (ChunkKinds){.arena = costs->arena};
    return windows_cost(instance, costs->chunkwise, &costs->firsts, costing, &costs->kinds);
}

const Profile *chunk_costs_profile(const ChunkCosts *costs, const Rules *rules, int64_t k)
{
    return chunk_kinds_profile(&costs->kinds, rules, k);
}

bool chunk_costs_are_tallied(const ChunkCosts *costs)
{
    return costs->kinds.tallies != NULL;
}
