#include "cost/sharing.h"

#include <math.h>

/* Rates that differ by less than this share are the same. */
static const double same_rate = 1e-12;
/* What is left of a load after so many digits have gone is summed up anew. */
static const double lost_digits = 1e-6;

Filling filling_create(Arena *arena, size_t resource_count, const double *lanes)
{
    Filling filling = {.arena = arena,
                       .resources = ARENA_ARRAY(arena, SharedResource, resource_count)};
    for (size_t r = 0; r < resource_count; r++)
        filling.resources[r].lanes = lanes[r];
    return filling;
}

static void touch(Filling *filling, const FlowDemand *demand)
{
    for (size_t u = 0; u < demand->count; u++)
        *ARRAY_PUSH(filling->arena, &filling->touched) = demand->uses[u].resource;
}

int32_t filling_start(Filling *filling, const FlowDemand *demand, int32_t owner, Instant bytes,
                      Instant now)
{
    int32_t number = (int32_t)filling->flows.count;
    if (filling->free.count)
        number = filling->free.items[--filling->free.count];
    else
        *ARRAY_PUSH(filling->arena, &filling->flows) = (SharedFlow){0};
    SharedFlow *flow = &filling->flows.items[number];
    *flow = (SharedFlow){.demand = demand,
                         .owner = owner,
                         .left = bytes,
                         .since = now,
                         .generation = flow->generation};
    for (size_t u = 0; u < demand->count; u++)
        *ARRAY_PUSH(filling->arena, &filling->resources[demand->uses[u].resource].flows) =
            (SharedFlowEntry){number, flow->generation};
    touch(filling, demand);
    return number;
}

void filling_end(Filling *filling, int32_t number)
{
    SharedFlow *flow = &filling->flows.items[number];
    touch(filling, flow->demand);
    flow->demand = NULL;
    flow->generation++;
    *ARRAY_PUSH(filling->arena, &filling->free) = number;
}

static void join_resource(Filling *filling, int32_t number)
{
    SharedResource *resource = &filling->resources[number];
    if (resource->stamp == filling->stamp)
        return;
    resource->stamp = filling->stamp;
    resource->room = resource->lanes;
    *ARRAY_PUSH(filling->arena, &filling->joined_resources) = number;
}

/* Its flows, without those that ended. */
static void join_flows(Filling *filling, int32_t number)
{
    SharedFlowEntries *flows = &filling->resources[number].flows;
    size_t kept = 0;
    for (size_t i = 0; i < flows->count; i++) {
        const SharedFlowEntry entry = flows->items[i];
        SharedFlow *flow = &filling->flows.items[entry.flow];
        if (!flow->demand || flow->generation != entry.generation)
            continue;
        flows->items[kept++] = entry;
        if (flow->stamp == filling->stamp)
            continue;
        flow->stamp = filling->stamp;
        *ARRAY_PUSH(filling->arena, &filling->joined) = entry.flow;
        for (size_t u = 0; u < flow->demand->count; u++)
            join_resource(filling, flow->demand->uses[u].resource);
    }
    flows->count = kept;
}

/* What the flows that are not settled take of each resource. */
static void count_loads(Filling *filling)
{
    for (size_t i = 0; i < filling->joined_resources.count; i++) {
        SharedResource *resource = &filling->resources[filling->joined_resources.items[i]];
        resource->load = 0, resource->unsettled = 0;
    }
    for (size_t i = 0; i < filling->joined.count; i++) {
        const FlowDemand *demand = filling->flows.items[filling->joined.items[i]].demand;
        for (size_t u = 0; u < demand->count; u++) {
            SharedResource *resource = &filling->resources[demand->uses[u].resource];
            resource->load += demand->uses[u].price;
            resource->counted = resource->load;
            resource->unsettled++;
        }
    }
}

/* How far the rates of all that are not settled can grow. */
static double next_level(Filling *filling)
{
    double level = INFINITY;
    size_t kept = 0;
    for (size_t i = 0; i < filling->joined_resources.count; i++) {
        const int32_t number = filling->joined_resources.items[i];
        const SharedResource *resource = &filling->resources[number];
        if (resource->unsettled == 0)
            continue;
        filling->joined_resources.items[kept++] = number;
        level = fmin(level, resource->room / resource->load);
    }
    filling->joined_resources.count = kept;
    for (size_t i = 0; i < filling->joined.count; i++)
        level = fmin(level, filling->flows.items[filling->joined.items[i]].demand->alone);
    return level;
}

