#include "cost/kept_steps.h"

#include <string.h>

/* Senders fall into so many parts, one bit each; and so many port steps are kept, since the port
   steps of one round follow those of the round before by turns. */
enum { PARTS = 128, KEPT_STEPS = 3 };

typedef struct {
    uint64_t bits[PARTS / 64];
} PartSet;

/* The message of a rank to a higher rank, or to a lower one. */
typedef struct {
    int64_t own;   /* blocks; -1: there is none */
    int32_t first; /* its links: links[first ..] */
    int32_t count;
} KeptMessage;

ARRAY_TYPE(LoadArray, LinkLoad);
ARRAY_TYPE(PartSetArray, PartSet);
ARRAY_TYPE(RunArray, MessageRun);

/* A port step with the loads of all links. */
typedef struct {
    RunArray runs; /* none: nothing is known */
    bool is_empty; /* messages carry no bytes */
    KeptMessage *messages;
    PlaceArray links;
    LoadArray loads;     /* by number of the link */
    PartSetArray across; /* by number of the link: parts with messages on it */
    PartSet stale;       /* parts whose list is to be made anew */
    PlainList slowest[PARTS];
    int64_t used; /* when */
} KeptStep;

struct KeptSteps {
    KnownRoutes *routes;
    KeptStep steps[KEPT_STEPS];
    int64_t part_size; /* messages of a part */
    int64_t now;
};

KeptSteps *kept_steps_create(KnownRoutes *routes)
{
    KeptSteps *kept = ARENA_NEW(routes->arena, KeptSteps);
    *kept =
        (KeptSteps){.routes = routes, .part_size = (2 * routes->network->p + PARTS - 1) / PARTS};
    return kept;
}

static void mark(PartSet *set, int64_t part)
{
    set->bits[part / 64] |= (uint64_t)1 << part % 64;
}

static void mark_all(PartSet *set, const PartSet *others)
{
    for (int i = 0; i < PARTS / 64; i++)
        set->bits[i] |= others->bits[i];
}

static int64_t place_of(int64_t from, int64_t to)
{
    return 2 * from + (to > from);
}

static void grow_loads(KeptSteps *all_kept, KeptStep *step)
{
    while (step->loads.count < (size_t)all_kept->routes->link_count) {
        *ARRAY_PUSH_ALONE(all_kept->routes->arena, &step->loads) = (LinkLoad){0, 0};
        *ARRAY_PUSH_ALONE(all_kept->routes->arena, &step->across) = (PartSet){{0}};
    }
}

static void change_load(KeptStep *step, int32_t link, int64_t own, int64_t times)
{
    step->loads.items[link].blocks += times * own;
    step->loads.items[link].messages += times;
    mark_all(&step->stale, &step->across.items[link]);
}

static void take_message(KeptSteps *all_kept, KeptStep *step, int64_t from, int64_t to)
{
    const int64_t place = place_of(from, to);
    KeptMessage *message = &step->messages[place];
    for (int32_t l = 0; l < message->count; l++)
        change_load(step, step->links.items[message->first + l], message->own, -1);
    message->own = -1;
    mark(&step->stale, place / all_kept->part_size);
}

static void put_message(KeptSteps *all_kept, KeptStep *step, int64_t place, int64_t own,
                        const FirstLink *link, const KnownRoute *route)
{
    Arena *arena = all_kept->routes->arena;
    const int64_t part = place / all_kept->part_size;
    KeptMessage *message = &step->messages[place];
    *message =
        (KeptMessage){own, (int32_t)step->links.count, (int32_t)route->count + (link != NULL)};
    ARRAY_RESERVE(arena, &step->links, (size_t)message->count);
    if (link)
        step->links.items[step->links.count++] = link->link;
    for (size_t l = route->first; l < route->first + route->count; l++)
        step->links.items[step->links.count++] = all_kept->routes->links.items[l];
    for (int32_t l = 0; l < message->count; l++) {
        const int32_t number = step->links.items[message->first + l];
        mark(&step->across.items[number], part);
        change_load(step, number, own, 1);
    }
    mark(&step->stale, part);
}

