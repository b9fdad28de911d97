#include "cost/derive_posting.h"

#include "cost/port_steps.h"

#include <math.h>

PathCost path_latency(const PathCost *path)
{
    PathCost latency = *path;
    latency.load = 0, latency.lanes = 1;
    latency.rate = latency.varied_rate = 0;
    latency.exchange = NULL;
    latency.shares = NULL;
    return latency;
}

PathCost path_transfer(const PathCost *path)
{
    PathCost transfer = *path;
    transfer.startups = transfer.list_startups = transfer.hops = 0;
    transfer.startup = transfer.hop = transfer.varied = 0;
    return transfer;
}

void path_add_latency(PathCost *path, const PathCost *latency)
{
    path->startups += latency->startups;
    path->list_startups += latency->list_startups;
    path->startup += latency->startup;
    path->hops += latency->hops;
    path->hop += latency->hop;
    path->varied += latency->varied;
    for (int x = 0; x < COUNTED_DELAYS; x++)
        path->posts[x] += latency->posts[x];
    path->spacing = path->spacing ? path->spacing : latency->spacing;
}

/* With store-and-forward, by first and last links; else by all that the message crosses, of its
   whole bundle where that shares the port. */
static void weigh(const LoadContext *context, Arena *arena, const PortStep *step,
                  const Crossings *crossings, BytePrice *prices[2])
{
    const bool forwards = context_forwards(context);
    BytePrice *of_bundles = ARENA_ARRAY(arena, BytePrice, MERGING_COUNT * step->bundle_count);
    for (int receives = 0; receives < 2; receives++) {
        BytePrice *at_end = prices[receives] = ARENA_ARRAY(arena, BytePrice, step->count);
        for (size_t i = 0; i < crossings->count; i++) {
            const int32_t message = crossings->message[i];
            const int64_t end = receives ? crossings->hops[message] - 1 : 0;
            const size_t class = crossings->class[i];
            if (class < context->network->class_count && (!forwards || crossings->slot[i] == end))
                link_cost_weigh(&context->link_costs[class], &at_end[message]);
        }
        for (size_t n = 0; step->bundles && n < 2 * step->count; n++)
            if (shares_port(step, n % step->count, receives))
                byte_prices_join(&at_end[n % step->count],
                                 &of_bundles[step->bundles[n % step->count]]);
    }
}

static int64_t end_of(const PortStep *step, size_t message, bool receives)
{
    return (receives ? step->to : step->from)[message] % step->ranks;
}

/* The longest that a rank waits for its last message, and each message. */
static double find_delay(Arena *arena, const PortStep *step, bool receives, const double *spacings,
                         double *delays)
{
    double latest = 0;
    bool *met = ARENA_ARRAY(arena, bool, MERGING_COUNT * step->bundle_count);
    double *sums = ARENA_ARRAY(arena, double, (size_t)step->ranks);
    double *least = ARENA_ROOM(arena, double, (size_t)step->ranks);
    for (int64_t r = 0; r < step->ranks; r++)
        least[r] = INFINITY;
    for (size_t i = 0; i < step->count; i++) {
        int64_t rank = end_of(step, i, receives);
        delays[i] = fmax(delays[i], sums[rank]);
        if (joins_port(step, i, receives, met))
            continue;
        sums[rank] += spacings[i];
        least[rank] = fmin(least[rank], spacings[i]);
    }
    for (int64_t r = 0; r < step->ranks; r++)
        if (sums[r] > 0)
            latest = fmax(latest, sums[r] - least[r]);
    return latest;
}

/* What a port passes, as a load and rates where these add up. */
static PathCost sum_shares(const LoadContext *context, PortShare *shares)
{
    const VariedLinkCost *varied = &context->rules->varied;
    PathCost path = {.lanes = 1,
                     .factor = varied->level.length ? &varied->factor : NULL,
                     .choice.rules = context->rules->protocols ? context->rules : NULL};
    bool adds_up = !path.choice.rules || !shares->next;
    for (const PortShare *share = shares; share; share = share->next) {
        /* Does one of them decide, whatever the machine is? */
        const int rates = __builtin_popcountll(share->price.listed) + (share->price.rate > 0) +
                          (share->price.varied_rate > 0);
        adds_up &= rates <= 1;
    }
    if (!adds_up) {
        path.shares = shares;
        return path;
    }
    path.choice = shares->choice;
    path.priced = shares->price.listed > 1 ? __builtin_ctzll(shares->price.listed) : 0;
    for (const PortShare *share = shares; share; share = share->next) {
        double counted = (double)share->blocks / (double)share->lanes;
        path.load += share->price.listed ? share->blocks : 0;
        path.rate += counted * share->price.rate;
        path.varied_rate += counted * share->price.varied_rate;
    }
    if (path.load)
        path.lanes = shares->lanes;
    return path;
}

