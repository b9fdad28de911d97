#include "cost/routes.h"

#include <math.h>
#include <string.h>

/* Links of all routes that are kept, 6 bytes each: a few, or where ranks are very many, those of
   one route from each rank through a square torus, which is half as long as its side, elsewhere of
   half a dozen through a tree; but no more than the last ones. */
enum { LINKS_THROUGH_TREES = 32 };

/* The link, or the pair of both directions where these share their load; with a turn, all links
   that it stands for. */
static int32_t number_any_link(KnownRoutes *routes, int64_t from, int64_t to)
{
    const NetworkTurn *turn = routes->turn;
    const uint64_t nodes = (uint64_t)routes->network->node_count;
    int64_t back_from = to, back_to = from;
    /* How often a message of those that stand for all is on it, turned. */
    int64_t times = turn && turn_link(turn, &from, &to) ? turn->turns : 1;
    uint64_t key = (uint64_t)from * nodes + (uint64_t)to;
    if (routes->joins && from != to) {
        if (turn)
            turn_link(turn, &back_from, &back_to);
        const uint64_t back = (uint64_t)back_from * nodes + (uint64_t)back_to;
        if (key == back)
            times *=
                2; /* some turn maps the link on the other direction: both stand for the pair */
        key = key < back ? key : back;
    }
    int32_t *place = place_table_find(routes->arena, &routes->link_places, key);
    if (*place < 0) {
        *place = routes->link_count++;
        *ARRAY_PUSH_ALONE(routes->arena, &routes->times) = (int32_t)times;
        *ARRAY_PUSH_ALONE(routes->arena, &routes->keys) = key;
    }
    return *place;
}

/* A node of a ring, mesh or torus has few neighbours. */
static int32_t number_link(KnownRoutes *routes, int64_t from, int64_t to)
{
    NearLink *near = routes->near + FEW_ROUTES * from;
    int i = 0;
    while (i < FEW_ROUTES && near[i].to != to && near[i].to >= 0)
        i++;
    if (i < FEW_ROUTES && near[i].to == to)
        return near[i].link;
    const int32_t link = number_any_link(routes, from, to);
    if (i < FEW_ROUTES)
        near[i] = (NearLink){(int32_t)to, link};
    return link;
}

/* Where each two ranks have a link, as many are known as were crossed. */
void routes_forget(KnownRoutes *routes)
{
    const Network *network = routes->network;
    place_table_clear(&routes->places);
    routes->items.count = routes->links.count = routes->classes.count = 0;
    for (int64_t i = 0; i < FEW_ROUTES * network->p; i++)
        routes->last[i].to = -1;
    if (network->router)
        return;
    place_table_clear(&routes->link_places);
    routes->link_count = 0;
    routes->times.count = routes->keys.count = 0;
    for (int64_t i = 0; i < FEW_ROUTES * network->node_count; i++)
        routes->near[i].to = -1;
}

KnownRoutes routes_open(Arena *arena, const Network *network, const NetworkTurn *turn, bool joins,
                        const NodeCapacities *nodes)
{
    KnownRoutes routes = {
        .arena = arena, .network = network, .joins = joins, .turn = turn, .nodes = nodes};
    const size_t lasts = FEW_ROUTES * (size_t)network->p,
                 nears = FEW_ROUTES * (size_t)network->node_count;
    routes.last = ARENA_ROOM(arena, LastRoute, lasts);
    routes.near = ARENA_ROOM(arena, NearLink, nears);
    for (size_t i = 0; i < nears; i++)
        routes.near[i].to = -1;
    routes_forget(&routes);
    if (nodes || !network->router || network->grouping || network->topology->factor_count ||
        network->node_count == network->p)
        return routes;
    /* Switches route by the rule of the one line that the network is. */
    routes.firsts = ARENA_ROOM(arena, FirstLink, (size_t)network->p);
    for (int64_t r = 0; r < network->p; r++) {
        const int64_t link = network->starts[r];
        routes.firsts[r] = (FirstLink){.link = -1};
        if (network->starts[r + 1] - link != 1 || network->neighbours[link] < network->p)
            continue;
        routes.firsts[r] = (FirstLink){number_link(&routes, r, network->neighbours[link]),
                                       (int32_t)network->neighbours[link],
                                       network->link_classes ? network->link_classes[link] : 0};
    }
    return routes;
}

static void keep_link(KnownRoutes *routes, size_t at, int64_t from, int64_t to, size_t class)
{
    routes->links.items[at] = number_link(routes, from, to);
    routes->classes.items[at] = (uint16_t) class;
}

