#include "study/lower_bound.h"

#include "sched/contract.h"

LowerBound lower_bound_find(const Study *study, const Collective *collective,
                            const Network *network)
{
    LowerBound lower = {0};
    Contract contract;
    Arena *scratch = arena_scratch(study->arena);
    Diag silent = diag_silent();
    lower.known = contract_create_to(scratch, collective, network->p, study->root, study->target,
                                     &contract, &silent);
    if (lower.known)
        bounds_compute(study->arena, &contract, network, &study->rules, BOUND_SEARCH_CUTS,
                       &lower.bounds);
    arena_destroy(scratch);
    rules_least(&study->rules, network, lower.least);
    return lower;
}

double lower_bound_seconds(const LowerBound *lower, double bytes)
{
    if (!lower->known)
        return 0;
    BoundKind kind = bounds_binding(&lower->bounds, lower->least, bytes);
    return bound_seconds(&lower->bounds.items[kind], lower->least, bytes);
}
