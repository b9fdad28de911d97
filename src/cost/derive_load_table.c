#include "cost/derive_load_table.h"

static LinkLoad *find_link(LoadTable *table, int64_t key, int64_t slot)
{
    uint64_t hash = ((uint64_t)key + (uint64_t)slot * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 20) & table->mask;
    while (table->items[at].key && (table->items[at].key != key || table->items[at].slot != slot))
        at = (at + 1) & table->mask;
    table->items[at].key = key;
    table->items[at].slot = slot;
    return &table->items[at].load;
}

int64_t link_number(const Network *network, const NetworkTurn *turn, bool joins, int64_t from,
                    int64_t to, int64_t *times)
{
    const int64_t nodes = network->node_count;
    int64_t back_from = to, back_to = from, number, back;
    *times = turn && turn_link(turn, &from, &to) ? turn->turns : 1;
    number = from * nodes + to;
    if (!joins)
        return number;
    if (turn)
        turn_link(turn, &back_from, &back_to);
    back = back_from * nodes + back_to;
    if (number == back)
        *times *= 2; /* some turn maps the link on the other direction: both stand for the pair */
    return number < back ? number : back;
}

LinkLoad *load_table_at_link(const LoadContext *context, LoadTable *table, const Routes *routes,
                             size_t i, int64_t *times)
{
    const bool joins = context->rules->duplex == DUPLEX_HALF;
    int64_t number =
        link_number(context->network, context->turn, joins, routes->from[i], routes->to[i], times);
    return find_link(table, number + 1, context_forwards(context) ? routes->slot[i] : 0);
}

LinkLoad *load_table_at_node(const LoadContext *context, LoadTable *table, const Routes *routes,
                             size_t i, int64_t *times)
{
    const NetworkTurn *turn = context->turn;
    int64_t node = routes->to[i];
    *times = turn && turn_node(turn, &node) ? turn->turns : 1;
    return find_link(table, node + 1, context_forwards(context) ? routes->slot[i] : 0);
}

/* At most so many different links are crossed, where all messages cross theirs at once. */
static size_t count_crossed(const LoadContext *context, const Routes *routes)
{
    const Network *network = context->network;
    if (context_forwards(context) || !network->starts)
        return routes->link_count;
    size_t links = (size_t)network->starts[network->node_count];
    return links < routes->link_count ? links : routes->link_count;
}

static LoadTable open_table(Arena *arena, size_t items)
{
    size_t size = 16;
    while (size < items * 2)
        size *= 2;
    return (LoadTable){ARENA_ARRAY(arena, LoadedLink, size), size - 1};
}

/* Of each crossing of a message in a bundle, the place from which on copies are on their own, or up
   to which they are: where the same link is crossed for the same place, one copy does. */
static int64_t *find_places(const LoadContext *context, Arena *arena, const Routes *routes,
                            const PortStep *step)
{
    int64_t *places = ARENA_ROOM(arena, int64_t, routes->link_count);
    size_t *starts = ARENA_ARRAY(arena, size_t, step->count + 1);
    size_t *order = ARENA_ROOM(arena, size_t, routes->link_count); /* by message and slot */
    for (size_t m = 0; m < step->count; m++)
        starts[m + 1] = starts[m] + (size_t)routes->hops[m];
    for (size_t i = 0; i < routes->link_count; i++)
        order[starts[routes->message[i]] + (size_t)routes->slot[i]] = i;
    for (size_t m = 0; m < step->count; m++) {
        if (step->bundles[m] < 0)
            continue;
        const bool arrives = bundle_arrives(step->bundles, m);
        const bool *merges =
            context->merging->merges[arrives ? MERGING_COMBINES : MERGING_MULTICASTS];
        const size_t hops = starts[m + 1] - starts[m];
        int64_t place = -1;
        for (size_t h = 0; h < hops; h++) {
            const size_t i = order[arrives ? starts[m] + h : starts[m + 1] - 1 - h];
            const int64_t node = arrives ? routes->from[i] : routes->to[i];
            if (h == 0 || merges[node])
                place = node;
            places[i] = place;
        }
    }
    return places;
}

const bool *load_table_repeats(const LoadContext *context, Arena *arena, const Routes *routes,
                               const PortStep *step)
{
    if (!step->bundles)
        return NULL;
    const int64_t *places = find_places(context, arena, routes, step);
    bool *repeats = ARENA_ARRAY(arena, bool, routes->link_count);
    LoadTable met = open_table(arena, routes->link_count);
    for (size_t i = 0; i < routes->link_count; i++) {
        const int64_t bundle = step->bundles[routes->message[i]];
        const int64_t nodes = context->network->node_count;
        if (bundle < 0)
            continue;
        LinkLoad *copy = find_link(&met, routes->from[i] * nodes + routes->to[i] + 1,
                                   bundle * nodes + places[i]);
        repeats[i] = copy->messages++ > 0;
    }
    return repeats;
}

LoadTable load_table_links(const LoadContext *context, Arena *arena, const Routes *routes,
                           const PortStep *step, const bool *repeats)
{
    LoadTable table = open_table(arena, count_crossed(context, routes));
    for (size_t i = 0; i < routes->link_count; i++) {
        int64_t times;
        if (repeats && repeats[i])
            continue;
        LinkLoad *link = load_table_at_link(context, &table, routes, i, &times);
        link->blocks += times * message_blocks(step, (size_t)routes->message[i]);
        link->messages += times;
    }
    return table;
}

LoadTable load_table_nodes(const LoadContext *context, Arena *arena, const Routes *routes,
                           const PortStep *step, const bool *repeats, const int64_t *weights)
{
    LoadTable table = open_table(arena, routes->link_count);
    for (size_t i = 0; i < routes->link_count; i++) {
        int64_t times;
        if (weights[i] == 0 || (repeats && repeats[i]))
            continue;
        LinkLoad *node = load_table_at_node(context, &table, routes, i, &times);
        node->blocks += weights[i] * times * message_blocks(step, (size_t)routes->message[i]);
        node->messages += weights[i] * times;
    }
    return table;
}