/* Keeps routes of the network as items `first`, `first` + 1, ..., link by link in their order, each
   with the node behind it. */
static void keep(KnownRoutes *routes, Arena *scratch, const Routes *found, size_t count,
                 size_t first)
{
    const NodeCapacities *nodes = routes->nodes;
    const int64_t *weights =
        nodes ? node_capacities_weigh(nodes, routes->network, scratch, found, count) : NULL;
    size_t *next = ARENA_ARRAY(scratch, size_t, count + 1), end = routes->links.count;
    for (size_t i = 0; i < found->link_count; i++)
        next[found->message[i]] += weights && weights[i] ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        routes->items.items[first + i] = (KnownRoute){(uint32_t)end, (uint32_t)next[i]};
        end += next[i];
        next[i] = end - next[i];
    }
    ARRAY_RESERVE_ALONE(routes->arena, &routes->links, end - routes->links.count);
    ARRAY_RESERVE_ALONE(routes->arena, &routes->classes, end - routes->classes.count);
    routes->links.count = routes->classes.count = end;
    for (size_t i = 0; i < found->link_count; i++) {
        size_t *at = &next[found->message[i]];
        const int64_t to = found->to[i];
        keep_link(routes, (*at)++, found->from[i], to, found->classes ? found->classes[i] : 0);
        if (weights && weights[i])
            keep_link(routes, (*at)++, to, to, node_class(routes->network, nodes, to, weights[i]));
    }
}

/* Together too many links, if the others are like those before, is told early. */
static bool may_fit(size_t links, size_t done, size_t count)
{
    enum { FEW = 16 };
    return links <= LIMIT_ITEMS && links * count <= (size_t)LIMIT_ITEMS * (done + FEW);
}

/* Keeps routes of a network whose links are alike, as long as lines keep their next nodes and links
   are not too many. Returns of how many messages. */
static size_t walk_fresh(KnownRoutes *routes, Arena *scratch, const MessageEnds *messages,
                         size_t first)
{
    Walk walk = {0};
    const size_t before = routes->links.count, count = messages->count;
    size_t done = 0;
    if (routes->network->link_classes || routes->nodes)
        return 0;
    for (; done < count && may_fit(routes->links.count - before, done, count); done++) {
        walk.count = 0;
        int64_t node = messages->from[done];
        if (!network_walk(routes->network, scratch, node, messages->to[done], &walk))
            break;
        const size_t end = routes->links.count;
        routes->items.items[first + done] = (KnownRoute){(uint32_t)end, (uint32_t)walk.count};
        ARRAY_RESERVE_ALONE(routes->arena, &routes->links, walk.count);
        ARRAY_RESERVE_ALONE(routes->arena, &routes->classes, walk.count);
        memset(routes->classes.items + end, 0, walk.count * sizeof *routes->classes.items);
        for (size_t i = 0; i < walk.count; node = walk.items[i++])
            routes->links.items[end + i] = number_link(routes, node, walk.items[i]);
        routes->links.count = routes->classes.count = end + walk.count;
    }
    return done;
}

/* Some messages at a time, fewer where they go far: while they are found, routes take 64 bytes for
   each link. */
static bool find_fresh(KnownRoutes *routes, Arena *scratch, const MessageEnds *messages,
                       size_t first, Diag *diag)
{
    enum { AT_ONCE = 1 << 7, LINKS_AT_ONCE = 1 << 19 };
    const size_t before = routes->links.count, count = messages->count;
    size_t done = walk_fresh(routes, scratch, messages, first), links;
    const size_t walked = routes->links.count;
    for (size_t some; links = routes->links.count - before, done < count; done += some) {
        some = 1 + (links < LINKS_AT_ONCE ? done : LINKS_AT_ONCE * done / links);
        some = some < AT_ONCE ? some : AT_ONCE;
        some = some < count - done ? some : count - done;
        if (!may_fit(links, done, count))
            break;
        Arena *own = arena_scratch(scratch); /* `scratch` may be where routes are kept */
        Routes found;
        const bool good = network_route(routes->network, own, some, messages->from + done,
                                        messages->to + done, &found, diag);
        if (good)
            keep(routes, own, &found, some, first + done);
        arena_destroy(own);
        if (!good)
            return false;
    }
    routes->work += walked - before + RULE_WORK * (routes->links.count - walked);
    return may_fit(links, done, count) || network_report_hops(routes->network, diag);
}

