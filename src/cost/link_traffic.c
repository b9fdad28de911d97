#include "cost/link_traffic.h"

#include "cost/derive_products.h"

typedef struct {
    const LinkGroups *groups;
    int64_t *loads; /* of each directed link */
    bool is_empty;
    ProductCosts sizes; /* of blocks with weights */
    int64_t messages;
    Diag *diag;
} Counter;

static bool count_round(void *context, const Round *round, Arena *arena)
{
    Counter *counter = context;
    int64_t *from = ARENA_ROOM(arena, int64_t, round->count);
    int64_t *to = ARENA_ROOM(arena, int64_t, round->count);
    int64_t *blocks = ARENA_ROOM(arena, int64_t, round->count);
    size_t count = 0;
    if (!products_count(&counter->sizes, round, counter->diag))
        return false;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        if (transfer_is_local(transfer))
            continue;
        from[count] = transfer->from;
        to[count] = transfer->to;
        blocks[count++] = counter->is_empty ? 0 : products_size(&counter->sizes, round, transfer);
    }
    counter->messages += (int64_t)count;
    if (counter->messages > LIMIT_TRAFFIC_MESSAGES)
        return diag_limit(counter->diag, NOWHERE,
                          "the schedule has more than %d messages to follow",
                          LIMIT_TRAFFIC_MESSAGES);
    Routes routes;
    if (count == 0)
        return true;
    if (!network_route(counter->groups->network, arena, count, from, to, &routes, counter->diag))
        return false;
    for (size_t i = 0; i < routes.link_count; i++)
        counter->loads[network_find_link(counter->groups->network, routes.from[i], routes.to[i])] +=
            blocks[routes.message[i]];
    return true;
}

static void add_link(LinkTraffic *traffic, size_t group, int64_t load)
{
    GroupTraffic *of = &traffic->groups[group];
    of->total += load;
    of->busiest = load > of->busiest ? load : of->busiest;
}

bool link_traffic_count(Arena *arena, const Instance *instance, const LinkGroups *groups,
                        LinkTraffic *traffic, Diag *diag)
{
    const Network *network = groups->network;
    const int64_t links = network_link_count(network);
    *traffic = (LinkTraffic){0};
    if (links > LIMIT_TRAFFIC_LINKS)
        return diag_limit(diag, NOWHERE,
                          "%s has more than %d links, too many to count their traffic",
                          network->name, LIMIT_TRAFFIC_LINKS);
    Arena *scratch = arena_scratch(arena);
    RoundsWanted counted = {0};
    BlockSpace space;
    Counter counter = {.groups = groups,
                       .loads = ARENA_ARRAY(scratch, int64_t, (size_t)links + 1),
                       .is_empty = instance->algorithm->collective->is_empty,
                       .diag = diag};
    bool good = schedule_chunks(instance, &traffic->chunks, diag) &&
                schedule_blocks(instance, &space, diag) &&
                products_start(scratch, instance, &space, instance->sizes.weights, traffic->chunks,
                               &counter.sizes, diag);
    counted.counts_only = !counter.sizes.elements;
    good = good && schedule_expand_as(instance, &counted, count_round, &counter, diag);
    for (int64_t i = 0; good && !network->starts && i < network->p * network->p; i++)
        add_link(traffic, 0, counter.loads[i]);
    for (int64_t n = 0; good && network->starts && n < network->node_count; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++) {
            const size_t class = network_link_class(network, i);
            add_link(traffic, link_groups_find(groups, n, network->neighbours[i], class),
                     counter.loads[i]);
        }
    arena_destroy(scratch);
    return good;
}
