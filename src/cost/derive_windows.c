#include "cost/derive_windows.h"

#include "base/watch.h"

#include <string.h>

/* So many chunks may be under way at once, and so many messages are looked at: some seconds. */
enum { MOST_UNDER_WAY = 512, MOST_WINDOW_MESSAGES = 1 << 25 };

/* What is known of a window. */
enum { WINDOW_UNUSED = -1, WINDOW_WANTED = -2, NO_WINDOW = -3, NO_PLACE = -1 };

/* A message of a round that has all there are of its kind of pass, and which chunk it sends there.
 */
typedef struct {
    const FirstMessage *first;
    int64_t chunk;
} SteadyMessage;

ARRAY_TYPE(SteadyArray, SteadyMessage);

typedef struct {
    SteadyArray messages;
    int64_t least, span; /* the chunks under way are least .. least + span - 1 */
    int64_t *before;     /* before[i]: messages of chunks below least + i */
    int32_t *windows; /* [low (span + 1) + high]: the one of chunks least + low .. least + high - 1
                       */
} SteadyRound;

/* kinds[first .. first + count - 1] of all windows, and how often they come with the number of
   chunks at hand. */
typedef struct {
    size_t first, count;
    int64_t times;
} Window;

ARRAY_TYPE(WindowArray, Window);

typedef struct {
    const Instance *instance;
    const Chunkwise *chunkwise;
    const RoundCosting *costing;
    ChunkKinds *kinds;
    Arena *arena;
    FirstParts parts;
    int32_t *used;       /* of each part: messages that were found */
    SteadyRound *rounds; /* of each pass modulo shift.passes, behind the last pass */
    WindowArray windows;
    KindNumberArray window_kinds;
    KindNumberArray places; /* of each kind: where the tally at hand has it */
    int64_t number;         /* of rounds costed so far */
} Windows;

/* The messages of each chunk in each pass come in the order of the first ones. */
static bool take_steady(void *context, const Round *round, Arena *arena)
{
    Windows *windows = context;
    const ChunkShift *shift = &windows->chunkwise->shift;
    const FirstParts *parts = &windows->parts;
    const bool is_back = algorithm_is_reversed(windows->instance->algorithm);
    (void)arena;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        const int64_t chunk = round->blocks[transfer->first_block] % shift->most_chunks;
        const int64_t pass = round->pass - chunk / shift->chunks * shift->passes - parts->least;
        const int64_t part = pass * shift->chunks + chunk % shift->chunks;
        if (transfer->block_count != 1 || pass < 0 || pass >= parts->passes)
            return false;
        const int32_t place = parts->starts[part] + windows->used[part]++;
        if (place >= parts->starts[part + 1])
            return false;
        const FirstMessage *first = parts->items[place];
        if (first->transfer.from != (is_back ? transfer->to : transfer->from) ||
            first->transfer.to != (is_back ? transfer->from : transfer->to))
            return false;
        *ARRAY_PUSH(windows->arena, &windows->rounds[round->pass - shift->behind].messages) =
            (SteadyMessage){first, chunk};
    }
    return true;
}

/* False: too many chunks are under way. */
static bool start_windows_of(Arena *arena, SteadyRound *round)
{
    const SteadyMessage *items = round->messages.items;
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < round->messages.count; i++) {
        least = items[i].chunk < least ? items[i].chunk : least;
        most = items[i].chunk > most ? items[i].chunk : most;
    }
    round->least = least;
    round->span = round->messages.count ? most - least + 1 : 0;
    if (round->span > MOST_UNDER_WAY)
        return false;
    const size_t side = (size_t)round->span + 1;
    round->before = ARENA_ARRAY(arena, int64_t, side);
    for (size_t i = 0; i < round->messages.count; i++)
        round->before[items[i].chunk - least + 1]++;
    for (size_t i = 1; i < side; i++)
        round->before[i] += round->before[i - 1];
    round->windows = ARENA_ROOM(arena, int32_t, side * side);
    for (size_t i = 0; i < side * side; i++)
        round->windows[i] = WINDOW_UNUSED;
    return true;
}

