#include "cost/port_levels.h"

bool port_levels_differ(const Rules *rules, const Network *network)
{
    bool differ = false;
    if (!rules->level_ports || rules->all_ports || !network->levels_out)
        return false;
    for (int64_t r = 0; r < network->p && !differ; r++)
        differ = __builtin_popcount(network->levels_out[r]) > 1 ||
                 __builtin_popcount(network->levels_in[r]) > 1;
    return differ;
}

bool port_levels_find(const Network *network, Arena *arena, const Round *round, PortLevels *levels,
                      Diag *diag)
{
    int *of_class = ARENA_ARRAY(arena, int, network->class_count);
    int64_t *from = ARENA_ROOM(arena, int64_t, round->count);
    int64_t *to = ARENA_ROOM(arena, int64_t, round->count);
    size_t *places = ARENA_ROOM(arena, size_t, round->count), count = 0;
    *levels =
        (PortLevels){ARENA_ARRAY(arena, int, round->count), ARENA_ARRAY(arena, int, round->count)};
    for (size_t t = 0; t < round->count; t++) {
        if (transfer_is_local(&round->transfers[t]))
            continue;
        from[count] = round->transfers[t].from;
        to[count] = round->transfers[t].to;
        places[count++] = t;
    }
    Routes routes;
    if (!network_route(network, arena, count, from, to, &routes, diag))
        return false;
    for (size_t c = 0; c < network->class_count; c++)
        of_class[c] = network_level(network, network->classes[c].level);
    for (size_t i = 0; i < routes.link_count; i++) {
        size_t t = places[routes.message[i]];
        int level = of_class[routes.classes ? routes.classes[i] : 0];
        if (routes.slot[i] == 0)
            levels->out[t] = level;
        if (routes.slot[i] + 1 == routes.hops[routes.message[i]])
            levels->in[t] = level;
    }
    return true;
}