int64_t posting_ports(const Together *together, int64_t rank, bool receives)
{
    const LoadContext *context = together->context;
    if (context->ports || together->by_level)
        return together->by_level ? 1 : context->ports;
    return receives ? rules_receive_ports(context->rules, context->network, rank)
                    : rules_send_ports(context->rules, context->network, rank);
}

/* What ports pass at one end of the messages: of all, or of those that cross so many links. */
static void share(const Together *together, Arena *arena, bool receives, int64_t hops,
                  PathList *list)
{
    const PortStep *step = together->step;
    PortShare **shares = ARENA_ARRAY(arena, PortShare *, together->port_count);
    bool *met = ARENA_ARRAY(arena, bool, MERGING_COUNT * step->bundle_count);
    for (size_t i = 0; i < step->count; i++) {
        if ((hops && step->hops[i] != hops) || joins_port(step, i, receives, met))
            continue;
        PortShare own = {.blocks = message_blocks(step, i),
                         .lanes = posting_ports(together, end_of(step, i, receives), receives),
                         .price = together->prices[receives][i],
                         .choice = step->paths[step->ranges[i].first].choice};
        /* with such as are like it, if there are any */
        PortShare **all = &shares[together->ports[receives][i]], *like = *all;
        while (like && (choices_compare(&like->choice, &own.choice) != 0 ||
                        byte_prices_compare(&like->price, &own.price) != 0))
            like = like->next;
        own.next = *all;
        if (like)
            like->blocks += own.blocks;
        else
            *all = ARENA_COPY(together->context->kept, PortShare, &own, 1);
    }
    for (size_t port = 0; port < together->port_count; port++) {
        if (!shares[port])
            continue;
        PathCost path = sum_shares(together->context, shares[port]);
        paths_push_slower(arena, list, &path);
        if (together->of_ports[receives])
            together->of_ports[receives][port] = path;
    }
}

void posting_list_messages(const Together *together, Arena *arena, PortStep *step)
{
    PathCost *const *of_ports = together->of_ports;
    const size_t ends = of_ports[0] ? 2 : 0;
    PathList paths = {0};
    for (size_t i = 0; i < step->count; i++) {
        const PathRange own = step->ranges[i];
        step->ranges[i] = (PathRange){paths.count, own.count + ends};
        for (size_t j = 0; j < own.count; j++)
            *ARRAY_PUSH(arena, &paths) = step->paths[own.first + j];
        for (size_t x = 0; x < ends; x++) {
            /* The path of a message with the bytes of another. */
            const PathCost *other = &of_ports[x][together->ports[x][i]];
            PathCost joint = path_latency(&step->paths[own.first]);
            joint.load = other->load, joint.lanes = other->lanes;
            joint.rate = other->rate, joint.varied_rate = other->varied_rate;
            joint.shares = other->shares;
            *ARRAY_PUSH(arena, &paths) = joint;
        }
        for (size_t j = step->ranges[i].first; j < paths.count; j++)
            paths.items[j].startup += together->delays[i];
    }
    step->paths = paths.items;
}

Together posting_hold(const LoadContext *context, Arena *arena, const Crossings *crossings,
                      const PortStep *step)
{
    const Network *network = context->network;
    const bool by_level = port_levels_differ(context->rules, network);
    const size_t ports = by_level ? PORT_LEVELS : 1; /* of a rank */
    Together together = {.context = context,
                         .step = step,
                         .by_level = by_level,
                         .port_count = (size_t)step->ranks * ports};
    weigh(context, arena, step, crossings, together.prices);
    /* Each message holds the port of its rank at its ends, or one of those by level. */
    for (int receives = 0; receives < 2; receives++) {
        together.ports[receives] = ARENA_ROOM(arena, size_t, step->count);
        for (size_t i = 0; i < step->count; i++)
            together.ports[receives][i] = (size_t)end_of(step, i, receives) * ports;
    }
    for (size_t i = 0; i < crossings->count && by_level; i++) {
        const int32_t message = crossings->message[i];
        if (crossings->class[i] >= network->class_count)
            continue;
        const size_t level =
            (size_t)network_level(network, network->classes[crossings->class[i]].level);
        if (crossings->slot[i] == 0)
            together.ports[0][message] += level;
        if (crossings->slot[i] == crossings->hops[message] - 1)
            together.ports[1][message] += level;
    }
    return together;
}

