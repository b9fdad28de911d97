#include "bound/kinds.h"

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

/* A rank without links bounds nothing: what it asks for cannot be had. */
static void try_rank(const Bounder *bounder, int64_t rank, bool enters, Tightest *best)
{
    const Demand *demand = &bounder->demand;
    const CapacityGraph *capacity_graph = &bounder->capacity_graph;
    Tightest here = {rank, enters, per_rank(enters ? &demand->entering : &demand->leaving, rank),
                     per_rank(enters ? &capacity_graph->receive : &capacity_graph->send, rank)};
    if (here.blocks > 0 && here.capacity > 0 &&
        !capacity_graph_is_endless(capacity_graph, here.capacity) &&
        (best->blocks == 0 ||
         (__int128)here.blocks * best->capacity > (__int128)best->blocks * here.capacity))
        *best = here;
}

/* Of ranks that are alike the first one stands for all. */
Tightest node_tightest(const Bounder *bounder)
{
    const PerRank *const values[] = {&bounder->demand.entering, &bounder->demand.leaving,
                                     &bounder->capacity_graph.send,
                                     &bounder->capacity_graph.receive};
    const int64_t ranks = bounder->contract->is_empty ? 0 : bounder->contract->p;
    Tightest best = {0};
    for (int64_t r = 0, next; r < ranks; r = next) {
        try_rank(bounder, r, true, &best);
        try_rank(bounder, r, false, &best);
        next = INT64_MAX;
        for (size_t i = 0; i < COUNT_OF(values); i++) {
            const int64_t end = per_rank_next(values[i], r);
            next = end < next ? end : next;
        }
    }
    return best;
}

Bound bound_node(Bounder *bounder)
{
    Tightest best = node_tightest(bounder);
    bool is_empty = bounder->contract->is_empty;
    if (best.blocks == 0)
        return (Bound){BOUND_NODE, exact_from_int(0), false,
                       is_empty ? "messages are empty" : "nothing has to move"};
    Bound bound = bound_over(bounder, BOUND_NODE, best.blocks, best.capacity);
    bound.reason = arena_printf(bounder->arena, "%lld m %s rank %s over %s", (long long)best.blocks,
                                best.enters ? "enter" : "leave",
                                network_name_node(bounder->arena, bounder->network, best.rank),
                                bound_show_capacity(bounder, best.capacity, "port"));
    return bound;
}
