#include "cost/node_capacity.h"

/* The lowest level of the links that leave a node. */
static int level_of_node(const Network *network, int64_t node)
{
    if (!network->levels_out)
        return network_level(network, network->classes[0].level);
    return network->levels_out[node] ? __builtin_ctz(network->levels_out[node]) : 0;
}

static const Level *level_numbered(const Rules *rules, const Network *network, int number)
{
    for (int i = 0; i < rules->level_count; i++) {
        const Level *level = &rules->levels[i];
        for (size_t c = 0; c < network->class_count; c++)
            if (network->classes[c].level && text_equals(level->name, network->classes[c].level) &&
                network_level(network, network->classes[c].level) == number)
                return level;
    }
    return NULL;
}

const Level *node_level(const Rules *rules, const Network *network, int64_t node)
{
    return level_numbered(rules, network, level_of_node(network, node));
}

const NodeCapacities *node_capacities_find(Arena *arena, const Rules *rules, const Network *network)
{
    const Level *levels[LIMIT_LEVELS + 1];
    bool any = false;
    for (int number = 0; number <= LIMIT_LEVELS; number++) {
        levels[number] = network->starts ? level_numbered(rules, network, number) : NULL;
        any |= levels[number] && levels[number]->capacity > 0;
    }
    if (!any)
        return NULL;
    size_t count = (size_t)network->node_count;
    double *capacities = ARENA_ARRAY(arena, double, count);
    int64_t *passes = ARENA_ARRAY(arena, int64_t, count);
    double *of_levels = ARENA_ARRAY(arena, double, LIMIT_LEVELS + 1);
    int *of = ARENA_ARRAY(arena, int, count);
    int64_t *passes_of_levels = ARENA_ARRAY(arena, int64_t, LIMIT_LEVELS + 1);
    any = false;
    int varied = -1;
    for (int64_t n = network_first_switch(network); n < network->node_count; n++) {
        const Level *level = levels[of[n] = level_of_node(network, n)];
        if (!level || level->capacity <= 0)
            continue;
        capacities[n] = of_levels[of[n]] = level->capacity;
        if (rules_vary_level(rules, level->name, VARIED_CAPACITY))
            varied = of[n];
        passes[n] = passes_of_levels[of[n]] = level->passes > 1 ? level->passes : 1;
        any = true;
    }
    NodeCapacities *nodes = ARENA_NEW(arena, NodeCapacities);
    *nodes = (NodeCapacities){capacities, of, passes, of_levels, passes_of_levels, varied};
    return any ? nodes : NULL;
}

const int64_t *node_capacities_weigh(const NodeCapacities *nodes, const Network *network,
                                     Arena *arena, const Routes *routes, size_t messages)
{
    int *levels = ARENA_ARRAY(arena, int, network->class_count);
    size_t *starts = ARENA_ARRAY(arena, size_t, messages + 1);
    int *of_links = ARENA_ARRAY(arena, int, routes->link_count); /* by message, in their order */
    int64_t *weights = ARENA_ARRAY(arena, int64_t, routes->link_count);
    for (size_t c = 0; c < network->class_count; c++)
        levels[c] = network_level(network, network->classes[c].level);
    for (size_t m = 0; m < messages; m++)
        starts[m + 1] = starts[m] + (size_t)routes->hops[m];
    for (size_t i = 0; i < routes->link_count; i++)
        of_links[starts[routes->message[i]] + (size_t)routes->slot[i]] =
            levels[routes->classes ? routes->classes[i] : 0];
    for (size_t i = 0; i < routes->link_count; i++) {
        int64_t node = routes->to[i];
        size_t here = starts[routes->message[i]] + (size_t)routes->slot[i];
        if (nodes->capacities[node] <= 0)
            continue;
        bool turns = of_links[here] == nodes->levels[node] &&
                     here + 1 < starts[routes->message[i] + 1] &&
                     of_links[here + 1] == nodes->levels[node];
        weights[i] = turns ? nodes->passes[node] : 1;
    }
    return weights;
}
