#include "cost/derive_runs.h"

#include "base/whole.h"
#include "cost/derive_axes.h"
#include "cost/derive_plain.h"
#include "cost/derive_routes.h"
#include "cost/derive_slowest.h"
#include "cost/kept_steps.h"

#include <string.h>

/* So few messages are costed one by one. */
enum { FEW_MESSAGES = 32 };

ARRAY_TYPE(LoadArray, LinkLoad);

typedef struct {
    size_t count;
    int64_t *from, *to, *own; /* own: blocks */
    int32_t *found;           /* routes */
} Messages;

typedef struct RunLoads RunLoads;

struct RunLoads {
    RunLoads *next; /* of other networks */
    KnownRoutes *routes;
    KeptSteps *kept;
    LoadArray along;       /* loads on the axes, 0 between calls */
    PlainList ***by_digit; /* paths along a dimension of a -> a xor digit; NULL: not known */
};

static RunLoads *open_loads(PortStepMemo *memo, const LoadContext *context)
{
    Arena *arena;
    RunLoads **list = memo_run_loads(memo, &arena), *loads = *list;
    while (loads && loads->routes->network != context->network)
        loads = loads->next;
    if (loads)
        return loads;
    KnownRoutes *routes = link_loads_routes(link_loads_open(memo, context, 0));
    loads = ARENA_NEW(arena, RunLoads);
    *loads = (RunLoads){.next = *list, .routes = routes};
    loads->kept = kept_steps_create(loads->routes);
    *list = loads;
    return loads;
}

/* Room for the loads of so many links. */
static void reserve_loads(RunLoads *loads, int64_t links)
{
    while (loads->along.count < (size_t)links)
        *ARRAY_PUSH_ALONE(loads->routes->arena, &loads->along) = (LinkLoad){0, 0};
}

/* Do all ranks send as much to the one with some bits of its number changed? */
static bool changes_bits(const Network *network, const PortStep *step)
{
    const MessageRun *run = &step->runs[0];
    return step->run_count == 1 && run->mask && run->slope == 0 && run->from.count == network->p;
}

/* Are bits of the number of a rank bits of its coordinates in a grid of lines? */
static bool has_digits(const Network *network)
{
    bool good = axes_are_lines(network);
    for (int i = 0; good && i < network->shape.count; i++)
        good = whole_is_power_of_two(network->shape.sizes[i]);
    return good;
}

/* Paths along one dimension, in a line whose ranks all send one block. NULL: they are not found. */
static const PlainList *find_along(RunLoads *loads, Arena *scratch, int dimension, int64_t digit)
{
    Diag silent = diag_silent();
    Arena *arena = loads->routes->arena;
    const Shape *shape = &loads->routes->network->shape;
    const int64_t size = shape->sizes[dimension], stride = shape_stride(shape, dimension);
    PlainList **known = &loads->by_digit[dimension][digit];
    if (*known)
        return *known;
    *known = ARENA_NEW(arena, PlainList);
    if (digit == 0) {
        *ARRAY_PUSH(arena, *known) = (PlainCost){.own = 1};
        return *known;
    }
    int64_t *from = ARENA_ROOM(scratch, int64_t, size), *to = ARENA_ROOM(scratch, int64_t, size);
    int32_t *found = ARENA_ROOM(scratch, int32_t, size);
    for (int64_t a = 0; a < size; a++)
        from[a] = a * stride, to[a] = (a ^ digit) * stride;
    if (!routes_find(loads->routes, scratch, (size_t)size, from, to, found, &silent)) {
        *known = NULL;
        return NULL;
    }
    reserve_loads(loads, loads->routes->link_count);
    const int32_t *links = loads->routes->links.items;
    for (int64_t a = 0; a < size; a++) {
        const KnownRoute *route = &loads->routes->items.items[found[a]];
        for (size_t l = route->first; l < route->first + route->count; l++)
            loads->along.items[links[l]].messages++;
    }
    for (int64_t a = 0; a < size; a++) {
        const KnownRoute *route = &loads->routes->items.items[found[a]];
        PlainCost cost = {.own = 1, .hops = route->count};
        for (size_t l = route->first; l < route->first + route->count; l++)
            if (loads->along.items[links[l]].messages > cost.most.messages)
                cost.most.messages = loads->along.items[links[l]].messages;
        plain_add_higher(arena, *known, &cost);
    }
    memset(loads->along.items, 0, loads->along.count * sizeof *loads->along.items);
    return *known;
}

/* In each line all ranks send the same way, since those with one goal along the other dimensions
   come from one place there. */
static bool list_by_digits(RunLoads *loads, Arena *scratch, const PortStep *step, PlainList *all)
{
    const Shape *shape = &loads->routes->network->shape;
    const int64_t own = step->is_empty ? 0 : step->runs[0].blocks;
    int64_t left = step->runs[0].mask;
    if (!loads->by_digit) {
        loads->by_digit = ARENA_ARRAY(loads->routes->arena, PlainList **, shape->count);
        for (int i = 0; i < shape->count; i++)
            loads->by_digit[i] =
                ARENA_ARRAY(loads->routes->arena, PlainList *, (size_t)shape->sizes[i]);
    }
    *ARRAY_PUSH(scratch, all) = (PlainCost){.own = 1};
    for (int i = 0; i < shape->count; left /= shape->sizes[i++]) {
        const PlainList *along = find_along(loads, scratch, i, left % shape->sizes[i]);
        if (!along)
            return false;
        *all = plain_join(scratch, all, along);
    }
    for (size_t i = 0; i < all->count; i++) {
        all->items[i].own = own;
        all->items[i].most.blocks = all->items[i].most.messages * own;
    }
    return true;
}