bool routes_find(KnownRoutes *routes, Arena *scratch, const MessageEnds *messages, int32_t *found,
                 Diag *diag)
{
    const int64_t *from = messages->from, *to = messages->to;
    const size_t count = messages->count;
    const double p = (double)routes->network->p;
    const double through =
        p * (routes->network->topology->factor_count ? sqrt(p) / 2 : LINKS_THROUGH_TREES);
    if ((double)routes->links.count > fmin(fmax(through, FEW_KEPT_LINKS), LIMIT_ITEMS))
        routes_forget(routes);
    int64_t *fresh_from = NULL, *fresh_to = NULL;
    size_t first = routes->items.count, fresh = 0;
    for (size_t i = 0; i < count; i++) {
        /* Trees send to a few ranks by turns. The hash has 3 bits, for FEW_ROUTES. */
        LastRoute *last =
            &routes->last[FEW_ROUTES * from[i] + ((uint32_t)to[i] * 0x9E3779B1u >> 29)];
        if (last->to != to[i]) {
            const FirstLink *link = routes_first(routes, from[i]);
            const int64_t start = link ? link->node : from[i];
            uint64_t key = (uint64_t)start << 32 | (uint64_t)to[i];
            int32_t *place = place_table_find(routes->arena, &routes->places, key);
            if (*place < 0) {
                if (!fresh_from) {
                    fresh_from = ARENA_ROOM(scratch, int64_t, count);
                    fresh_to = ARENA_ROOM(scratch, int64_t, count);
                }
                *place = (int32_t)routes->items.count;
                *ARRAY_PUSH_ALONE(routes->arena, &routes->items) = (KnownRoute){0, 0};
                fresh_from[fresh] = start;
                fresh_to[fresh++] = to[i];
            }
            *last = (LastRoute){(int32_t)to[i], *place};
        }
        found[i] = last->route;
    }
    const MessageEnds unknown = {fresh, fresh_from, fresh_to};
    if (find_fresh(routes, scratch, &unknown, first, diag))
        return true;
    routes_forget(routes); /* or who asks again would find ways without links */
    return false;
}

static void cross(const KnownRoutes *routes, Crossings *crossings, size_t message, int32_t link,
                  uint16_t class, int32_t *at)
{
    const uint64_t nodes = (uint64_t)routes->network->node_count, key = routes->keys.items[link];
    const size_t i = crossings->count++;
    const int32_t from = (int32_t)(key / nodes), to = (int32_t)(key % nodes);
    crossings->hops[message] += class < routes->network->class_count;
    *at = from == *at ? to : from;
    crossings->message[i] = (int32_t)message, crossings->link[i] = link;
    crossings->slot[i] = (int32_t)crossings->hops[message] - 1;
    crossings->class[i] = class, crossings->to[i] = *at;
}

bool routes_cross(KnownRoutes *routes, Arena *arena, const MessageEnds *messages,
                  Crossings *crossings, Diag *diag)
{
    const int64_t *from = messages->from;
    const size_t count = messages->count;
    int32_t *found = ARENA_ROOM(arena, int32_t, count);
    size_t *starts = ARENA_ARRAY(arena, size_t, count + 1);
    if (!routes_find(routes, arena, messages, found, diag))
        return false;
    for (size_t i = 0; i < count; i++)
        starts[i + 1] = starts[i] + routes->items.items[found[i]].count +
                        (routes_first(routes, from[i]) != NULL);
    const size_t all = starts[count];
    if (all > LIMIT_ITEMS)
        return network_report_hops(routes->network, diag);
    *crossings = (Crossings){.starts = starts,
                             .message = ARENA_ROOM(arena, int32_t, all),
                             .link = ARENA_ROOM(arena, int32_t, all),
                             .slot = ARENA_ROOM(arena, int32_t, all),
                             .to = ARENA_ROOM(arena, int32_t, all),
                             .class = ARENA_ROOM(arena, uint16_t, all),
                             .hops = ARENA_ARRAY(arena, int64_t, count)};
    for (size_t i = 0; i < count; i++) {
        const KnownRoute route = routes->items.items[found[i]];
        const FirstLink *first = routes_first(routes, from[i]);
        int32_t at = (int32_t)from[i];
        if (first)
            cross(routes, crossings, i, first->link, first->class, &at);
        for (size_t l = route.first; l < route.first + route.count; l++)
            cross(routes, crossings, i, routes->links.items[l], routes->classes.items[l], &at);
    }
    return true;
}
