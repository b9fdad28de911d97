#include "cost/derive_loads.h"

#include "base/whole.h"
#include "cost/derive_load_table.h"
#include "cost/derive_posting.h"

#include <math.h>

static int64_t count_load(const Rules *rules, const LinkLoad *link, int64_t own)
{
    return rules->contention == CONTENTION_BYTES      ? link->blocks
           : rules->contention == CONTENTION_MESSAGES ? own * link->messages
                                                      : own;
}

static const LinkCost *link_cost_of(const LoadContext *context, const Routes *routes, size_t i)
{
    return &context->link_costs[routes->classes ? routes->classes[i] : 0];
}

/* One link of a path. On n lanes a message is as slow as it is alone, or as an n-th of the load. */
static PathCost crossing_cost(const LinkCost *link_cost, int64_t own, int64_t load)
{
    PathCost cost = {.load = load, .lanes = link_cost->lanes};
    if ((__int128)own * link_cost->lanes >= load)
        cost.load = own, cost.lanes = 1;
    if (link_cost->own[PARAMETER_TW] && !link_cost->listed[PARAMETER_TW]) {
        double rate = (double)cost.load / (double)cost.lanes * link_cost->values[PARAMETER_TW];
        *(link_cost->varied[PARAMETER_TW] ? &cost.varied_rate : &cost.rate) = rate;
        cost.load = 0, cost.lanes = 1;
    }
    if (link_cost->own[PARAMETER_TH])
        *(link_cost->varied[PARAMETER_TH] ? &cost.varied : &cost.hop) =
            link_cost->values[PARAMETER_TH];
    else
        cost.hops = 1;
    return cost;
}

/* The protocol of a path depends on the size of its message. */
static void set_message(const LoadContext *context, PathCost *path, int64_t blocks)
{
    const VariedLinkCost *varied = &context->rules->varied;
    path->factor = varied->level.length ? &varied->factor : NULL;
    path->choice.rules = context->rules->protocols ? context->rules : NULL;
    path->choice.message = path->choice.rules ? blocks : 0;
}

static void add_startup(PathCost *path, const LinkCost *link_cost)
{
    if (link_cost->list)
        path->list_startups++;
    else if (link_cost->varied[PARAMETER_TS])
        path->varied += link_cost->values[PARAMETER_TS];
    else if (link_cost->own[PARAMETER_TS])
        path->startup += link_cost->values[PARAMETER_TS];
    else
        path->startups++;
}

/* What a message pays by the list of a level. */
typedef struct {
    int64_t load, lanes;
} ListedLoad;

/* A whole path while its links are added up. */
typedef struct {
    PathCost path;      /* with the largest load by the machine's tw */
    double rate;        /* and by links' own */
    double varied_rate; /* and by that which varies */
    const LinkCost *highest;
    ListedLoad *listed; /* and by the list of each level, from 1; NULL: there is none */
} Journey;

static Journey new_journey(const LoadContext *context, Arena *arena, int64_t blocks)
{
    const Rules *rules = context->rules;
    Journey journey = {.path = {.lanes = 1}};
    set_message(context, &journey.path, blocks);
    if (rules_have_lists(rules))
        journey.listed = ARENA_ARRAY(arena, ListedLoad, (size_t)rules->level_count + 1);
    return journey;
}

/* What the choice of the fastest protocol depends on. */
static void note_crossing(PathCost *path, const LinkCost *link_cost)
{
    double value = link_cost->values[PARAMETER_TW];
    double *alone =
        link_cost->varied[PARAMETER_TW] ? &path->choice.alone_varied : &path->choice.alone;
    if (link_cost->listed[PARAMETER_TW])
        path->choice.crossed |= (uint64_t)1 << link_cost->list;
    else if (!link_cost->own[PARAMETER_TW])
        path->choice.crossed |= 1;
    else if (value > *alone)
        *alone = value;
}