/* False where a rank sends two messages the same way, or has no route. */
static bool put_run(KeptSteps *all_kept, Arena *scratch, KeptStep *step, const MessageRun *run)
{
    Diag silent = diag_silent();
    const size_t count = (size_t)run->from.count;
    int64_t *from = ARENA_ROOM(scratch, int64_t, count), *to = ARENA_ROOM(scratch, int64_t, count);
    int32_t *found = ARENA_ROOM(scratch, int32_t, count);
    for (size_t i = 0; i < count; i++) {
        from[i] = run_sender(run, (int64_t)i), to[i] = run_receiver(run, (int64_t)i);
        if (step->messages[place_of(from[i], to[i])].own >= 0)
            return false;
    }
    if (!routes_find(all_kept->routes, scratch, count, from, to, found, &silent))
        return false;
    grow_loads(all_kept, step);
    for (size_t i = 0; i < count; i++)
        put_message(all_kept, step, place_of(from[i], to[i]),
                    step->is_empty ? 0 : run_blocks(run, (int64_t)i),
                    routes_first(all_kept->routes, from[i]),
                    &all_kept->routes->items.items[found[i]]);
    return true;
}

/* Do they send the same where both have a sender? */
static bool are_alike(const MessageRun *a, const MessageRun *b)
{
    const int64_t apart = b->from.first - a->from.first;
    return a->from.stride == b->from.stride && apart % a->from.stride == 0 && a->mask == b->mask &&
           a->shift == b->shift && a->slope == b->slope &&
           a->blocks + apart / a->from.stride * a->slope == b->blocks;
}

/* Messages first .. end - 1 of a run. */
static MessageRun part_of(const MessageRun *run, int64_t first, int64_t end)
{
    MessageRun part = *run;
    part.from.first = run_sender(run, first);
    part.from.count = end - first;
    part.blocks += first * run->slope;
    return part;
}

/* Appends the messages of `run` that `other`, which is like it, has not. */
static void push_rest(Arena *scratch, RunArray *list, const MessageRun *run,
                      const MessageRun *other)
{
    int64_t first = (other->from.first - run->from.first) / run->from.stride;
    int64_t end = first + other->from.count;
    if (first >= run->from.count || end <= 0) {
        *ARRAY_PUSH(scratch, list) = *run;
        return;
    }
    if (first > 0)
        *ARRAY_PUSH(scratch, list) = part_of(run, 0, first);
    if (end < run->from.count)
        *ARRAY_PUSH(scratch, list) = part_of(run, end, run->from.count);
}

/* Messages of the first runs that the others have not; how many they are. Each run is held against
   the first one that is like it. */
static int64_t list_rest(Arena *scratch, const MessageRun *runs, size_t count,
                         const MessageRun *others, size_t other_count, RunArray *rest)
{
    int64_t messages = 0;
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        while (j < other_count && !are_alike(&runs[i], &others[j]))
            j++;
        if (j < other_count)
            push_rest(scratch, rest, &runs[i], &others[j]);
        else
            *ARRAY_PUSH(scratch, rest) = runs[i];
    }
    for (size_t i = 0; i < rest->count; i++)
        messages += rest->items[i].from.count;
    return messages;
}

/* Two of a kind would be held against one. */
static bool differ_in_kind(const MessageRun *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (are_alike(&runs[i], &runs[j]))
                return false;
    return true;
}

static void clear(KeptSteps *all_kept, KeptStep *step)
{
    const int64_t places = 2 * all_kept->routes->network->p;
    if (!step->messages)
        step->messages = ARENA_ROOM(all_kept->routes->arena, KeptMessage, (size_t)places);
    for (int64_t i = 0; i < places; i++)
        step->messages[i].own = -1;
    if (step->loads.count) {
        memset(step->loads.items, 0, step->loads.count * sizeof *step->loads.items);
        memset(step->across.items, 0, step->across.count * sizeof *step->across.items);
    }
    step->links.count = step->runs.count = 0;
    memset(&step->stale, 0xff, sizeof step->stale);
}

/* Makes a kept port step that at hand: messages that are not there any more are taken away, then
   new ones come. */