Together posting_prepare(const LoadContext *context, Arena *arena, const Crossings *crossings,
                         const PortStep *step, const double *const spacings[2])
{
    Together together = posting_hold(context, arena, crossings, step);
    const bool keeps = posting_keeps_spacing(context);
    together.delays = ARENA_ARRAY(arena, double, step->count);
    together.wait_count = keeps ? 2 : 1;
    for (int receives = 0; receives < 2; receives++) {
        const double delay = find_delay(arena, step, receives, spacings[receives], together.delays);
        if (keeps) {
            together.waits[receives].posts[receives] = (int32_t)delay;
            together.waits[receives].spacing = context->rules->spacing;
        } else {
            together.waits[0].startup = fmax(together.waits[0].startup, delay);
        }
    }
    return together;
}

bool posting_keeps_spacing(const LoadContext *context)
{
    return !context->each && !context_forwards(context) &&
           rules_count_delays(context->rules, DELAY_OVERHEAD, DELAY_CONTACT);
}

void posting_enter_split(const LoadContext *context, PortStep *step, PathList *latencies,
                         PathList *transfers)
{
    latencies->count = paths_keep_slowest(latencies->items, latencies->count);
    if (latencies->count != 1 || context->rules->protocols) {
        port_step_enter(step, latencies);
        port_step_enter(step, transfers);
        return;
    }
    for (size_t i = 0; i < transfers->count; i++)
        path_add_latency(&transfers->items[i], &latencies->items[0]);
    latencies->count = 0;
    port_step_enter(step, transfers);
}

void posting_enter(Together *together, Arena *arena, PortStep *step, const PathList *paths)
{
    const LoadContext *context = together->context;
    PathList latencies = {0}, transfers = {0};
    for (size_t i = 0; i < paths->count; i++) {
        PathCost transfer = path_transfer(&paths->items[i]);
        /* streams have theirs once in all */
        for (int wait = 0; wait < together->wait_count && !step->lanes; wait++) {
            PathCost latency = path_latency(&paths->items[i]);
            path_add_latency(&latency, &together->waits[wait]);
            paths_push_slower(arena, &latencies, &latency);
        }
        paths_push_slower(arena, &transfers, &transfer);
    }
    for (int receives = 0; receives < 2; receives++) {
        if (context->each)
            together->of_ports[receives] = ARENA_ARRAY(arena, PathCost, together->port_count);
        share(together, arena, receives, 0, &transfers);
    }
    step->entries = ARENA_ROOM(arena, PathRange, 2);
    step->entry_paths = ARENA_ROOM(arena, PathCost, latencies.count + transfers.count);
    posting_enter_split(context, step, &latencies, &transfers);
    if (context->each)
        posting_list_messages(together, arena, step);
}

void posting_share_slot(const Together *together, Arena *arena, size_t s, PathList *transfers)
{
    if (s == 0)
        share(together, arena, false, 0, transfers);
    share(together, arena, true, (int64_t)s + 1, transfers);
}

bool posting_has_gaps(const LoadContext *context)
{
    bool any = false;
    for (size_t i = 0; i < context->network->class_count; i++)
        any |= context->link_costs[i].delays[DELAY_GAP].is_given;
    return any;
}

void posting_enter_in_order(Arena *arena, PortStep *step, const PathList *paths, const double *gaps)
{
    PathList list = {0}, ends = {0};
    bool overlaps = step->is_followed;
    for (size_t i = 0; i < step->count; i++)
        overlaps &= gaps[i] >= 0;
    for (size_t i = 0; i < step->count; i++)
        for (size_t j = step->ranges[i].first; j < step->ranges[i].first + step->ranges[i].count;
             j++) {
            PathCost path = paths->items[j];
            paths_push_slower(arena, &ends, &path);
            if (overlaps && path.choice.rules) {
                path.counts = COUNTS_WHERE_WAITING;
                paths_push_slower(arena, &list, &path);
                path.counts = COUNTS_WHERE_NOT;
            }
            if (overlaps) {
                path = path_transfer(&path);
                path.startup = gaps[i];
            }
            paths_push_slower(arena, &list, &path);
        }
    step->entries = ARENA_ROOM(arena, PathRange, 2);
    step->entry_paths = ARENA_ROOM(arena, PathCost, list.count + ends.count);
    port_step_enter(step, &list);
    port_step_enter(step, &ends);
    step->entry_count = 1;
}
