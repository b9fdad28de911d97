#include "bound/parts.h"

Bounder bounder_open(Arena *arena, const Contract *contract, const Network *network,
                     const Rules *rules)
{
    Bounder bounder = {.arena = arena,
                       .contract = contract,
                       .network = network,
                       .rules = rules,
                       .demand = demand_count(arena, contract),
                       .capacity_graph = capacity_graph_open(arena, network, rules)};
    bounder.paths = required_paths_measure(arena, &bounder.demand, network, NULL);
    return bounder;
}

Bound bound_over(const Bounder *bounder, BoundKind kind, __int128 blocks, __int128 capacity)
{
    double real = (double)blocks / (double)capacity;
    __int128 a = blocks, b = capacity;
    while (b) {
        __int128 rest = a % b;
        a = b, b = rest;
    }
    blocks /= a, capacity /= a;
    bool fits = blocks <= INT64_MAX && capacity <= INT64_MAX;
    Exact coefficient =
        fits ? exact_divide(exact_from_int((int64_t)blocks), exact_from_int((int64_t)capacity))
             : exact_from_double(real);
    return (Bound){kind, coefficient, bounder->capacity_graph.per_link_costs, NULL};
}

const char *bound_show_capacity(const Bounder *bounder, __int128 capacity, const char *thing)
{
    if (bounder->capacity_graph.per_link_costs)
        return quantity_show_bandwidth(bounder->arena, (double)capacity);
    return arena_printf(bounder->arena, "%lld %s%s", (long long)capacity, thing,
                        PLURAL_END(capacity));
}
