#include "cost/sharing.h"

#include <math.h>

Sharing *sharing_copy(Arena *arena, const Sharing *sharing)
{
    Sharing *copy = ARENA_NEW(arena, Sharing);
    *copy = (Sharing){.rules = sharing->rules};
    copy->messages.items =
        ARENA_COPY(arena, SharedMessage, sharing->messages.items, sharing->messages.count);
    copy->messages.count = copy->messages.capacity = sharing->messages.count;
    copy->routes.items =
        ARENA_COPY(arena, CrossingRange, sharing->routes.items, sharing->routes.count);
    copy->routes.count = copy->routes.capacity = sharing->routes.count;
    copy->crossings.items =
        ARENA_COPY(arena, SharedCrossing, sharing->crossings.items, sharing->crossings.count);
    copy->crossings.count = copy->crossings.capacity = sharing->crossings.count;
    copy->lanes.items = ARENA_COPY(arena, double, sharing->lanes.items, sharing->lanes.count);
    copy->lanes.count = copy->lanes.capacity = sharing->lanes.count;
    copy->keys.items = ARENA_COPY(arena, uint64_t, sharing->keys.items, sharing->keys.count);
    copy->keys.count = copy->keys.capacity = sharing->keys.count;
    return copy;
}

static double price_of(const Sharing *sharing, const SharedCrossing *crossing, int protocol,
                       const double *parameters)
{
    double listed = 0, varied = 0;
    for (uint64_t left = crossing->listed; left; left &= left - 1) {
        const int list = __builtin_ctzll(left);
        listed =
            fmax(listed, protocol < 0 && list == 0 ? parameters[PARAMETER_TW]
                                                   : protocol_price(sharing->rules, list, protocol,
                                                                    PARAMETER_TW, parameters));
    }
    if (crossing->varied_rate > 0)
        varied = crossing->varied_rate * sharing->rules->varied.factor;
    return fmax((double)crossing->times * listed, fmax(crossing->rate, varied));
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
        const double price = price_of(sharing, crossing, protocol, parameters);
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