static void add_listed_load(ListedLoad *listed, const PathCost *crossing)
{
    const PathCost before = {.load = listed->load, .lanes = listed->lanes};
    if (listed->lanes == 0 || path_compare_loads(crossing, &before) > 0)
        *listed = (ListedLoad){crossing->load, crossing->lanes};
}

/* False where the fraction needs more than 64 bits. */
static bool add_loads(PathCost *path, const PathCost *crossing)
{
    int64_t left, right, lanes, load, divisor = whole_common_divisor(path->lanes, crossing->lanes);
    if (__builtin_mul_overflow(path->load, crossing->lanes / divisor, &left) ||
        __builtin_mul_overflow(crossing->load, path->lanes / divisor, &right) ||
        __builtin_mul_overflow(path->lanes, crossing->lanes / divisor, &lanes) ||
        __builtin_add_overflow(left, right, &load))
        return false;
    path->load = load, path->lanes = lanes;
    return true;
}

/* Cut-through takes the largest load of all links; store-and-forward one after the other. */
static bool add_crossing(const LoadContext *context, Journey *journey, const LinkCost *link_cost,
                         const PathCost *crossing)
{
    PathCost *path = &journey->path;
    path->hops += crossing->hops;
    path->hop += crossing->hop;
    path->varied += crossing->varied;
    if (!journey->highest || link_cost->level > journey->highest->level)
        journey->highest = link_cost;
    if (path->choice.rules && context->rules->select_fastest)
        note_crossing(path, link_cost);
    if (context->rules->switching == SWITCHING_STARTUPS)
        add_startup(path, link_cost);
    if (link_cost->listed[PARAMETER_TW]) {
        add_listed_load(&journey->listed[link_cost->list], crossing);
        return true;
    }
    if (context_forwards(context)) {
        path->rate += crossing->rate;
        path->varied_rate += crossing->varied_rate;
        return add_loads(path, crossing);
    }
    if (path_compare_loads(crossing, path) > 0)
        path->load = crossing->load, path->lanes = crossing->lanes;
    if (crossing->rate > journey->rate)
        journey->rate = crossing->rate;
    if (crossing->varied_rate > journey->varied_rate)
        journey->varied_rate = crossing->varied_rate;
    return true;
}

/* The list of the highest level counts, if it has one. */
static void settle_protocol(const LoadContext *context, const Journey *journey, PathCost *path)
{
    const LinkCost *highest = journey->highest;
    if (!path->choice.rules || !highest)
        return;
    path->choice.list = highest->list;
    if (context->rules->select_fastest && !highest->own[PARAMETER_TS])
        path->choice.crossed |= PATH_STARTS_BY_MACHINE;
}

/* A path over links of several kinds, the machine's, their own and such as vary, is as slow as any
   of them says; there is one where all cost nothing. */
static PathRange end_journey(const LoadContext *context, Arena *arena, Journey *journey,
                             PathList *paths)
{
    PathCost path = journey->path;
    PathRange ranges = {paths->count, 0};
    settle_protocol(context, journey, &path);
    if (journey->highest && context->rules->switching != SWITCHING_STARTUPS)
        add_startup(&path, journey->highest);
    bool is_free = journey->rate == 0 && journey->varied_rate == 0;
    for (int level = 1; journey->listed && level <= context->rules->level_count; level++) {
        PathCost listed = path;
        listed.priced = level;
        listed.load = journey->listed[level].load, listed.lanes = journey->listed[level].lanes;
        is_free &= listed.load == 0;
        if (listed.load)
            *ARRAY_PUSH(arena, paths) = listed;
    }
    if (path.load || is_free)
        *ARRAY_PUSH(arena, paths) = path;
    path.load = 0, path.lanes = 1;
    if (journey->rate > 0) {
        PathCost *own = ARRAY_PUSH(arena, paths);
        *own = path;
        own->rate = journey->rate;
    }
    if (journey->varied_rate > 0) {
        PathCost *varied = ARRAY_PUSH(arena, paths);
        *varied = path;
        varied->varied_rate = journey->varied_rate;
    }
    ranges.count = paths->count - ranges.first;
    return ranges;
}