/* Where a window ends, within the chunks under way. */
static int64_t within(const SteadyRound *round, int64_t chunk)
{
    const int64_t place = chunk - round->least;
    return place < 0 ? 0 : place > round->span ? round->span : place;
}

/* The round that has all messages of a pass, and which of its chunks is chunk 0 there. */
static SteadyRound *round_of(const Windows *windows, int64_t pass, int64_t *zero)
{
    const ChunkShift *shift = &windows->chunkwise->shift;
    const int64_t ahead = (shift->behind - pass) % shift->passes;
    const int64_t steady = shift->behind + (ahead ? shift->passes - ahead : 0);
    *zero = (steady - pass) / shift->passes * shift->chunks;
    return &windows->rounds[steady - shift->behind];
}

/* The place of the window of a pass with k chunks; NO_WINDOW: it has no messages. */
static int64_t window_at(const SteadyRound *round, int64_t zero, int64_t k)
{
    const int64_t low = within(round, zero), high = within(round, zero + k);
    return round->before[low] < round->before[high] ? low * (round->span + 1) + high : NO_WINDOW;
}

/* How many messages the windows have that are wanted; more than the most where a chunk would be
   sent in a pass that is not there with as many chunks. */
static int64_t want_windows(const Windows *windows)
{
    const ChunkPasses *passes = &windows->chunkwise->passes[0];
    int64_t messages = 0, zero;
    for (int64_t n = 0; n < passes->count; n++) {
        SteadyRound *round = round_of(windows, passes->least + n, &zero);
        for (int64_t k = 1; k <= windows->chunkwise->chunks; k++) {
            const int64_t at = window_at(round, zero, k);
            if (at == NO_WINDOW)
                continue;
            if (k < passes->first_chunks[n])
                return MOST_WINDOW_MESSAGES + 1;
            const int64_t low = at / (round->span + 1), high = at % (round->span + 1);
            if (round->windows[at] == WINDOW_UNUSED)
                messages += round->before[high] - round->before[low];
            round->windows[at] = WINDOW_WANTED;
        }
    }
    return messages;
}

/* The messages of a window as a round. */
static Round list_window(Windows *windows, Arena *arena, const SteadyRound *round, int64_t at)
{
    const int64_t low = at / (round->span + 1), high = at % (round->span + 1);
    const size_t count = (size_t)(round->before[high] - round->before[low]);
    ScheduledTransfer *transfers = ARENA_ROOM(arena, ScheduledTransfer, count);
    int64_t *had = ARENA_ROOM(arena, int64_t, count);
    size_t listed = 0;
    for (size_t i = 0; i < round->messages.count; i++) {
        const SteadyMessage *message = &round->messages.items[i];
        const int64_t place = message->chunk - round->least;
        if (place < low || place >= high)
            continue;
        had[listed] = message->first->combines;
        transfers[listed] = message->first->transfer;
        transfers[listed++].first_block = 0;
    }
    return (Round){.number = windows->number++, .count = count, .transfers = transfers, .had = had};
}

/* False where its port steps are not told by their paths alone. */
static bool cost_window(Windows *windows, Arena *scratch, SteadyRound *round, int64_t at)
{
    StepList list = {0};
    const ArenaMark mark = arena_mark(scratch);
    const Round one = list_window(windows, scratch, round, at);
    const Window window = {windows->window_kinds.count, 0, 0};
    watch_poll(scratch);
    bool good = windows->costing->list(windows->costing->context, &one, scratch, &list);
    for (size_t i = 0; i < list.paths.count; i++)
        good &= !list.paths.items[i].shares;
    for (size_t i = 0; i < list.steps.count && good; i++) {
        const PortStepCost *step = &list.steps.items[i];
        const int32_t kind = chunk_kinds_find(
            windows->kinds, step, list.paths.items + step->first_path, step->path_count);
        for (int64_t n = 0; n < step->repeat; n++)
            *ARRAY_PUSH(windows->arena, &windows->window_kinds) = kind;
        good &= !step->continues && !step->earlier;
    }
    arena_release(scratch, mark);
    round->windows[at] = (int32_t)windows->windows.count;
    Window *kept = ARRAY_PUSH(windows->arena, &windows->windows);
    *kept = window;
    kept->count = windows->window_kinds.count - window.first;
    return good;
}

