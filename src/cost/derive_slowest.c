#include "cost/derive_slowest.h"

#include "cost/derive_axes.h"
#include "cost/derive_routes.h"

typedef struct {
    int64_t port_step; /* of which this is known */
    LinkLoad load;
} LinkState;

ARRAY_TYPE(LinkStateArray, LinkState);

struct LinkLoads {
    KnownRoutes routes;
    LinkStateArray states; /* by number of the link */
    int64_t port_step;
    bool is_plain; /* a path costs what its length and its largest load say */
};

ARRAY_TYPE(PlainList, PlainCost);

bool links_are_plain(const LoadContext *context)
{
    bool plain = !context->rules->protocols;
    for (size_t i = 0; i < context->network->class_count; i++) {
        const LinkCost *link_cost = &context->link_costs[i];
        plain &= link_cost->lanes == 1;
        for (int x = 0; x < PARAMETER_COUNT; x++)
            plain &= !link_cost->own[x] && !link_cost->varied[x];
    }
    return plain;
}

LinkLoads *link_loads_open(PortStepMemo *memo, const LoadContext *context)
{
    Arena *arena;
    LinkLoads **kept = memo_loads(memo, &arena);
    if (context->rules->switching != SWITCHING_CUT_THROUGH || context->node_capacities ||
        !context->network->router)
        return NULL;
    if (*kept && (*kept)->routes.network == context->network)
        return *kept;
    LinkLoads *loads = ARENA_NEW(arena, LinkLoads);
    loads->routes =
        routes_open(arena, context->network, context->rules->duplex == DUPLEX_HALF, true);
    loads->is_plain = links_are_plain(context);
    *kept = loads;
    return loads;
}

static bool find_routes(LinkLoads *loads, Arena *scratch, size_t count, const int64_t *from,
                        const int64_t *to, int32_t *found, Diag *diag)
{
    if (!routes_find(&loads->routes, scratch, count, from, to, found, diag))
        return false;
    while (loads->states.count < (size_t)loads->routes.link_count)
        *ARRAY_PUSH(loads->routes.arena, &loads->states) = (LinkState){0};
    return true;
}

static void add_load(LinkState *state, int64_t now, int64_t own)
{
    if (state->port_step != now)
        *state = (LinkState){now, {0, 0}};
    state->load.blocks += own;
    state->load.messages++;
}

/* The link in front of the route of a message. */
static const FirstLink *first_of(const LinkLoads *loads, const PortStep *step, size_t i)
{
    return loads->routes.firsts ? routes_first(&loads->routes, step->transfers[i]->from) : NULL;
}

static void load_links(LinkLoads *loads, const PortStep *step, const int32_t *found)
{
    LinkState *states = loads->states.items;
    const int64_t now = ++loads->port_step;
    for (size_t i = 0; i < step->count; i++) {
        const KnownRoute route = loads->routes.items.items[found[i]];
        const int32_t *links = loads->routes.links.items;
        const int64_t own = message_blocks(step, i);
        const FirstLink *link = first_of(loads, step, i);
        if (link)
            add_load(&states[link->link], now, own);
        for (size_t l = route.first; l < route.first + route.count; l++)
            add_load(&states[links[l]], now, own);
    }
}

static void add_plain_link(const LinkLoads *loads, int32_t link, PlainCost *cost)
{
    const LinkLoad *load = &loads->states.items[link].load;
    cost->most.blocks = load->blocks > cost->most.blocks ? load->blocks : cost->most.blocks;
    cost->most.messages =
        load->messages > cost->most.messages ? load->messages : cost->most.messages;
    cost->hops++;
}

/* `link`: in front of the route; NULL: none. */
static PlainCost plain_cost(const LinkLoads *loads, const FirstLink *link, const KnownRoute *route,
                            int64_t own)
{
    const int32_t *links = loads->routes.links.items;
    PlainCost cost = {own, 0, {0, 0}};
    if (link)
        add_plain_link(loads, link->link, &cost);
    for (size_t l = route->first; l < route->first + route->count; l++)
        add_plain_link(loads, links[l], &cost);
    return cost;
}

