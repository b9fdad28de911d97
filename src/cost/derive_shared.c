#include "cost/derive_shared.h"

static bool refuse(const char *what, Diag *diag)
{
    diag_refuse(diag, NOWHERE, "contention shared in time has no cost with %s", what);
    return false;
}

bool sharing_refuse_posting(Diag *diag)
{
    refuse("messages that are posted together", diag);
    diag_note(diag, NOWHERE, "--posting in-order has one");
    return false;
}

bool sharing_is_possible(const Rules *rules, Diag *diag)
{
    const char *what = rules->switching != SWITCHING_CUT_THROUGH ? "store-and-forward"
                       : rules->combining == COMBINING_OVERLAP   ? "overlapped combining"
                       : !rules->asynchronous                    ? "barriers between rounds"
                       : rules->averages                         ? "the mean of the ends of ranks"
                                                                 : NULL;
    if (what)
        return refuse(what, diag);
    return !rules->fixed_posting || rules->posting != POSTING_TOGETHER ||
           sharing_refuse_posting(diag);
}

/* The number of the resource with this key, new where it has none. */
static int32_t number_resource(Arena *arena, Sharing *sharing, uint64_t key, double lanes)
{
    int32_t *place = place_table_find(arena, &sharing->known_resources, key);
    if (*place < 0) {
        *place = (int32_t)sharing->lanes.count;
        *ARRAY_PUSH(arena, &sharing->lanes) = lanes;
        *ARRAY_PUSH(arena, &sharing->keys) = key;
    }
    return *place;
}

/* Links by their ends, with half duplex both directions alike, and nodes as links to themselves. */
static uint64_t link_key(const LoadContext *context, int64_t from, int64_t to)
{
    const Network *network = context->network;
    const int64_t nodes =
        network->grouping ? network->grouping->whole->node_count : network->node_count;
    from = network_rank(network, from), to = network_rank(network, to);
    bool turns = context->rules->duplex == DUPLEX_HALF && to < from;
    return (uint64_t)(turns ? to * nodes + from : from * nodes + to);
}

/* A path that crosses a resource again takes so much more of it. */
static void add_crossing(Arena *arena, Sharing *sharing, CrossingRange *route,
                         SharedCrossing crossing)
{
    for (size_t i = route->first; i < route->first + route->count; i++) {
        SharedCrossing *before = &sharing->crossings.items[i];
        if (before->resource == crossing.resource && before->list == crossing.list) {
            before->rate += crossing.rate, before->varied_rate += crossing.varied_rate;
            return;
        }
    }
    *ARRAY_PUSH(arena, &sharing->crossings) = crossing;
    route->count++;
}

static SharedCrossing cross_link(const LoadContext *context, Arena *arena, Sharing *sharing,
                                 const Routes *routes, size_t i)
{
    const LinkCost *cost = &context->link_costs[routes->classes ? routes->classes[i] : 0];
    SharedCrossing crossing = {.is_link = true};
    crossing.resource = number_resource(
        arena, sharing, link_key(context, routes->from[i], routes->to[i]), (double)cost->lanes);
    if (cost->listed[PARAMETER_TW]) {
        crossing.list = cost->list;
    } else if (cost->own[PARAMETER_TW]) {
        crossing.list = -1;
        *(cost->varied[PARAMETER_TW] ? &crossing.varied_rate : &crossing.rate) =
            cost->values[PARAMETER_TW];
    }
    return crossing;
}

/* The network lists links in any order: they are gathered message by message. */
static void note_routes(const LoadContext *context, Arena *arena, const Routes *routes,
                        size_t count, Sharing *sharing)
{
    Arena *scratch = arena_scratch(arena);
    const NodeCapacities *nodes = context->node_capacities;
    const int64_t *weights =
        nodes ? node_capacities_weigh(nodes, context->network, scratch, routes, count) : NULL;
    size_t *starts = ARENA_ARRAY(scratch, size_t, count + 1);
    size_t *order = ARENA_ROOM(scratch, size_t, routes->link_count);
    for (size_t j = 0; j < count; j++)
        starts[j + 1] = starts[j] + (size_t)routes->hops[j];
    for (size_t i = 0; i < routes->link_count; i++)
        order[starts[routes->message[i]] + (size_t)routes->slot[i]] = i;
    for (size_t j = 0; j < count; j++) {
        CrossingRange route = {sharing->crossings.count, 0};
        for (size_t at = starts[j]; at < starts[j + 1]; at++) {
            const size_t i = order[at];
            add_crossing(arena, sharing, &route, cross_link(context, arena, sharing, routes, i));
            if (!weights || weights[i] == 0)
                continue;
            const int64_t node = routes->to[i];
            SharedCrossing through = {
                .resource = number_resource(arena, sharing, link_key(context, node, node), 1),
                .list = -1,
                .rate = (double)weights[i] / nodes->capacities[node]};
            add_crossing(arena, sharing, &route, through);
        }
        *ARRAY_PUSH(arena, &sharing->routes) = route;
    }
    arena_destroy(scratch);
}

bool sharing_note(const LoadContext *context, Arena *arena, const PortStep *step, Sharing *sharing,
                  Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    int64_t *from = ARENA_ROOM(scratch, int64_t, step->count);
    int64_t *to = ARENA_ROOM(scratch, int64_t, step->count);
    size_t count = 0;
    for (size_t i = 0; i < step->count + step->local_count; i++) {
        const ScheduledTransfer *transfer = step->transfers[i];
        SharedMessage message = {.route = -1};
        if (i < step->count) {
            const uint64_t key =
                (uint64_t)transfer->from * (uint64_t)context->network->p + (uint64_t)transfer->to;
            int32_t *place = place_table_find(arena, &sharing->known_routes, key);
            if (*place < 0) {
                *place = (int32_t)(sharing->routes.count + count);
                from[count] = transfer->from;
                to[count++] = transfer->to;
            }
            message = (SharedMessage){*place, (double)message_blocks(step, i)};
        }
        *ARRAY_PUSH(arena, &sharing->messages) = message;
    }
    Routes routes;
    bool good =
        count == 0 || network_route(context->network, scratch, count, from, to, &routes, diag);
    if (good && count)
        note_routes(context, arena, &routes, count, sharing);
    arena_destroy(scratch);
    return good;
}