/* How often each window comes with k chunks; `order`: those that do, as they first come. */
static bool count_windows(Windows *windows, Arena *scratch, int64_t k, KindNumberArray *order)
{
    const ChunkPasses *passes = &windows->chunkwise->passes[0];
    int64_t zero;
    for (int64_t n = 0; n < passes->count; n++) {
        SteadyRound *round = round_of(windows, passes->least + n, &zero);
        const int64_t at = window_at(round, zero, k);
        if (at == NO_WINDOW)
            continue;
        if (round->windows[at] < 0 && !cost_window(windows, scratch, round, at))
            return false;
        Window *window = &windows->windows.items[round->windows[at]];
        if (window->times++ == 0)
            *ARRAY_PUSH(windows->arena, order) = round->windows[at];
    }
    return true;
}

/* The port steps of all passes with k chunks. */
static bool tally(Windows *windows, Arena *scratch, int64_t k)
{
    KindNumberArray order = {0};
    KindTally *tally = &windows->kinds->tallies[k];
    if (!count_windows(windows, scratch, k, &order))
        return false;
    while (windows->places.count < windows->kinds->kinds.count)
        *ARRAY_PUSH(windows->arena, &windows->places) = NO_PLACE;
    for (size_t n = 0; n < order.count; n++) {
        Window *window = &windows->windows.items[order.items[n]];
        for (size_t i = window->first; i < window->first + window->count; i++) {
            const int32_t kind = windows->window_kinds.items[i];
            int32_t *place = &windows->places.items[kind];
            if (*place == NO_PLACE) {
                *place = (int32_t)tally->count;
                *ARRAY_PUSH(windows->kinds->arena, tally) = (KindRepeat){kind, 0};
            }
            tally->items[*place].times += window->times;
        }
        window->times = 0;
    }
    for (size_t i = 0; i < tally->count; i++)
        windows->places.items[tally->items[i].kind] = NO_PLACE;
    return true;
}

static bool tally_all(Windows *windows, Arena *scratch)
{
    const int64_t chunks = windows->chunkwise->chunks;
    windows->kinds->tallies = ARENA_ARRAY(windows->kinds->arena, KindTally, (size_t)chunks + 1);
    bool good = true;
    for (int64_t k = 1; k <= chunks && good; k++)
        good = tally(windows, scratch, k);
    return good;
}

bool windows_cost(const Instance *instance, const Chunkwise *chunkwise, const FirstArray *firsts,
                  const RoundCosting *costing, ChunkKinds *kinds)
{
    const size_t passes = (size_t)chunkwise->shift.passes;
    Arena *arena = arena_scratch(kinds->arena), *scratch = arena_scratch(kinds->arena);
    Windows windows = {.instance = instance,
                       .chunkwise = chunkwise,
                       .costing = costing,
                       .kinds = kinds,
                       .arena = arena,
                       .parts = first_messages_order(arena, chunkwise, firsts),
                       .rounds = ARENA_ARRAY(arena, SteadyRound, passes)};
    windows.used =
        ARENA_ARRAY(arena, int32_t, (size_t)(windows.parts.passes * windows.parts.chunks) + 1);
    bool good = chunkwise_visit_steady(instance, chunkwise, take_steady, &windows);
    for (size_t i = 0; i < passes && good; i++)
        good = start_windows_of(arena, &windows.rounds[i]);
    good = good && want_windows(&windows) <= MOST_WINDOW_MESSAGES && tally_all(&windows, scratch);
    arena_destroy(scratch);
    arena_destroy(arena);
    return good;
}