/* Cut-through: the port step is as long as its slowest message. */
static void enter_messages(Arena *arena, PortStep *step, const PathList *paths)
{
    PathList list = {0};
    for (size_t i = 0; i < paths->count; i++)
        paths_push_slower(arena, &list, &paths->items[i]);
    step->entries = ARENA_ROOM(arena, PathRange, 1);
    step->entry_paths = ARENA_ROOM(arena, PathCost, list.count);
    port_step_enter(step, &list);
}

/* Crossings by slot: order[starts[s] .. starts[s + 1] - 1]. */
static const size_t *order_slots(Arena *arena, const Routes *routes, size_t slots, size_t *order)
{
    size_t *starts = ARENA_ARRAY(arena, size_t, slots + 1);
    for (size_t i = 0; i < routes->link_count; i++)
        starts[routes->slot[i] + 1]++;
    for (size_t s = 0; s < slots; s++)
        starts[s + 1] += starts[s];
    size_t *next = ARENA_COPY(arena, size_t, starts, slots);
    for (size_t i = 0; i < routes->link_count; i++)
        order[next[routes->slot[i]]++] = i;
    return starts;
}

/* The startups of all messages, each the highest level's; at every hop they are paid there. */
static PathList list_startups(const LoadContext *context, Arena *arena, const PortStep *step)
{
    PathList list = {0};
    bool varies_startup = context->rules->varied.parameter == PARAMETER_TS;
    for (size_t i = 0; i < step->count; i++) {
        const PathCost *path = &step->paths[step->ranges[i].first];
        PathCost startup = {.startups = path->startups,
                            .startup = path->startup,
                            .varied = varies_startup ? path->varied : 0,
                            .factor = path->factor,
                            .lanes = 1,
                            .choice = path->choice};
        if (context->rules->switching == SWITCHING_STORE_AND_FORWARD)
            paths_push_slower(arena, &list, &startup);
    }
    list.count = paths_keep_slowest(list.items, list.count);
    return list;
}

/* Store-and-forward: the port step is as long as its slots, one after the other. Where all messages
   start in the same time, that belongs to the first slot, else it is an entry of its own. Those
   that are posted together (NULL: they are not) have latencies and transfers apart. */
static void enter_slots(const LoadContext *context, Arena *arena, PortStep *step,
                        const Routes *routes, const PathCost *crossings, const Together *together)
{
    size_t slots = 0;
    for (size_t i = 0; i < step->count; i++)
        slots = (size_t)step->hops[i] > slots ? (size_t)step->hops[i] : slots;
    size_t *order = ARENA_ROOM(arena, size_t, routes->link_count);
    const size_t *starts = order_slots(arena, routes, slots, order);
    PathList startups = list_startups(context, arena, step), list = {0}, latencies = {0};
    size_t room = routes->link_count + startups.count;
    step->entries = ARENA_ROOM(arena, PathRange, 2 * slots + 1);
    step->entry_paths = ARENA_ROOM(arena, PathCost, together ? 2 * (room + 2 * step->count) : room);
    PathCost first = {0};
    if (startups.count == 1)
        first = startups.items[0];
    else if (startups.count > 1)
        port_step_enter(step, &startups);
    first.startup += together ? together->delay : 0;
    for (size_t s = 0; s < slots; s++) {
        for (size_t i = starts[s]; i < starts[s + 1]; i++) {
            PathCost path = crossings[order[i]];
            if (context->rules->switching == SWITCHING_STARTUPS)
                add_startup(&path, link_cost_of(context, routes, order[i]));
            if (s == 0)
                path_add_latency(&path, &first);
            if (!together) {
                paths_push_slower(arena, &list, &path);
                continue;
            }
            PathCost latency = path_latency(&path), transfer = path_transfer(&path);
            paths_push_slower(arena, &latencies, &latency);
            paths_push_slower(arena, &list, &transfer);
        }
        if (together) {
            posting_share_slot(context, arena, step, s, together, &list);
            posting_enter_split(context, step, &latencies, &list);
        } else {
            port_step_enter(step, &list);
        }
    }
}

