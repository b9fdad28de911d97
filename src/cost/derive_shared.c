
#include "base/whole.h"
#include "cost/derive_posting.h"
#include "cost/link_loads.h"
#include "cost/port_steps.h"

#include <string.h>

bool sharing_is_possible(const Rules *rules, Diag *diag)
{
    const char *what = rules->switching != SWITCHING_CUT_THROUGH ? "store-and-forward"
                       : rules->combining == COMBINING_OVERLAP   ? "overlapped combining"
                       : !rules->asynchronous                    ? "barriers between rounds"
                       : rules->averages                         ? "the mean of the ends of ranks"
                       : rules_have_exchanges(rules)             ? "exchanges that take longer"
                                                                 : NULL;
    return !what ||
           diag_refuse(diag, NOWHERE, "contention shared in time has no cost with %s", what);
}

/* What is noted of messages whose routes are new: `holding`. */
typedef struct {
    const LoadContext *context;
    Arena *arena;
    const PortStep *holding;
    const Together *together; /* NULL: they are not posted together */
    const Crossings *crossings;
    const bool *repeats; /* by crossing: another of its bundle crosses the link; NULL: none */
    bool *met;           /* by bundle, as joins_port uses it */
    Sharing *sharing;
} Notes;

/* The number of the resource with this key, new where it has none. */
static int32_t number_resource(const Notes *notes, uint64_t key, double lanes)
{
    Sharing *sharing = notes->sharing;
    int32_t *place = place_table_find(notes->arena, &sharing->known_resources, key);
    if (*place < 0) {
        *place = (int32_t)sharing->lanes.count;
        *ARRAY_PUSH(notes->arena, &sharing->lanes) = lanes;
        *ARRAY_PUSH(notes->arena, &sharing->keys) = key;
    }
    return *place;
}

static int64_t count_nodes(const Network *network)
{
    return network->grouping ? network->grouping->whole->node_count : network->node_count;
}

/* Links by their ends, with half duplex both directions alike, and nodes as links to themselves. */
static uint64_t link_key(const LoadContext *context, int64_t from, int64_t to)
{
    const Network *network = context->network;
    const int64_t nodes = count_nodes(network);
    from = network_rank(network, from), to = network_rank(network, to);
    bool turns = context->rules->duplex == DUPLEX_HALF && to < from;
    return (uint64_t)(turns ? to * nodes + from : from * nodes + to);
}

/* Who crosses a resource again takes so much more of it. */
static void add_crossing(const Notes *notes, CrossingRange *route, SharedCrossing crossing)
{
    for (size_t i = route->first; i < route->first + route->count; i++) {
        SharedCrossing *before = &notes->sharing->crossings.items[i];
        if (before->resource == crossing.resource) {
            before->price.rate += crossing.price.rate;
            before->price.varied_rate += crossing.price.varied_rate;
            before->times += crossing.times;
            return;
        }
    }
    *ARRAY_PUSH(notes->arena, &notes->sharing->crossings) = crossing;
    route->count++;
}

static SharedCrossing cross_link(const Notes *notes, size_t class, int64_t from, int64_t to)
{
    const LoadContext *context = notes->context;
    const Network *network = context->network;
    const LinkCost *cost = &context->link_costs[class];
    int64_t lanes = cost->lanes;
    if (context->rules->duplex == DUPLEX_HALF && network->link_classes) {
        /* So many that those of both directions are whole numbers of them. */
        const int64_t back = network_find_link(network, to, from);
        const int64_t others =
            back < 0 ? 1 : context->link_costs[network_link_class(network, back)].lanes;
        lanes = lanes / whole_common_divisor(lanes, others) * others;
    }
    SharedCrossing crossing = {.times = lanes / cost->lanes, .is_link = true};
    crossing.resource = number_resource(notes, link_key(context, from, to), (double)lanes);
    link_cost_weigh(cost, &crossing.price);
    crossing.price.rate *= (double)crossing.times;
    crossing.price.varied_rate *= (double)crossing.times;
    return crossing;
}