static bool add_paths(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                      const FirstLink *link, const KnownRoute *route, int64_t own, PathList *paths)
{
    const LinkLoad *few[64], **crossed = few;
    uint8_t few_classes[64], *classes = few_classes;
    const int32_t *links = loads->routes.links.items;
    size_t count = 0;
    if (route->count + 1 > sizeof few / sizeof *few) {
        crossed = ARENA_ROOM(scratch, const LinkLoad *, route->count + 1);
        classes = ARENA_ROOM(scratch, uint8_t, route->count + 1);
    }
    if (link) {
        crossed[count] = &loads->states.items[link->link].load;
        classes[count++] = link->class;
    }
    for (size_t l = route->first; l < route->first + route->count; l++) {
        crossed[count] = &loads->states.items[links[l]].load;
        classes[count++] = loads->routes.classes.items[l];
    }
    return message_paths(context, scratch, own, count, classes, crossed, paths);
}

/* Candidates: each is compared with those before it that are next to it. */
static void push_plain(Arena *scratch, PlainList *list, const PlainCost *cost)
{
    if (list->count && plain_exceeds(&list->items[list->count - 1], cost))
        return;
    while (list->count && plain_exceeds(cost, &list->items[list->count - 1]))
        list->count--;
    *ARRAY_PUSH(scratch, list) = *cost;
}

static void list_plain(const LinkLoads *loads, Arena *scratch, const PortStep *step,
                       const int32_t *found, size_t first, size_t end, PlainList *list)
{
    for (size_t i = first; i < end; i++) {
        const KnownRoute *route = &loads->routes.items.items[found[i]];
        const PlainCost cost =
            plain_cost(loads, first_of(loads, step, i), route, message_blocks(step, i));
        push_plain(scratch, list, &cost);
    }
}

/* Those that no other exceeds. */
static void keep_highest(PlainList *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool exceeded = false;
        for (size_t j = 0; j < list->count && !exceeded; j++)
            exceeded = j != i && plain_exceeds(&list->items[j], &list->items[i]) &&
                       (j < i || !plain_exceeds(&list->items[i], &list->items[j]));
        if (!exceeded)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Paths along some dimensions, each behind each along the others. */
static PlainList join_paths(Arena *scratch, const PlainList *some, const PlainList *others)
{
    PlainList joined = {0};
    for (size_t i = 0; i < some->count; i++)
        for (size_t j = 0; j < others->count; j++) {
            const PlainCost *a = &some->items[i], *b = &others->items[j];
            const PlainCost cost = {a->own,
                                    a->hops + b->hops,
                                    {larger(a->most.blocks, b->most.blocks),
                                     larger(a->most.messages, b->most.messages)}};
            push_plain(scratch, &joined, &cost);
        }
    keep_highest(&joined);
    return joined;
}

static bool add_plain(const LoadContext *context, Arena *scratch, const PlainList *list,
                      PathList *paths)
{
    bool good = true;
    for (size_t i = 0; i < list->count && good; i++) {
        const PlainCost *cost = &list->items[i];
        const uint8_t *classes = ARENA_ARRAY(scratch, uint8_t, cost->hops);
        const LinkLoad **crossed = ARENA_ROOM(scratch, const LinkLoad *, cost->hops);
        for (size_t l = 0; l < cost->hops; l++)
            crossed[l] = &cost->most;
        good = message_paths(context, scratch, cost->own, cost->hops, classes, crossed, paths);
    }
    return good;
}

/* Where each coordinate moves by itself: from the messages on the axes. False where it does not. */
static bool list_by_axes(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                         const PortStep *step, PathList *slowest)
{
    Diag silent = diag_silent();
    AxisMessages axes;
    const Shape *shape = &context->network->shape;
    if (!loads->is_plain || !axis_messages_find(context->network, scratch, step, &axes))
        return false;
    const int64_t own = message_blocks(step, 0);
    PortStep some = {.count = axes.starts[shape->count],
                     .sizes = ARENA_ROOM(scratch, int64_t, axes.starts[shape->count])};
    for (size_t i = 0; i < some.count; i++)
        some.sizes[i] = own;
    int32_t *found = ARENA_ROOM(scratch, int32_t, some.count);
    if (!find_routes(loads, scratch, some.count, axes.from, axes.to, found, &silent))
        return false;
    load_links(loads, &some, found);
    PlainList all = {0};
    *ARRAY_PUSH(scratch, &all) = (PlainCost){.own = own};
    for (int i = 0; i < shape->count; i++) {
        PlainList along = {0};
        if (axes.rests[i])
            *ARRAY_PUSH(scratch, &along) = (PlainCost){.own = own};
        list_plain(loads, scratch, &some, found, axes.starts[i], axes.starts[i + 1], &along);
        keep_highest(&along);
        all = join_paths(scratch, &all, &along);
    }
    return add_plain(context, scratch, &all, slowest);
}

/* Behind the last path only what it does not exceed. */
static void thin_out(PathList *paths, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < paths->count; i++)
        if (kept == 0 || !path_exceeds(&paths->items[kept - 1], &paths->items[i]))
            paths->items[kept++] = paths->items[i];
    paths->count = kept;
}