static void start_port_step(Arena *arena, PortStep *step)
{
    step->load_blocks = ARENA_ARRAY(arena, int64_t, step->count);
    step->load_messages = ARENA_ARRAY(arena, int64_t, step->count);
    step->ranges = ARENA_ROOM(arena, PathRange, step->count);
    step->path_count = step->entry_count = 0;
}

/* The seconds per byte of a block for which a message passes a node: a link that all share. */
static double pass_node(const LoadContext *context, const LinkLoad *node, int64_t weight,
                        int64_t own, double capacity)
{
    int64_t alone = context->rules->contention == CONTENTION_NONE ? weight * own : own;
    return (double)count_load(context->rules, node, alone) / capacity;
}

/* With store-and-forward it goes through behind the link on which it arrives. */
static void add_node(const LoadContext *context, Journey *journey, PathCost *crossing, double rate)
{
    if (!context_forwards(context))
        journey->rate = fmax(journey->rate, rate);
    else if (crossing)
        journey->path.rate += rate, crossing->rate += rate;
}

bool message_paths(const LoadContext *context, Arena *arena, int64_t own, size_t count,
                   const uint8_t *classes, const LinkLoad *const *loads, PathList *paths)
{
    Journey journey = new_journey(context, arena, own);
    for (size_t i = 0; i < count; i++) {
        if (classes[i] >= context->network->class_count) {
            const size_t level = classes[i] - context->network->class_count;
            add_node(
                context, &journey, NULL,
                pass_node(context, loads[i], 1, own, context->node_capacities->of_levels[level]));
            continue;
        }
        const LinkCost *link_cost = &context->link_costs[classes[i]];
        const PathCost crossing =
            crossing_cost(link_cost, own, count_load(context->rules, loads[i], own));
        if (!add_crossing(context, &journey, link_cost, &crossing))
            return false;
    }
    end_journey(context, arena, &journey, paths);
    return true;
}

/* Follows the links of all messages, which come in any order, and keeps what each costs where there
   is room for it. */
static bool add_journeys(const LoadContext *context, Arena *arena, const Routes *routes,
                         PortStep *step, Journey *journeys, PathCost *crossings)
{
    const bool *repeats = load_table_repeats(context, arena, routes, step);
    LoadTable table = load_table_links(context, arena, routes, step, repeats), through = {0};
    const NodeCapacities *nodes = context->node_capacities;
    const int64_t *weights =
        nodes ? node_capacities_weigh(nodes, context->network, arena, routes, step->count) : NULL;
    if (weights)
        through = load_table_nodes(context, arena, routes, step, repeats, weights);
    for (size_t i = 0; i < step->count; i++)
        journeys[i] = new_journey(context, arena, message_blocks(step, i));
    for (size_t i = 0; i < routes->link_count; i++) {
        int64_t message = routes->message[i], times;
        int64_t own = message_blocks(step, (size_t)message);
        const LinkLoad *link = load_table_at_link(context, &table, routes, i, &times);
        const LinkCost *link_cost = link_cost_of(context, routes, i);
        int64_t load = count_load(context->rules, link, own);
        PathCost crossing = crossing_cost(link_cost, own, load);
        if (crossings) {
            set_message(context, &crossing, own);
            crossings[i] = crossing;
        }
        if (!add_crossing(context, &journeys[message], link_cost, &crossing))
            return false;
        if (weights && weights[i])
            add_node(context, &journeys[message], crossings ? &crossings[i] : NULL,
                     pass_node(context, load_table_at_node(context, &through, routes, i, &times),
                               weights[i], own, nodes->capacities[routes->to[i]]));
        if (load > step->load_blocks[message])
            step->load_blocks[message] = load;
        if (link->messages > step->load_messages[message])
            step->load_messages[message] = link->messages;
        if (repeats && repeats[i] && bundle_arrives(step->bundles, (size_t)message) &&
            routes->slot[i] == routes->hops[message] - 1)
            step->combines[message] = 0; /* a switch has done it */
    }
    return true;
}