/* Messages whose routes are not known yet: message i is one of the new route `of`[i]. */
typedef struct {
    int64_t *from, *to;
    size_t *of, count, route_count;
} Unrouted;

/* Messages that are posted together share the ports of their ranks: crossing i leaves one, or
   arrives at one. */
static void cross_port(const Notes *notes, size_t i, bool receives, CrossingRange *route)
{
    const Together *together = notes->together;
    const int64_t rank = (receives ? notes->holding->to : notes->holding->from)[i];
    if (joins_port(notes->holding, i, receives, notes->met))
        return;
    const Network *network = notes->context->network;
    const uint64_t nodes = (uint64_t)count_nodes(network);
    const uint64_t level = together->by_level ? together->ports[receives][i] % PORT_LEVELS : 0;
    const uint64_t held = (uint64_t)network_rank(network, rank) * PORT_LEVELS + level;
    /* Behind the keys of links. With ports by level, each is that of one level. */
    const uint64_t key = nodes * nodes + 2 * held + receives;
    const SharedCrossing crossing = {
        .resource = number_resource(notes, key, (double)posting_ports(together, rank, receives)),
        .price = together->prices[receives][i],
        .times = 1};
    add_crossing(notes, route, crossing);
}

/* One message of a route. Of copies that go over a link as one, the first crosses it. */
static void note_message(const Notes *notes, size_t j, CrossingRange *route)
{
    const LoadContext *context = notes->context;
    const Crossings *crossings = notes->crossings;
    int64_t at = notes->holding->from[j];
    for (size_t i = crossings->starts[j]; i < crossings->starts[j + 1]; at = crossings->to[i++]) {
        const size_t class = crossings->class[i];
        const bool is_link = class < context->network->class_count;
        if (notes->together && is_link && crossings->slot[i] == 0)
            cross_port(notes, j, false, route);
        if (notes->together && is_link && crossings->slot[i] == crossings->hops[j] - 1)
            cross_port(notes, j, true, route);
        if (notes->repeats && notes->repeats[i])
            continue;
        if (is_link) {
            add_crossing(notes, route, cross_link(notes, class, at, crossings->to[i]));
            continue;
        }
        const NodeCapacities *nodes = context->node_capacities;
        const int level = node_class_level(context->network, class);
        const double rate =
            (double)node_class_weight(context->network, nodes, class) / nodes->of_levels[level];
        SharedCrossing through = {.resource = number_resource(notes, link_key(context, at, at), 1),
                                  .times = 1};
        *(level == nodes->varied ? &through.price.varied_rate : &through.price.rate) = rate;
        add_crossing(notes, route, through);
    }
}

/* Messages are gathered route by route. */
static void note_routes(const LoadContext *context, Arena *arena, const PortStep *step,
                        const Unrouted *unrouted, const Crossings *crossings, Sharing *sharing)
{
    Arena *scratch = arena_scratch(arena);
    const PortStep holding = {.count = unrouted->count,
                              .from = unrouted->from,
                              .to = unrouted->to,
                              .ranks = context->network->p,
                              .bundles = step->bundles, /* then all routes are new */
                              .bundle_count = step->bundle_count};
    const Together together =
        step->together ? posting_hold(context, scratch, crossings, &holding) : (Together){0};
    const Notes notes = {.context = context,
                         .arena = arena,
                         .holding = &holding,
                         .together = step->together ? &together : NULL,
                         .crossings = crossings,
                         .repeats = step->bundles
                                        ? merging_repeats(scratch, context->merging, step->bundles,
                                                          holding.from, crossings)
                                        : NULL,
                         .met = ARENA_ARRAY(scratch, bool, MERGING_COUNT * step->bundle_count),
                         .sharing = sharing};
    size_t *starts = ARENA_ARRAY(scratch, size_t, unrouted->route_count + 2);
    size_t *order = ARENA_ROOM(scratch, size_t, unrouted->count);
    for (size_t j = 0; j < unrouted->count; j++)
        starts[unrouted->of[j] + 2]++;
    for (size_t r = 2; r < unrouted->route_count + 2; r++)
        starts[r] += starts[r - 1];
    for (size_t j = 0; j < unrouted->count; j++)
        order[starts[unrouted->of[j] + 1]++] = j;
    for (size_t r = 0; r < unrouted->route_count; r++) {
        CrossingRange route = {sharing->crossings.count, 0};
        for (size_t n = starts[r]; n < starts[r + 1]; n++)
            note_message(&notes, order[n], &route);
        *ARRAY_PUSH(arena, &sharing->routes) = route;
    }
    arena_destroy(scratch);
}

