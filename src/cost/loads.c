#include "base/place_table.h"
#include "base/whole.h"
#include "cost/derive_memo.h"
#include "cost/derive_posting.h"
#include "cost/journey.h"
#include "cost/link_loads.h"
#include "sched/runs.h"

#include <math.h>
#include <string.h>

/* Port steps in which all ranks of a grid send alike, and each coordinate moves by itself.

       4 x 4, r xor 5:             (x, y) -> (x xor 1, y xor 1)
       4 x 4, (r + 5) mod 16:      (x, y) -> (x + 1, y + 1), and one further along y where x carries

   Messages go along one dimension after the other, so each line of the grid carries the same ones:
   one for each of its ranks. What the ranks of the first line along a dimension send there stands
   for all, and paths along some dimensions go on as each of those along the next one. */

/* Paths along one dimension of those that go on there or carry over to the next one; NULL: not
   known yet. */
typedef struct MovedPaths {
    PlainList *kept[2];
} MovedPaths;

/* Where all ranks of the first line go by `digit`, as many messages as there are links. NULL after
   a report. */
static const MovedPaths *find_along(LinkLoads *loads, Arena *scratch, int dimension, Move move,
                                    int64_t digit, Diag *diag)
{
    const Shape *shape = &loads->routes.network->shape;
    const int64_t size = shape->sizes[dimension], stride = shape_stride(shape, dimension);
    MovedPaths *known = &loads->moved[move][dimension][digit];
    if (known->kept[0])
        return known;
    int64_t *from = ARENA_ROOM(scratch, int64_t, size), *to = ARENA_ROOM(scratch, int64_t, size);
    PortStep line = {.from = from, .sizes = ARENA_ROOM(scratch, int64_t, size)};
    int32_t *found = ARENA_ROOM(scratch, int32_t, size);
    for (int64_t a = 0; a < size && digit % size; a++) {
        const int64_t goal = move == MOVE_BITS ? a ^ digit : (a + digit) % size;
        from[a] = a * stride, to[a] = goal * stride;
        line.sizes[line.count++] = 1;
    }
    if (loads->routes.links.count > FEW_KEPT_LINKS) /* no distance is asked for again */
        routes_forget(&loads->routes);
    const MessageEnds ends = {line.count, from, to};
    if (!routes_find(&loads->routes, scratch, &ends, found, diag))
        return NULL;
    link_loads_add(loads, &line, found);
    /* those that carry over are the last ones */
    const size_t over = (size_t)(move == MOVE_BITS ? size : size - digit);
    for (int out = 0; out < 2; out++) {
        PlainList *list = known->kept[out] = ARENA_NEW(loads->routes.arena, PlainList);
        if (line.count)
            link_loads_list(loads, loads->routes.arena, out ? over : 0, out ? line.count : over,
                            list);
        else if (out == (over == 0))
            *ARRAY_PUSH(loads->routes.arena, list) = (PlainCost){.own = 1};
        plain_keep_highest(list);
    }
    return known;
}

/* Each rank r sends as many blocks to the rank at r + amount, modulo p, or at r xor amount. */
typedef struct {
    Move move;
    int64_t amount, blocks;
} AlikeMessages;

/* Appends the paths of which one may be the slowest of such messages. False where the network is no
   grid of lines, or its links are not plain; *failed after a report. O(size) of a line for each
   distance along it, the first time. */