/* Messages of a bundle are one, which pays by the highest of all its links. */
static void join_bundles(Arena *arena, const PortStep *step, Journey *journeys)
{
    Journey **firsts = ARENA_ARRAY(arena, Journey *, MERGING_COUNT * step->bundle_count);
    for (size_t n = 0; step->bundles && n < 2 * step->count; n++) {
        const size_t i = n % step->count;
        if (step->bundles[i] < 0)
            continue;
        Journey **first = &firsts[step->bundles[i]];
        *first = *first ? *first : &journeys[i];
        ProtocolChoice *all = &(*first)->path.choice, *own = &journeys[i].path.choice;
        if (journeys[i].highest->level > (*first)->highest->level)
            (*first)->highest = journeys[i].highest;
        journeys[i].highest = (*first)->highest;
        own->crossed = all->crossed |= own->crossed;
        own->alone = all->alone = fmax(all->alone, own->alone);
        own->alone_varied = all->alone_varied = fmax(all->alone_varied, own->alone_varied);
    }
}

/* A crossing has the protocol of the whole message. */
static void select_alike(PathCost *crossing, const PathCost *path)
{
    crossing->choice = path->choice;
}

/* Of each message, at the level whose startup it pays: its gap, and the overhead at this end; in
   order negative where no gap is given. */
static double *list_spacings(Arena *arena, const PortStep *step, const Journey *journeys,
                             bool receives)
{
    double *spacings = ARENA_ARRAY(arena, double, step->count);
    for (size_t i = 0; i < step->count; i++) {
        if (!journeys[i].highest)
            continue;
        const Delay *delays = journeys[i].highest->delays;
        const bool apart = receives && delays[DELAY_RECEIVE].is_given;
        spacings[i] =
            fmax(delays[apart ? DELAY_RECEIVE : DELAY_OVERHEAD].seconds, delays[DELAY_GAP].seconds);
        if (!step->together && !delays[DELAY_GAP].is_given)
            spacings[i] = -1;
    }
    return spacings;
}

bool port_step_load(const LoadContext *context, Arena *arena, const Routes *routes, PortStep *step,
                    Diag *diag)
{
    PathCost *crossings =
        context_forwards(context) ? ARENA_ROOM(arena, PathCost, routes->link_count) : NULL;
    Journey *journeys = ARENA_ROOM(arena, Journey, step->count);
    PathList paths = {0};
    start_port_step(arena, step);
    step->hops = routes->hops;
    if (!add_journeys(context, arena, routes, step, journeys, crossings)) {
        diag_limit(diag, NOWHERE, "the lanes on the paths of %s have no common multiple that fits",
                   context->network->name);
        return false;
    }
    join_bundles(arena, step, journeys);
    for (size_t i = 0; i < step->count; i++)
        step->ranges[i] = end_journey(context, arena, &journeys[i], &paths);
    step->paths = paths.items;
    for (size_t i = 0; crossings && paths.count && i < routes->link_count; i++)
        select_alike(&crossings[i], &step->paths[step->ranges[routes->message[i]].first]);
    Together together;
    if (step->together) {
        const double *const spacings[2] = {list_spacings(arena, step, journeys, false),
                                           list_spacings(arena, step, journeys, true)};
        together = posting_prepare(context, arena, routes, step, spacings);
    }
    if (context_forwards(context))
        enter_slots(context, arena, step, routes, crossings, step->together ? &together : NULL);
    else if (step->together)
        posting_enter(context, arena, step, &paths, &together);
    else if (step->overlaps)
        posting_enter_in_order(arena, step, &paths, list_spacings(arena, step, journeys, false));
    else
        enter_messages(arena, step, &paths);
    if (step->together && context_forwards(context))
        posting_list_messages(arena, step, &together, NULL);
    return true;
}

