#include "cost/link_loads.h"

#include "cost/derive_memo.h"
#include "cost/journey.h"

LinkLoads *link_loads_open(const LoadContext *context, int64_t by)
{
    const int64_t p = context->network->p;
    NetworkTurn turn = {.p = p, .by = p, .turns = 1};
    if (by) {
        const NetworkTurn own = network_turn(context->network);
        turn = turn_multiple(&own, by);
    }
    by = turn.turns > 1 ? turn.by : 0;
    Arena *arena;
    LinkLoads **list = memo_loads(context->memo, &arena), *loads = *list;
    while (loads && !(loads->routes.network == context->network && loads->by == by))
        loads = loads->next;
    if (loads)
        return loads;
    loads = ARENA_NEW(arena, LinkLoads);
    *loads = (LinkLoads){.next = *list, .by = by, .turn = turn};
    loads->routes = routes_open(
        arena, context->network, by ? &loads->turn : NULL, context->rules->duplex == DUPLEX_HALF,
        context->node_capacities ? node_capacities_find(arena, context->rules, context->network)
                                 : NULL);
    loads->is_plain = links_are_plain(context);
    *list = loads;
    return loads;
}

/* How often a message is there: by turns, and by what it counts at a node. */
static int64_t times_of(const LinkLoads *loads, int32_t link, size_t class)
{
    const KnownRoutes *routes = &loads->routes;
    const int64_t times = loads->by ? routes->times.items[link] : 1;
    return class < routes->network->class_count
               ? times
               : times * node_class_weight(routes->network, routes->nodes, class);
}

static void add_load(LinkState *state, int64_t now, int64_t own, int64_t times)
{
    if (state->port_step != now)
        *state = (LinkState){now, {0, 0}};
    state->load.blocks += times * own;
    state->load.messages += times;
}

/* Room for all links that were ever crossed. */
static int64_t begin(LinkLoads *loads)
{
    while (loads->states.count < (size_t)loads->routes.link_count)
        *ARRAY_PUSH_ALONE(loads->routes.arena, &loads->states) = (LinkState){0};
    return ++loads->port_step;
}

void link_loads_add(LinkLoads *loads, const PortStep *step, const int32_t *found)
{
    const int64_t now = begin(loads);
    const KnownRoutes *routes = &loads->routes;
    LinkState *states = loads->states.items;
    const bool is_simple = !loads->by && !routes->nodes;
    loads->step = step;
    loads->found = found;
    for (size_t i = 0; i < step->count; i++) {
        const KnownRoute route = routes->items.items[found[i]];
        const int32_t *links = routes->links.items;
        const int64_t own = message_blocks(step, i);
        const FirstLink *first = routes_first(routes, step->from[i]);
        if (first)
            add_load(&states[first->link], now, own, times_of(loads, first->link, first->class));
        for (size_t l = route.first; l < route.first + route.count; l++)
            add_load(&states[links[l]], now, own,
                     is_simple ? 1 : times_of(loads, links[l], routes->classes.items[l]));
    }
}

void link_loads_at(LinkLoads *loads, const PortStep *step, const Crossings *crossings,
                   const size_t *order, size_t count, const bool *repeats, LinkLoad *at)
{
    const int64_t now = begin(loads);
    LinkState *states = loads->states.items;
    for (size_t n = 0; n < count; n++) {
        const size_t i = order[n];
        const int32_t link = crossings->link[i];
        if (!repeats || !repeats[i])
            add_load(&states[link], now, message_blocks(step, (size_t)crossings->message[i]),
                     times_of(loads, link, crossings->class[i]));
    }
    for (size_t n = 0; n < count; n++)
        at[order[n]] = states[crossings->link[order[n]]].load;
}

static void add_plain_link(const LinkLoads *loads, int32_t link, PlainCost *cost)
{
    const LinkLoad *load = &loads->states.items[link].load;
    cost->most.blocks = load->blocks > cost->most.blocks ? load->blocks : cost->most.blocks;
    cost->most.messages =
        load->messages > cost->most.messages ? load->messages : cost->most.messages;
    cost->hops++;
}

void link_loads_list(const LinkLoads *loads, Arena *scratch, size_t first, size_t end,
                     PlainList *list)
{
    const PortStep *step = loads->step;
    for (size_t i = first; i < end; i++) {
        const KnownRoute *route = &loads->routes.items.items[loads->found[i]];
        const FirstLink *link = routes_first(&loads->routes, step->from[i]);
        PlainCost cost = {message_blocks(step, i), 0, {0, 0}};
        if (link)
            add_plain_link(loads, link->link, &cost);
        for (size_t l = route->first; l < route->first + route->count; l++)
            add_plain_link(loads, loads->routes.links.items[l], &cost);
        plain_push(scratch, list, &cost);
    }
}

bool link_loads_slowest(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                        PathList *slowest)
{
    const KnownRoutes *routes = &loads->routes;
    const LinkState *states = loads->states.items;
    PlainList plain = {0};
    if (loads->is_plain) {
        link_loads_list(loads, scratch, 0, loads->step->count, &plain);
        return plain_paths(context, scratch, &plain, slowest);
    }
    for (size_t i = 0; i < loads->step->count; i++) {
        const KnownRoute *route = &routes->items.items[loads->found[i]];
        const FirstLink *first = routes_first(routes, loads->step->from[i]);
        Journey journey = journey_begin(context, scratch, message_blocks(loads->step, i));
        PathCost crossing;
        if (first && !journey_cross(&journey, first->class, &states[first->link].load, &crossing))
            return false;
        for (size_t l = route->first; l < route->first + route->count; l++)
            if (!journey_cross(&journey, routes->classes.items[l],
                               &states[routes->links.items[l]].load, &crossing))
                return false;
        size_t kept = slowest->count;
        journey_end(&journey, scratch, slowest);
        /* Behind the other paths only what they do not exceed. */
        for (size_t n = kept; n < slowest->count; n++)
            if (!paths_exceed(slowest->items, kept, &slowest->items[n]))
                slowest->items[kept++] = slowest->items[n];
        slowest->count = kept;
    }
    return true;
}
