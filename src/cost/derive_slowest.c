#include "cost/derive_slowest.h"

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

/* What the cost of a path rises with, where links are plain. */
typedef struct {
    int64_t own;
    const KnownRoute *route;
    LinkLoad most;
} PlainCost;

ARRAY_TYPE(PlainList, PlainCost);

static bool are_plain(const LoadContext *context)
{
    bool plain = true;
    for (size_t i = 0; i < context->network->class_count; i++) {
        const LinkCost *link_cost = &context->link_costs[i];
        plain &= link_cost->lanes == 1;
        for (int x = 0; x < PARAMETER_COUNT; x++)
            plain &= !link_cost->own[x] && !link_cost->varied[x];
    }
    return plain;
}

LinkLoads *link_loads_create(Arena *arena, const LoadContext *context)
{
    if (context->rules->switching != SWITCHING_CUT_THROUGH || !context->network->router)
        return NULL;
    LinkLoads *loads = ARENA_NEW(arena, LinkLoads);
    loads->routes = routes_open(arena, context->network, context->rules->duplex == DUPLEX_HALF);
    loads->is_plain = are_plain(context);
    return loads;
}

static bool find_routes(LinkLoads *loads, Arena *scratch, const PortStep *step, int32_t *found,
                        Diag *diag)
{
    int64_t *from = ARENA_ROOM(scratch, int64_t, step->count);
    int64_t *to = ARENA_ROOM(scratch, int64_t, step->count);
    for (size_t i = 0; i < step->count; i++) {
        from[i] = step->transfers[i]->from;
        to[i] = step->transfers[i]->to;
    }
    if (!routes_find(&loads->routes, scratch, step->count, from, to, found, diag))
        return false;
    while (loads->states.count < (size_t)loads->routes.link_count)
        *ARRAY_PUSH(loads->routes.arena, &loads->states) = (LinkState){0};
    return true;
}

static void load_links(LinkLoads *loads, const PortStep *step, const int32_t *found)
{
    LinkState *states = loads->states.items;
    const int64_t now = ++loads->port_step;
    for (size_t i = 0; i < step->count; i++) {
        const KnownRoute route = loads->routes.items.items[found[i]];
        const int32_t *links = loads->routes.links.items + route.first;
        const int64_t own = message_blocks(step, i);
        for (size_t l = 0; l < route.count; l++) {
            LinkState *state = &states[links[l]];
            if (state->port_step != now)
                *state = (LinkState){now, {0, 0}};
            state->load.blocks += own;
            state->load.messages++;
        }
    }
}

static PlainCost plain_cost(const LinkLoads *loads, const KnownRoute *route, int64_t own)
{
    const int32_t *links = loads->routes.links.items + route->first;
    PlainCost cost = {own, route, {0, 0}};
    for (size_t l = 0; l < route->count; l++) {
        const LinkLoad *load = &loads->states.items[links[l]].load;
        cost.most.blocks = load->blocks > cost.most.blocks ? load->blocks : cost.most.blocks;
        cost.most.messages =
            load->messages > cost.most.messages ? load->messages : cost.most.messages;
    }
    return cost;
}

static bool add_paths(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                      const KnownRoute *route, int64_t own, PathList *paths)
{
    const LinkLoad *few[64], **crossed = few;
    const int32_t *links = loads->routes.links.items + route->first;
    if (route->count > sizeof few / sizeof *few)
        crossed = ARENA_ROOM(scratch, const LinkLoad *, route->count);
    for (size_t l = 0; l < route->count; l++)
        crossed[l] = &loads->states.items[links[l]].load;
    return message_paths(context, scratch, own, route->count,
                         loads->routes.classes.items + route->first, crossed, paths);
}

/* A longer message can have a faster protocol: only those of one size are compared. */
static bool plain_exceeds(const PlainCost *a, const PlainCost *b, bool has_protocols)
{
    return (has_protocols ? a->own == b->own : a->own >= b->own) &&
           a->route->count >= b->route->count && a->most.blocks >= b->most.blocks &&
           a->most.messages >= b->most.messages;
}

/* Candidates: each is compared with those before it that are next to it. */
static void list_plain(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                       const PortStep *step, const int32_t *found, PlainList *list)
{
    const bool has_protocols = context->rules->protocols != NULL;
    for (size_t i = 0; i < step->count; i++) {
        const PlainCost cost =
            plain_cost(loads, &loads->routes.items.items[found[i]], message_blocks(step, i));
        if (list->count && plain_exceeds(&list->items[list->count - 1], &cost, has_protocols))
            continue;
        while (list->count && plain_exceeds(&cost, &list->items[list->count - 1], has_protocols))
            list->count--;
        *ARRAY_PUSH(scratch, list) = cost;
    }
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
    if (loads->is_plain)
        list_plain(loads, context, scratch, step, found, &plain);
    for (size_t i = 0; i < plain.count && good; i++)
        good =
            add_paths(loads, context, scratch, plain.items[i].route, plain.items[i].own, slowest);
    for (size_t i = 0; i < step->count && good && !loads->is_plain; i++) {
        const size_t before = slowest->count;
        good = add_paths(loads, context, scratch, &loads->routes.items.items[found[i]],
                         message_blocks(step, i), slowest);
        thin_out(slowest, before);
    }
    slowest->count = paths_keep_slowest(slowest->items, slowest->count);
    return good;
}

static bool find_slowest(LinkLoads *loads, const LoadContext *context, Arena *scratch,
                         PortStep *step, Diag *diag)
{
    int32_t *found = ARENA_ROOM(scratch, int32_t, step->count);
    PathList slowest = {0};
    if (!find_routes(loads, scratch, step, found, diag))
        return false;
    load_links(loads, step, found);
    if (!list_slowest(loads, context, scratch, step, found, &slowest))
        return port_step_route(context, scratch, step, diag); /* which tells why */
    step->entries = ARENA_NEW(scratch, PathRange);
    step->entries[0] = (PathRange){0, slowest.count};
    step->entry_count = 1;
    step->entry_paths = slowest.items;
    step->path_count = slowest.count;
    return true;
}

bool port_step_slowest(const LoadContext *context, PortStepMemo *memo, LinkLoads *loads,
                       Arena *scratch, PortStep *step, Diag *diag)
{
    const bool may_recall = !context->each && !context->network->topology->direct;
    if (may_recall && memo_recall(memo, step))
        return true;
    if (!(loads && !step->by && !step->together ? find_slowest(loads, context, scratch, step, diag)
                                                : port_step_route(context, scratch, step, diag)))
        return false;
    if (may_recall)
        memo_keep(memo, step);
    return true;
}