/* With one port, and a link for every pair, no two messages of a port step meet. */
static void load_own_links(const LoadContext *context, Arena *arena, PortStep *step)
{
    PathList paths = {0};
    step->path_count = step->entry_count = 0;
    if (context->each) {
        start_port_step(arena, step);
        step->hops = ARENA_ROOM(arena, int64_t, step->count);
        ARRAY_RESERVE(arena, &paths, step->count);
    }
    for (size_t i = 0; i < step->count; i++) {
        int64_t own = message_blocks(step, i);
        PathCost path = {.startups = 1, .hops = 1, .load = own, .lanes = 1};
        set_message(context, &path, own);
        if (path.choice.rules && context->rules->select_fastest)
            path.choice.crossed = 1 | PATH_STARTS_BY_MACHINE;
        if (!context->each) {
            paths_push_slower(arena, &paths, &path);
            continue;
        }
        step->hops[i] = step->load_messages[i] = 1;
        step->load_blocks[i] = own;
        step->ranges[i] = (PathRange){i, 1};
        *ARRAY_PUSH(arena, &paths) = path;
    }
    step->paths = paths.items;
    enter_messages(arena, step, &paths);
}

bool loads_are_apart(const LoadContext *context)
{
    const LinkCost *link_cost = &context->link_costs[0];
    bool plain = !link_cost->own[PARAMETER_TS] && !link_cost->own[PARAMETER_TH] &&
                 !link_cost->own[PARAMETER_TW];
    return context->network->topology->direct && plain && context->ports == 1 &&
           context->rules->duplex == DUPLEX_FULL;
}

PortStep port_step_of_turn(const NetworkTurn *turn, Arena *arena, const PortStep *step)
{
    const size_t copies = (size_t)(turn->by / step->by), count = step->count * copies;
    int64_t *from = ARENA_ROOM(arena, int64_t, count), *to = ARENA_ROOM(arena, int64_t, count);
    int64_t *sizes = ARENA_ROOM(arena, int64_t, count);
    for (size_t i = 0; i < count; i++) {
        const ScheduledTransfer *transfer = step->transfers[i / copies];
        const int64_t behind = (int64_t)(i % copies) * step->by, goal = transfer->to + behind;
        from[i] = transfer->from + behind;
        to[i] = goal < turn->p ? goal : goal - turn->p;
        sizes[i] = step->sizes[i / copies];
    }
    return (PortStep){.count = count,
                      .is_empty = step->is_empty,
                      .together = step->together,
                      .is_followed = step->is_followed,
                      .overlaps = step->overlaps,
                      .ranks = turn->by,
                      .from = from,
                      .to = to,
                      .sizes = sizes};
}

static bool route_turned(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag)
{
    const NetworkTurn own = network_turn(context->network), turn = turn_multiple(&own, step->by);
    LoadContext turned = *context;
    turned.turn = turn.turns > 1 ? &turn : NULL;
    PortStep all = port_step_of_turn(&turn, arena, step);
    Routes routes;
    if (!network_route(context->network, arena, all.count, all.from, all.to, &routes, diag) ||
        !port_step_load(&turned, arena, &routes, &all, diag))
        return false;
    step->entries = all.entries, step->entry_count = all.entry_count;
    step->entry_paths = all.entry_paths, step->path_count = all.path_count;
    return true;
}

bool port_step_route(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag)
{
    if (!step->together && !step->overlaps && loads_are_apart(context)) {
        load_own_links(context, arena, step);
        return true;
    }
    if (step->by)
        return route_turned(context, arena, step, diag);
    int64_t *from = ARENA_ROOM(arena, int64_t, step->count);
    int64_t *to = ARENA_ROOM(arena, int64_t, step->count);
    for (size_t i = 0; i < step->count; i++) {
        from[i] = step->transfers[i]->from;
        to[i] = step->transfers[i]->to;
    }
    step->from = from, step->to = to, step->ranks = context->network->p;
    Routes routes;
    if (!network_route(context->network, arena, step->count, from, to, &routes, diag))
        return false;
    return port_step_load(context, arena, &routes, step, diag);
}