static bool axes_slowest(const LoadContext *context, Arena *scratch, const AlikeMessages *messages,
                         PathList *slowest, bool *failed, Diag *diag)
{
    const Shape *shape = &context->network->shape;
    const Move move = messages->move;
    int64_t amount = messages->amount;
    PlainList before[2] = {{0}};
    const Network *network = context->network;
    /* Is the network a grid of lines, through which messages go in one dimension after the other?
     */
    bool is_grid = network->router && network->topology->factor_count && !network->grouping &&
                   shape->count > 1 && network->router->count == shape->count &&
                   network->node_count == network->p;
    for (int i = 0; i < shape->count && move == MOVE_BITS; i++)
        is_grid &= whole_is_power_of_two(shape->sizes[i]);
    if (!is_grid)
        return false;
    LinkLoads *loads = link_loads_open(context, 0);
    if (!loads->is_plain)
        return false;
    if (!loads->moved[move]) {
        loads->moved[move] = ARENA_ARRAY(loads->routes.arena, MovedPaths *, shape->count);
        for (int i = 0; i < shape->count; i++)
            loads->moved[move][i] =
                ARENA_ARRAY(loads->routes.arena, MovedPaths, (size_t)shape->sizes[i] + 1);
    }
    *ARRAY_PUSH(scratch, &before[0]) = (PlainCost){.own = 1};
    for (int i = 0; i < shape->count; amount /= shape->sizes[i++]) {
        PlainList after[2] = {{0}};
        for (int in = 0; in < 2; in++) {
            if (!before[in].count)
                continue;
            const MovedPaths *along =
                find_along(loads, scratch, i, move, amount % shape->sizes[i] + in, diag);
            if (!along)
                return *failed = true;
            for (int out = 0; out < 2; out++) {
                const PlainList joined = plain_join(scratch, &before[in], along->kept[out]);
                for (size_t j = 0; j < joined.count; j++)
                    plain_push(scratch, &after[out], &joined.items[j]);
            }
        }
        for (int out = 0; out < 2; out++) {
            plain_keep_highest(&after[out]);
            before[out] = after[out];
        }
    }
    for (size_t j = 0; j < before[1].count; j++)
        plain_push(scratch, &before[0], &before[1].items[j]);
    plain_keep_highest(&before[0]);
    for (size_t j = 0; j < before[0].count; j++) {
        PlainCost *cost = &before[0].items[j];
        cost->own = messages->blocks;
        cost->most.blocks = cost->most.messages * messages->blocks;
    }
    return plain_paths(context, scratch, &before[0], slowest);
}

enum { MOST_ROUTE_WORK = 1 << 29 }; /* of a schedule: some seconds */

/* Cut-through: the port step is as long as its slowest message. */
static void enter_messages(Arena *arena, PortStep *step, const PathList *paths)
{
    PathList list = {0};
    for (size_t i = 0; i < paths->count; i++)
        paths_push_slower(arena, &list, &paths->items[i]);
    step->entries = ARENA_NEW(arena, PathRange);
    step->entry_paths = ARENA_ROOM(arena, PathCost, list.count);
    step->path_count = step->entry_count = 0;
    port_step_enter(step, &list);
}

/* Crossings by slot: those of slot s are order[starts[s] ..], up to the next slot; with cut-through
   all are in one. */
typedef struct {
    const Crossings *crossings;
    size_t count, *starts, *order;
    PathCost *costs; /* of crossings by themselves, with store-and-forward; else NULL */
} SlotOrder;