static void add_unrouted(Unrouted *unrouted, const ScheduledTransfer *transfer, size_t route)
{
    const size_t i = unrouted->count++;
    unrouted->from[i] = transfer->from, unrouted->to[i] = transfer->to;
    unrouted->of[i] = route;
    if (route == unrouted->route_count)
        unrouted->route_count++;
}

/* Message i of a port step with bundles, all of whose routes are new; `last`: of each bundle the
   last of its messages so far, -1: none. */
static void join_bundle(const PortStep *step, size_t i, int32_t *last, Unrouted *unrouted,
                        Sharing *sharing)
{
    const int32_t number = (int32_t)sharing->messages.count - 1;
    SharedMessage *message = &sharing->messages.items[number];
    int32_t *before = step->bundles[i] < 0 ? NULL : &last[step->bundles[i]];
    size_t route = unrouted->route_count;
    if (before && *before >= 0) {
        sharing->messages.items[*before].next = number;
        message->first = sharing->messages.items[*before].first;
        route = (size_t)sharing->messages.items[*before].route - sharing->routes.count;
    }
    if (before)
        *before = number;
    message->route = (int32_t)(sharing->routes.count + route);
    add_unrouted(unrouted, step->transfers[i], route);
}

bool sharing_note(const LoadContext *context, Arena *arena, const PortStep *step, Sharing *sharing,
                  Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    Unrouted unrouted = {.from = ARENA_ROOM(scratch, int64_t, step->count),
                         .to = ARENA_ROOM(scratch, int64_t, step->count),
                         .of = ARENA_ROOM(scratch, size_t, step->count)};
    const size_t bundles = step->bundles ? MERGING_COUNT * step->bundle_count : 0;
    int32_t *last = ARENA_ROOM(scratch, int32_t, bundles);
    memset(last, -1, bundles * sizeof *last);
    for (size_t i = 0; i < step->count + step->local_count; i++) {
        SharedMessage *message = ARRAY_PUSH(arena, &sharing->messages);
        *message = (SharedMessage){-1, (int32_t)sharing->messages.count - 1, -1, 0};
        if (i >= step->count)
            continue;
        message->blocks = (double)message_blocks(step, i);
        if (step->bundles) {
            join_bundle(step, i, last, &unrouted, sharing);
            continue;
        }
        const ScheduledTransfer *transfer = step->transfers[i];
        const uint64_t p = (uint64_t)context->network->p;
        const uint64_t key =
            (step->together * p + (uint64_t)transfer->from) * p + (uint64_t)transfer->to;
        int32_t *place = place_table_find(arena, &sharing->known_routes, key);
        if (*place < 0) {
            *place = (int32_t)(sharing->routes.count + unrouted.route_count);
            add_unrouted(&unrouted, transfer, unrouted.route_count);
        }
        message->route = *place;
    }
    Crossings crossings;
    const MessageEnds ends = {unrouted.count, unrouted.from, unrouted.to};
    const bool good = ends.count == 0 || routes_cross(&link_loads_open(context, 0)->routes, scratch,
                                                      &ends, &crossings, diag);
    if (good && ends.count)
        note_routes(context, arena, step, &unrouted, &crossings, sharing);
    arena_destroy(scratch);
    return good;
}