static bool change_step(KeptSteps *all_kept, Arena *scratch, KeptStep *kept, const PortStep *step,
                        const RunArray *gone, const RunArray *fresh)
{
    for (size_t i = 0; i < gone->count; i++)
        for (int64_t n = 0; n < gone->items[i].from.count; n++)
            take_message(all_kept, kept, run_sender(&gone->items[i], n),
                         run_receiver(&gone->items[i], n));
    for (size_t i = 0; i < fresh->count; i++)
        if (!put_run(all_kept, scratch, kept, &fresh->items[i])) {
            kept->runs.count = 0;
            return false;
        }
    kept->runs.count = 0;
    for (size_t i = 0; i < step->run_count; i++)
        *ARRAY_PUSH(all_kept->routes->arena, &kept->runs) = step->runs[i];
    kept->used = ++all_kept->now;
    return true;
}

/* The kept port step that is most like this one, changed to it; NULL: it cannot be. */
static KeptStep *keep_step(KeptSteps *all_kept, Arena *scratch, const PortStep *step)
{
    enum { MOST_KEPT_LINKS = 1 << 22 };
    KeptStep *best = NULL, *oldest = &all_kept->steps[0];
    RunArray gone = {0}, fresh = {0};
    int64_t least = 0;
    for (size_t i = 0; i < step->run_count; i++)
        least += step->runs[i].from.count;
    for (int s = 0; s < KEPT_STEPS; s++) {
        KeptStep *kept = &all_kept->steps[s];
        oldest = kept->used < oldest->used ? kept : oldest;
        if (kept->runs.count == 0 || kept->is_empty != step->is_empty ||
            kept->links.count > MOST_KEPT_LINKS)
            continue;
        RunArray lost = {0}, come = {0};
        const MessageRun *old = kept->runs.items;
        if (!differ_in_kind(step->runs, step->run_count) || !differ_in_kind(old, kept->runs.count))
            continue;
        const int64_t changes =
            list_rest(scratch, old, kept->runs.count, step->runs, step->run_count, &lost) +
            list_rest(scratch, step->runs, step->run_count, old, kept->runs.count, &come);
        if (changes < least)
            best = kept, least = changes, gone = lost, fresh = come;
    }
    if (!best) {
        best = oldest;
        clear(all_kept, best);
        best->is_empty = step->is_empty;
        gone.count = fresh.count = 0;
        for (size_t i = 0; i < step->run_count; i++)
            *ARRAY_PUSH(scratch, &fresh) = step->runs[i];
    }
    return change_step(all_kept, scratch, best, step, &gone, &fresh) ? best : NULL;
}

static void list_part(const KeptSteps *all_kept, KeptStep *step, int64_t part)
{
    const int64_t places = 2 * all_kept->routes->network->p, first = part * all_kept->part_size;
    const int64_t end = first + all_kept->part_size < places ? first + all_kept->part_size : places;
    step->slowest[part].count = 0;
    for (int64_t i = first; i < end; i++) {
        const KeptMessage *message = &step->messages[i];
        PlainCost cost = {.own = message->own, .hops = (size_t)message->count};
        if (message->own < 0)
            continue;
        for (int32_t l = 0; l < message->count; l++) {
            const LinkLoad *load = &step->loads.items[step->links.items[message->first + l]];
            if (load->blocks > cost.most.blocks)
                cost.most.blocks = load->blocks;
            if (load->messages > cost.most.messages)
                cost.most.messages = load->messages;
        }
        plain_add_higher(all_kept->routes->arena, &step->slowest[part], &cost);
    }
}

static PlainList list_all(const KeptSteps *all_kept, Arena *scratch, KeptStep *step)
{
    PlainList all = {0};
    for (int64_t part = 0; part < PARTS; part++) {
        if (step->stale.bits[part / 64] >> part % 64 & 1)
            list_part(all_kept, step, part);
        for (size_t i = 0; i < step->slowest[part].count; i++)
            plain_add_higher(scratch, &all, &step->slowest[part].items[i]);
    }
    step->stale = (PartSet){{0}};
    return all;
}

bool kept_steps_list(KeptSteps *all_kept, Arena *scratch, const PortStep *step, PlainList *all)
{
    KeptStep *kept = keep_step(all_kept, scratch, step);
    if (kept)
        *all = list_all(all_kept, scratch, kept);
    return kept != NULL;
}