static SlotOrder order_slots(const LoadContext *context, Arena *arena, const Crossings *crossings)
{
    const bool forwards = context_forwards(context);
    size_t slots = 1;
    for (size_t i = 0; i < crossings->count && forwards; i++)
        slots = (size_t)crossings->slot[i] >= slots ? (size_t)crossings->slot[i] + 1 : slots;
    SlotOrder order = {crossings, slots, ARENA_ARRAY(arena, size_t, slots + 2),
                       ARENA_ROOM(arena, size_t, crossings->count),
                       forwards ? ARENA_ROOM(arena, PathCost, crossings->count) : NULL};
    for (size_t i = 0; i < crossings->count; i++)
        order.starts[forwards ? crossings->slot[i] + 2 : 2]++;
    for (size_t s = 2; s < slots + 2; s++)
        order.starts[s] += order.starts[s - 1];
    for (size_t i = 0; i < crossings->count; i++)
        order.order[order.starts[forwards ? crossings->slot[i] + 1 : 1]++] = i;
    return order;
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
                        const SlotOrder *slots, const Together *together)
{
    const Crossings *crossings = slots->crossings;
    PathList startups = list_startups(context, arena, step), list = {0}, latencies = {0};
    const size_t room = crossings->count + startups.count;
    step->entries = ARENA_ROOM(arena, PathRange, 2 * slots->count + 1);
    step->entry_paths = ARENA_ROOM(arena, PathCost, together ? 2 * (room + 2 * step->count) : room);
    PathCost first = {0};
    if (startups.count == 1)
        first = startups.items[0];
    else if (startups.count > 1)
        port_step_enter(step, &startups);
    first.startup += together ? together->waits[0].startup : 0;
    for (size_t s = 0; s < slots->count; s++) {
        for (size_t n = slots->starts[s]; n < slots->starts[s + 1]; n++) {
            const size_t i = slots->order[n];
            PathCost path = slots->costs[i];
            if (crossings->class[i] >= context->network->class_count)
                continue; /* a node counts with the link in front of it */
            if (context->rules->switching == SWITCHING_STARTUPS)
                path_add_startup(&path, &context->link_costs[crossings->class[i]]);
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
            posting_share_slot(together, arena, s, &list);
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
        if (journeys[i].highest->level > (*first)->highest->level)
            (*first)->highest = journeys[i].highest;
        journeys[i].highest = (*first)->highest;
        byte_prices_join(&journeys[i].path.choice.alone, &(*first)->path.choice.alone);
    }
}

/* Follows the links of all messages, and keeps what each costs where there is room for it. */
static bool cross_all(const Crossings *crossings, PortStep *step, const LinkLoad *loads,
                      Journey *journeys, PathCost *costs)
{
    for (size_t m = 0; m < step->count; m++) {
        const LoadContext *context = journeys[m].context;
        const int64_t own = journeys[m].own;
        PathCost cost, *of_link = &cost;
        for (size_t i = crossings->starts[m]; i < crossings->starts[m + 1]; i++) {
            const bool is_node = crossings->class[i] >= context->network->class_count;
            const int64_t load = load_counted(context->rules, &loads[i], own);
            of_link = costs && !is_node ? &costs[i] : of_link;
            if (!journey_cross(&journeys[m], crossings->class[i], &loads[i], of_link))
                return false;
            if (is_node)
                continue;
            path_set_message(context, of_link, own);
            if (load > step->load_blocks[m])
                step->load_blocks[m] = load;
            if (loads[i].messages > step->load_messages[m])
                step->load_messages[m] = loads[i].messages;
        }
    }
    return true;
}

/* Of each message, at the level whose startup it pays: its gap, and the overhead at this end; in
   order negative where no gap is given. */
static double *list_spacings(const LoadContext *context, Arena *arena, const PortStep *step,
                             const Journey *journeys, bool receives)
{
    const bool is_kept = step->together && posting_keeps_spacing(context);
    double *spacings = ARENA_ARRAY(arena, double, step->count);
    for (size_t i = 0; i < step->count; i++) {
        if (!journeys[i].highest)
            continue;
        const Delay *delays = journeys[i].highest->delays;
        spacings[i] = is_kept ? 1 : delays_spacing(delays, receives);
        if (!step->together && !delays[DELAY_GAP].is_given)
            spacings[i] = -1;
    }
    return spacings;
}

/* With one port, and a link for every pair, no two messages of a port step meet. */
static void load_own_links(const LoadContext *context, Arena *arena, PortStep *step)
{
    PathList paths = {0};
    if (context->each) {
        start_port_step(arena, step);
        step->hops = ARENA_ROOM(arena, int64_t, step->count);
        ARRAY_RESERVE(arena, &paths, step->count);
    }
    for (size_t i = 0; i < step->count; i++) {
        int64_t own = message_blocks(step, i);
        PathCost path = {.startups = 1, .hops = 1, .load = own, .lanes = 1};
        path_set_message(context, &path, own);
        if (path.choice.rules && context->rules->select_fastest)
            path.choice.alone.listed = 1 | PATH_STARTS_BY_MACHINE;
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

static bool loads_are_apart(const LoadContext *context)
{
    const LinkCost *link_cost = &context->link_costs[0];
    bool plain = !link_cost->own[PARAMETER_TS] && !link_cost->own[PARAMETER_TH] &&
                 !link_cost->own[PARAMETER_TW];
    return context->network->topology->direct && plain && context->ports == 1 &&
           context->rules->duplex == DUPLEX_FULL && !rules_have_exchanges(context->rules);
}

static bool report_lanes(const LoadContext *context, Diag *diag)
{
    return diag_limit(diag, NOWHERE,
                      "the lanes on the paths of %s have no common multiple that fits",
                      context->network->name);
}

/* Which messages pass others between the same two ranks on the way back? */
static void mark_exchanged(int64_t p, Arena *arena, const PortStep *step, Journey *journeys)
{
    PlaceTable ways = {0};
    for (size_t n = 0; n < 2 * step->count; n++) {
        const size_t i = n % step->count;
        const bool is_back = n >= step->count;
        const int64_t from = is_back ? step->to[i] : step->from[i];
        const int64_t to = is_back ? step->from[i] : step->to[i];
        /* by the sender, or the rank that stands for it, and how many ranks further it goes */
        const uint64_t way = (uint64_t)(from % step->ranks * p + (to - from + p) % p);
        if (is_back)
            journeys[i].is_exchanged = place_table_get(&ways, way) == 0;
        else
            *place_table_find(arena, &ways, way) = 0;
    }
}

/* Each message by itself, and what follows for the port step. */
static bool cost_each(const LoadContext *context, Arena *arena, LinkLoads *loads, PortStep *step,
                      Diag *diag)
{
    Crossings crossings;
    PathList paths = {0};
    Together together;
    const MessageEnds ends = {step->count, step->from, step->to};
    if (!routes_cross(&loads->routes, arena, &ends, &crossings, diag))
        return false;
    const SlotOrder slots = order_slots(context, arena, &crossings);
    const bool *repeats = step->bundles ? merging_repeats(arena, context->merging, step->bundles,
                                                          step->from, &crossings)
                                        : NULL;
    LinkLoad *at = ARENA_ROOM(arena, LinkLoad, crossings.count);
    PathCost *costs = slots.costs;
    Journey *journeys = ARENA_ROOM(arena, Journey, step->count);
    start_port_step(arena, step);
    step->hops = crossings.hops;
    for (size_t s = 0; s < slots.count; s++)
        link_loads_at(loads, step, &crossings, slots.order + slots.starts[s],
                      slots.starts[s + 1] - slots.starts[s], repeats, at);
    const int64_t devices = context->network->p / shape_node_count(&context->network->shape);
    for (size_t i = 0; i < step->count; i++) {
        journeys[i] = journey_begin(context, arena, message_blocks(step, i));
        journeys[i].lanes = step->lanes;
        journeys[i].merged = step->bundles && step->bundles[i] >= 0 ? devices : 0;
    }
    if (rules_have_exchanges(context->rules))
        mark_exchanged(context->network->p, arena, step, journeys);
    if (!cross_all(&crossings, step, at, journeys, costs))
        return report_lanes(context, diag);
    if (repeats) {
        /* What switches have combined, no rank does. */
        for (size_t m = 0; m < step->count; m++)
            if (step->bundles[m] >= 0 && bundle_arrives(step->bundles, m) &&
                crossings.starts[m] < crossings.starts[m + 1] &&
                repeats[crossings.starts[m + 1] - 1])
                step->combines[m] = 0;
    }
    join_bundles(arena, step, journeys);
    for (size_t i = 0; i < step->count; i++)
        step->ranges[i] = journey_end(&journeys[i], arena, &paths);
    step->paths = paths.items;
    /* a crossing has the protocol of the whole message */
    for (size_t i = 0; costs && paths.count && i < crossings.count; i++) {
        const PathCost *whole = &step->paths[step->ranges[crossings.message[i]].first];
        costs[i].choice = whole->choice, costs[i].exchange = whole->exchange;
    }
    if (step->together) {
        const double *const spacings[2] = {list_spacings(context, arena, step, journeys, false),
                                           list_spacings(context, arena, step, journeys, true)};
        together = posting_prepare(context, arena, &crossings, step, spacings);
    }
    if (costs)
        enter_slots(context, arena, step, &slots, step->together ? &together : NULL);
    else if (step->together)
        posting_enter(&together, arena, step, &paths);
    else if (step->overlaps)
        posting_enter_in_order(arena, step, &paths,
                               list_spacings(context, arena, step, journeys, false));
    else
        enter_messages(arena, step, &paths);
    if (step->together && costs)
        posting_list_messages(&together, arena, step);
    return true;
}

/* The slowest messages alone. */
static bool cost_slowest(const LoadContext *context, Arena *arena, LinkLoads *loads, PortStep *step,
                         Diag *diag)
{
    PathList slowest = {0};
    int32_t *found = ARENA_ROOM(arena, int32_t, step->count);
    const MessageEnds ends = {step->count, step->from, step->to};
    if (!routes_find(&loads->routes, arena, &ends, found, diag))
        return false;
    link_loads_add(loads, step, found);
    if (!link_loads_slowest(loads, context, arena, &slowest))
        return report_lanes(context, diag);
    enter_messages(arena, step, &slowest);
    return true;
}

/* Do all ranks send alike? */
static bool moves_alike(const PortStep *step, int64_t p, AlikeMessages *messages)
{
    if (step->by == 1 && step->count == 1) {
        const int64_t ahead = (step->transfers[0]->to - step->transfers[0]->from + p) % p;
        *messages = (AlikeMessages){MOVE_ROUND, ahead, message_blocks(step, 0)};
        return true;
    }
    const MessageRun *run = step->runs;
    if (step->run_count != 1 || !run->mask || run->slope || run->from.count != p)
        return false;
    *messages = (AlikeMessages){MOVE_BITS, run->mask, step->is_empty ? 0 : run->blocks};
    return true;
}

/* Messages one by one: those of runs; where some stand for all, with those of as many ranks more as
   the network turns by; else those of the transfers. */
static PortStep list_messages(const LinkLoads *loads, int64_t p, Arena *arena, const PortStep *step)
{
    const size_t copies = step->by ? (size_t)(loads->turn.by / step->by) : 1;
    size_t count = step->count * copies, i = 0;
    for (size_t r = 0; r < step->run_count; r++)
        count += (size_t)step->runs[r].from.count;
    int64_t *from = ARENA_ROOM(arena, int64_t, count), *to = ARENA_ROOM(arena, int64_t, count);
    int64_t *sizes =
        copies == 1 && !step->run_count ? step->sizes : ARENA_ROOM(arena, int64_t, count);
    for (size_t r = 0; r < step->run_count; r++)
        for (int64_t n = 0; n < step->runs[r].from.count; n++, i++) {
            from[i] = run_sender(&step->runs[r], n);
            to[i] = run_receiver(&step->runs[r], n);
            sizes[i] = run_blocks(&step->runs[r], n);
        }
    for (; i < count; i++) {
        const ScheduledTransfer *transfer = step->transfers[i / copies];
        const int64_t behind = (int64_t)(i % copies) * step->by;
        from[i] = transfer->from + behind;
        to[i] = transfer->to + behind < p ? transfer->to + behind : transfer->to + behind - p;
        sizes[i] = step->sizes[i / copies];
    }
    PortStep all = *step;
    all.count = count, all.from = from, all.to = to, all.sizes = sizes;
    all.ranks = step->by ? loads->turn.by : p;
    return all;
}

static bool cost_messages(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag)
{
    const bool is_alone = !step->together && !step->overlaps && !step->bundles &&
                          !rules_have_exchanges(context->rules);
    const bool wants_each = !is_alone || context->each || context_forwards(context);
    const int64_t p = context->network->p;
    PathList slowest = {0};
    AlikeMessages alike;
    bool failed = false;
    if (!step->together && !step->overlaps && loads_are_apart(context)) {
        /* No two messages meet, so that the largest of each run says what it costs. */
        PortStep largest = *step;
        if (step->run_count) {
            largest.count = step->run_count;
            largest.sizes = ARENA_ROOM(arena, int64_t, largest.count);
        }
        for (size_t i = 0; i < step->run_count; i++) {
            const MessageRun *run = &step->runs[i];
            largest.sizes[i] = run_blocks(run, run->slope > 0 ? run->from.count - 1 : 0);
        }
        load_own_links(context, arena, &largest);
        largest.count = step->count, largest.sizes = step->sizes;
        *step = largest;
        return true;
    }
    if (!wants_each && moves_alike(step, p, &alike) &&
        axes_slowest(context, arena, &alike, &slowest, &failed, diag)) {
        if (!failed)
            enter_messages(arena, step, &slowest);
        return !failed;
    }
    LinkLoads *loads = link_loads_open(context, step->by);
    const size_t work = loads->routes.work;
    PortStep all = list_messages(loads, p, arena, step);
    if (!(wants_each ? cost_each(context, arena, loads, &all, diag)
                     : cost_slowest(context, arena, loads, &all, diag)))
        return false;
    all.count = step->count, all.sizes = step->sizes;
    *step = all;
    if (context->route_work &&
        (*context->route_work += loads->routes.work - work) > MOST_ROUTE_WORK) {
        routes_forget(&loads->routes); /* or who asks again would have less to do */
        return diag_limit(diag, NOWHERE, "the messages of this schedule cross too many links of %s",
                          context->network->name);
    }
    return true;
}

bool runs_have_cost(const LoadContext *context)
{
    if (context_forwards(context) || context->node_capacities || context->each ||
        rules_have_exchanges(context->rules))
        return false;
    return context->network->router ? links_are_plain(context)
                                    : loads_are_apart(context) && !context->rules->protocols;
}

bool port_step_route(const LoadContext *context, Arena *arena, PortStep *step, Diag *diag)
{
    PortStepMemo *memo = context->memo;
    const bool may_recall =
        !context->each && !context->network->topology->direct && !step->overlaps && !step->bundles;
    if (may_recall && memo_recall(memo, step))
        return true;
    if (!cost_messages(context, arena, step, diag))
        return false;
    if (may_recall)
        memo_keep(memo, step);
    return true;
}