static bool list_slowest(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                         const PortStep *step, const int32_t *found, PathList *slowest)
{
    PlainList plain = {0};
    bool good = true;
    if (loads->is_plain) {
        list_plain(loads, scratch, step, found, 0, step->count, &plain);
        return add_plain(context, scratch, &plain, slowest);
    }
    for (size_t i = 0; i < step->count && good; i++) {
        const size_t before = slowest->count;
        good = add_paths(loads, context, scratch, first_of(loads, step, i),
                         &loads->routes.items.items[found[i]], message_blocks(step, i), slowest);
        thin_out(slowest, before);
    }
    return good;
}

static bool list_by_routes(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                           const PortStep *step, PathList *slowest, Diag *diag)
{
    int64_t *from = ARENA_ROOM(scratch, int64_t, step->count);
    int64_t *to = ARENA_ROOM(scratch, int64_t, step->count);
    int32_t *found = ARENA_ROOM(scratch, int32_t, step->count);
    for (size_t i = 0; i < step->count; i++) {
        from[i] = step->transfers[i]->from;
        to[i] = step->transfers[i]->to;
    }
    if (!find_routes(loads, scratch, step->count, from, to, found, diag))
        return false;
    load_links(loads, step, found);
    return list_slowest(loads, context, scratch, step, found, slowest);
}

/* Do all ranks send one message each, in their order, and those in a turn of the network alike? */
static bool sends_turn(const NetworkTurn *turn, const PortStep *step)
{
    const int64_t p = turn->p, by = turn->by;
    if (turn->turns < 2 || step->count != (size_t)p || step->bundles)
        return false;
    for (int64_t r = 0; r < p; r++) {
        const int64_t last = r < by ? r + p - by : r - by;
        const int64_t to = step->transfers[last]->to + by;
        if (step->transfers[r]->from != r || step->sizes[r] != step->sizes[last] ||
            step->transfers[r]->to != (to < p ? to : to - p))
            return false;
    }
    return true;
}

/* From the messages of the ranks that stand for all in a turn of the network. */
static bool route_by_turn(const LoadContext *context, Arena *scratch, PortStep *step)
{
    const NetworkTurn turn = network_turn(context->network);
    PortStep some = *step;
    Diag silent = diag_silent();
    if (!sends_turn(&turn, step))
        return false;
    some.count = (size_t)(some.by = turn.by);
    if (!port_step_route(context, scratch, &some, &silent))
        return false;
    step->entries = some.entries, step->entry_count = some.entry_count;
    step->entry_paths = some.entry_paths, step->path_count = some.path_count;
    return true;
}

static bool find_slowest(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                         PortStep *step, Diag *diag)
{
    PathList slowest = {0};
    Diag silent = diag_silent();
    const bool by_axes = list_by_axes(loads, context, scratch, step, &slowest);
    if (!by_axes && route_by_turn(context, scratch, step))
        return true;
    if (!by_axes && !list_by_routes(loads, context, scratch, step, &slowest, &silent))
        return port_step_route(context, scratch, step, diag); /* which tells why */
    step->entries = ARENA_NEW(scratch, PathRange);
    step->entries[0] = (PathRange){0, paths_keep_slowest(slowest.items, slowest.count)};
    step->entry_count = 1;
    step->entry_paths = slowest.items;
    step->path_count = step->entries[0].count;
    return true;
}

bool port_step_slowest(const LoadContext *context, PortStepMemo *memo, LinkLoads *loads,
                       Arena *scratch, PortStep *step, Diag *diag)
{
    const bool may_recall = !context->each && !context->network->topology->direct && !step->earlier;
    if (may_recall && memo_recall(memo, step))
        return true;
    const bool is_alone = !step->together && !step->earlier;
    const bool keeps_each = context->each && is_alone && memo && !step->by;
    if (keeps_each && memo_recall_each(memo, step))
        return true;
    if (!(loads && !step->by && is_alone ? find_slowest(loads, context, scratch, step, diag)
                                         : port_step_route(context, scratch, step, diag)))
        return false;
    if (may_recall)
        memo_keep(memo, step);
    if (keeps_each)
        memo_keep_each(memo, step);
    return true;
}