static void set_rate(Filling *filling, int32_t number, double rate, Instant now)
{
    SharedFlow *flow = &filling->flows.items[number];
    if (fabs(rate - flow->rate) <= same_rate * rate)
        return;
    flow->left.at = fmax(0, flow->left.at - flow->rate * (now.at - flow->since.at));
    flow->left.rise -= flow->rate * (now.rise - flow->since.rise);
    flow->since = now;
    flow->rate = rate;
    flow->finish = (Instant){now.at + flow->left.at / rate, now.rise + flow->left.rise / rate};
    *ARRAY_PUSH(filling->arena, &filling->changed) = number;
}

/* Has so much of a load gone that rounding may have taken what is left of it? */
static bool take(Filling *filling, const FlowDemand *demand, double rate)
{
    bool is_lost = false;
    for (size_t u = 0; u < demand->count; u++) {
        SharedResource *resource = &filling->resources[demand->uses[u].resource];
        resource->room = fmax(0, resource->room - rate * demand->uses[u].price);
        resource->load -= demand->uses[u].price;
        resource->unsettled--;
        is_lost |= resource->unsettled && resource->load < lost_digits * resource->counted;
    }
    return is_lost;
}

void filling_settle(Filling *filling, Instant now)
{
    /* All flows and resources that are joined with those that changed. */
    filling->stamp++;
    filling->joined.count = filling->joined_resources.count = filling->changed.count = 0;
    for (size_t i = 0; i < filling->touched.count; i++)
        join_resource(filling, filling->touched.items[i]);
    for (size_t i = 0; i < filling->joined_resources.count; i++)
        join_flows(filling, filling->joined_resources.items[i]);
    filling->touched.count = 0;
    count_loads(filling);
    while (filling->joined.count) {
        const double level = next_level(filling), reach = level * (1 + same_rate);
        size_t kept = 0;
        bool is_lost = false;
        filling->settled.count = 0;
        for (size_t i = 0; i < filling->joined.count; i++) {
            const int32_t number = filling->joined.items[i];
            const FlowDemand *demand = filling->flows.items[number].demand;
            bool is_full = demand->alone <= reach;
            for (size_t u = 0; u < demand->count && !is_full; u++) {
                const SharedResource *resource = &filling->resources[demand->uses[u].resource];
                is_full = resource->room <= reach * resource->load;
            }
            if (is_full)
                *ARRAY_PUSH(filling->arena, &filling->settled) = number;
            else
                filling->joined.items[kept++] = number;
        }
        filling->joined.count = kept;
        for (size_t i = 0; i < filling->settled.count; i++) {
            set_rate(filling, filling->settled.items[i], level, now);
            is_lost |= take(filling, filling->flows.items[filling->settled.items[i]].demand, level);
        }
        if (is_lost)
            count_loads(filling);
    }
}

Sharing *sharing_copy(Arena *arena, const Sharing *sharing)
{
    Sharing *copy = ARENA_NEW(arena, Sharing);
    *copy = (Sharing){.rules = sharing->rules};
    ARRAY_COPY(arena, &copy->messages, &sharing->messages);
    ARRAY_COPY(arena, &copy->routes, &sharing->routes);
    ARRAY_COPY(arena, &copy->crossings, &sharing->crossings);
    ARRAY_COPY(arena, &copy->lanes, &sharing->lanes);
    ARRAY_COPY(arena, &copy->keys, &sharing->keys);
    return copy;
}

const FlowDemand *sharing_demand(const Sharing *sharing, Arena *arena, int32_t route, int protocol,
                                 const double *parameters)
{
    const CrossingRange *range = &sharing->routes.items[route];
    ResourceUse *uses = ARENA_ROOM(arena, ResourceUse, range->count);
    FlowDemand *demand = ARENA_NEW(arena, FlowDemand);
    *demand = (FlowDemand){.uses = uses, .alone = INFINITY};
    for (size_t i = range->first; i < range->first + range->count; i++) {
        const SharedCrossing *crossing = &sharing->crossings.items[i];
        double listed = 0, varied = 0;
        for (uint64_t left = crossing->price.listed; left; left &= left - 1) {
            const int list = __builtin_ctzll(left);
            const double tw =
                protocol < 0 && list == 0
                    ? parameters[PARAMETER_TW]
                    : protocol_price(sharing->rules, list, protocol, PARAMETER_TW, parameters);
            listed = fmax(listed, tw);
        }
        if (crossing->price.varied_rate > 0)
            varied = crossing->price.varied_rate * sharing->rules->varied.factor;
        const double price =
            fmax((double)crossing->times * listed, fmax(crossing->price.rate, varied));
        if (!(price > 0))
            continue;
        uses[demand->count++] = (ResourceUse){crossing->resource, price};
        const double lanes =
            fmin((double)crossing->times, sharing->lanes.items[crossing->resource]);
        if (crossing->is_link)
            demand->alone = fmin(demand->alone, lanes / price);
    }
    return demand;
}
