#include "cli/limits.h"

#include "sched/contract.h"

Limits limits_find(const Query *query, const Collective *collective, const Network *network)
{
    Limits limits = {0};
    Contract contract;
    Arena *scratch = arena_scratch(query->arena);
    Diag silent = diag_silent();
    limits.known = contract_create_to(scratch, collective, network->p, query->root, query->target,
                                      &contract, &silent);
    if (limits.known)
        bounds_compute(query->arena, &contract, network, &query->rules, BOUND_SEARCH_QUICK,
                       &limits.bounds);
    arena_destroy(scratch);
    rules_least(&query->rules, network, limits.least);
    return limits;
}

double limits_seconds(const Limits *limits, double bytes)
{
    if (!limits->known)
        return 0;
    BoundKind kind = bounds_binding(&limits->bounds, limits->least, bytes);
    return bound_seconds(&limits->bounds.items[kind], limits->least, bytes);
}