/* Goes through messages three times: adds up the loads of their links, asks for them, takes them
   away. */
static void list_messages(RunLoads *loads, Arena *scratch, const Messages *messages, PlainList *all)
{
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < messages->count; i++) {
            const KnownRoute *route = &loads->routes->items.items[messages->found[i]];
            const FirstLink *first = routes_first(loads->routes, messages->from[i]);
            const int64_t own = messages->own[i];
            PlainCost cost = {.own = own, .hops = route->count + (first != NULL)};
            for (size_t l = 0; l < cost.hops; l++) {
                const int32_t link =
                    l < route->count ? loads->routes->links.items[route->first + l] : first->link;
                LinkLoad *load = &loads->along.items[link];
                if (pass == 0)
                    *load = (LinkLoad){load->blocks + own, load->messages + 1};
                else if (pass == 2)
                    *load = (LinkLoad){0, 0};
                if (load->blocks > cost.most.blocks)
                    cost.most.blocks = load->blocks;
                if (load->messages > cost.most.messages)
                    cost.most.messages = load->messages;
            }
            if (pass == 1)
                plain_add_higher(scratch, all, &cost);
        }
}

static Messages messages_room(Arena *scratch, size_t count)
{
    return (Messages){count, ARENA_ROOM(scratch, int64_t, count),
                      ARENA_ROOM(scratch, int64_t, count), ARENA_ROOM(scratch, int64_t, count),
                      ARENA_ROOM(scratch, int32_t, count)};
}

static bool route_messages(RunLoads *loads, Arena *scratch, const Messages *messages)
{
    Diag silent = diag_silent();
    return routes_find(loads->routes, scratch, messages->count, messages->from, messages->to,
                       messages->found, &silent);
}

/* A kept port step knows a place for each rank: for few messages it takes longer to clear. */
static bool list_few(RunLoads *loads, Arena *scratch, const PortStep *step, size_t count,
                     PlainList *all)
{
    const Messages messages = messages_room(scratch, count);
    size_t i = 0;
    for (size_t r = 0; r < step->run_count; r++)
        for (int64_t n = 0; n < step->runs[r].from.count; n++, i++) {
            messages.from[i] = run_sender(&step->runs[r], n);
            messages.to[i] = run_receiver(&step->runs[r], n);
            messages.own[i] = step->is_empty ? 0 : run_blocks(&step->runs[r], n);
        }
    if (!route_messages(loads, scratch, &messages))
        return false;
    reserve_loads(loads, loads->routes->link_count);
    list_messages(loads, scratch, &messages, all);
    return true;
}

static bool list_slowest(RunLoads *loads, Arena *scratch, const PortStep *step, PlainList *all)
{
    if (changes_bits(loads->routes->network, step) && has_digits(loads->routes->network))
        return list_by_digits(loads, scratch, step, all);
    size_t count = 0;
    for (size_t r = 0; r < step->run_count; r++)
        count += (size_t)step->runs[r].from.count;
    if (count <= FEW_MESSAGES && (int64_t)count <= loads->routes->network->p / 8)
        return list_few(loads, scratch, step, count, all);
    return kept_steps_list(loads->kept, scratch, step, all);
}

/* Where no two messages meet, the largest of each run says what it costs. */
static bool route_largest(const LoadContext *context, Arena *scratch, PortStep *step)
{
    Diag silent = diag_silent();
    step->count = step->run_count;
    step->sizes = ARENA_ROOM(scratch, int64_t, step->count);
    ScheduledTransfer *largest = ARENA_ROOM(scratch, ScheduledTransfer, step->count);
    step->transfers = ARENA_ROOM(scratch, const ScheduledTransfer *, step->count);
    for (size_t i = 0; i < step->count; i++) {
        const MessageRun *run = &step->runs[i];
        const int64_t at = run->slope > 0 ? run->from.count - 1 : 0;
        if (run->slope && context->rules->protocols)
            return false;
        step->sizes[i] = run->blocks + at * run->slope;
        largest[i] = (ScheduledTransfer){.from = (int32_t)run_sender(run, at),
                                         .to = (int32_t)run_receiver(run, at),
                                         .block_count = (uint32_t)step->sizes[i]};
        step->transfers[i] = &largest[i];
    }
    return port_step_route(context, scratch, step, &silent);
}

bool runs_have_cost(const LoadContext *context)
{
    if (context->rules->switching != SWITCHING_CUT_THROUGH || context->node_capacities ||
        context->each)
        return false;
    return context->network->router ? links_are_plain(context) : loads_are_apart(context);
}

bool runs_slowest(const LoadContext *context, PortStepMemo *memo, Arena *scratch, PortStep *step)
{
    PlainList all = {0};
    PathList slowest = {0};
    if (!context->network->router)
        return route_largest(context, scratch, step);
    RunLoads *loads = open_loads(memo, context);
    if (memo_recall(memo, step))
        return true;
    if (!list_slowest(loads, scratch, step, &all) || !plain_paths(context, scratch, &all, &slowest))
        return false;
    step->entries = ARENA_NEW(scratch, PathRange);
    step->entries[0] = (PathRange){0, paths_keep_slowest(slowest.items, slowest.count)};
    step->entry_count = 1;
    step->entry_paths = slowest.items;
    step->path_count = step->entries[0].count;
    memo_keep(memo, step);
    return true;
}
