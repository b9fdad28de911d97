#include "cost/journey.h"

#include "base/whole.h"

#include <math.h>

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

void path_set_message(const LoadContext *context, PathCost *path, int64_t blocks)
{
    const VariedLinkCost *varied = &context->rules->varied;
    path->factor = varied->level.length ? &varied->factor : NULL;
    path->choice.rules = context->rules->protocols ? context->rules : NULL;
    path->choice.message = path->choice.rules ? blocks : 0;
    path->choice.only = context->only_protocol;
}

void path_add_startup(PathCost *path, const LinkCost *link_cost)
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

Journey journey_begin(const LoadContext *context, Arena *arena, int64_t blocks)
{
    const Rules *rules = context->rules;
    Journey journey = {.context = context, .own = blocks, .path = {.lanes = 1}};
    path_set_message(context, &journey.path, blocks);
    if (rules_have_lists(rules))
        journey.listed = ARENA_ARRAY(arena, ListedLoad, (size_t)rules->level_count + 1);
    return journey;
}

/* Cut-through takes the largest load of all links; store-and-forward one after the other. */
static bool add_link(Journey *journey, const LinkCost *link_cost, const PathCost *crossing)
{
    const LoadContext *context = journey->context;
    PathCost *path = &journey->path;
    path->hops += crossing->hops;
    path->hop += crossing->hop;
    path->varied += crossing->varied;
    if (!journey->highest || link_cost->level > journey->highest->level)
        journey->highest = link_cost;
    if (path->choice.rules && context->rules->select_fastest)
        link_cost_weigh(link_cost, &path->choice.alone);
    if (context->rules->switching == SWITCHING_STARTUPS)
        path_add_startup(path, link_cost);
    if (link_cost->listed[PARAMETER_TW]) {
        ListedLoad *listed = &journey->listed[link_cost->list];
        const PathCost before = {.load = listed->load, .lanes = listed->lanes};
        if (listed->lanes == 0 || path_compare_loads(crossing, &before) > 0)
            *listed = (ListedLoad){crossing->load, crossing->lanes};
        return true;
    }
    if (context_forwards(context)) {
        path->rate += crossing->rate;
        path->varied_rate += crossing->varied_rate;
        /* False where the fraction needs more than 64 bits. */
        int64_t left, right, lanes, load,
            divisor = whole_common_divisor(path->lanes, crossing->lanes);
        if (__builtin_mul_overflow(path->load, crossing->lanes / divisor, &left) ||
            __builtin_mul_overflow(crossing->load, path->lanes / divisor, &right) ||
            __builtin_mul_overflow(path->lanes, crossing->lanes / divisor, &lanes) ||
            __builtin_add_overflow(left, right, &load))
            return false;
        path->load = load, path->lanes = lanes;
        return true;
    }
    if (path_compare_loads(crossing, path) > 0)
        path->load = crossing->load, path->lanes = crossing->lanes;
    if (crossing->rate > journey->rate)
        journey->rate = crossing->rate;
    if (crossing->varied_rate > journey->varied_rate)
        journey->varied_rate = crossing->varied_rate;
    return true;
}

/* A message passes a node: a link that all share. With store-and-forward it goes through behind the
   link on which it arrives. */
static void cross_node(Journey *journey, size_t class, const LinkLoad *node, PathCost *crossing)
{
    const LoadContext *context = journey->context;
    const NodeCapacities *nodes = context->node_capacities;
    const int level = node_class_level(context->network, class);
    const bool varies = level == nodes->varied;
    const int64_t alone = context->rules->contention == CONTENTION_NONE
                              ? journey->own * node_class_weight(context->network, nodes, class)
                              : journey->own;
    const double rate = (double)load_counted(context->rules, node, alone) / nodes->of_levels[level];
    double *most = varies ? &journey->varied_rate : &journey->rate;
    if (!context_forwards(context)) {
        *most = fmax(*most, rate);
        return;
    }
    *(varies ? &journey->path.varied_rate : &journey->path.rate) += rate;
    *(varies ? &crossing->varied_rate : &crossing->rate) += rate;
}

bool journey_cross(Journey *journey, size_t class, const LinkLoad *load, PathCost *crossing)
{
    const LoadContext *context = journey->context;
    const int64_t own = journey->own;
    if (class >= context->network->class_count) {
        cross_node(journey, class, load, crossing);
        return true;
    }
    const LinkCost *link_cost = &context->link_costs[class];
    int64_t counted = load_counted(context->rules, load, own);
    if (link_cost->level == context_lowest_level(context) && journey->lanes * own > counted)
        counted = journey->lanes * own;
    *crossing = crossing_cost(link_cost, own, counted);
    if (journey->merged && link_cost->merging > 0) {
        /* Through switches that copy and combine the own part of a rank goes too, so that n parts
           become n + 1, with a share of the bandwidth of links. */
        const int64_t thousand = 1000, part = (int64_t)round((double)thousand * link_cost->merging);
        crossing->load *= (journey->merged + 1) * thousand;
        crossing->lanes *= journey->merged * part;
        crossing->rate *=
            (double)(journey->merged + 1) / (double)journey->merged / link_cost->merging;
    }
    return add_link(journey, link_cost, crossing);
}

PathRange journey_end(const Journey *journey, Arena *arena, PathList *paths)
{
    const LoadContext *context = journey->context;
    PathCost path = journey->path;
    PathRange ranges = {paths->count, 0};
    const LinkCost *highest = journey->highest;
    if (path.choice.rules && highest) {
        /* The list of the highest level counts, if it has one. */
        path.choice.list = highest->list;
        if (journey->lanes && context->rules->select_fastest &&
            highest->level == context_lowest_level(context))
            path.choice.message *= journey->lanes; /* it has but one of them */
        if (context->rules->select_fastest && !highest->own[PARAMETER_TS])
            path.choice.alone.listed |= PATH_STARTS_BY_MACHINE;
    }
    if (highest && context->rules->switching != SWITCHING_STARTUPS)
        path_add_startup(&path, highest);
    if (highest && journey->is_exchanged)
        path.exchange = highest->exchange;
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
