#include "study/lower_bound.h"

#include "cost/claim.h"

static bool spreads_results(const Contract *contract)
{
    return contract->combines && !contract->is_empty &&
           contract->after.total > contract->block_count;
}

LowerBound lower_bound_find(const Study *study, const Collective *collective,
                            const Network *network, BoundSearch search, Diag *diag)
{
    LowerBound lower = {.search = search, .call = study->rules.delays[DELAY_CALL].seconds};
    Contract contract;
    if (study->rules.averages) {
        diag_error(diag, NOWHERE, "no lower bound is proven for the mean over ranks");
        return lower;
    }
    Arena *scratch = arena_scratch(study->arena);
    lower.known = contract_create(scratch, collective, network->p, study->root, study->target,
                                  &contract, diag);
    if (lower.known && study->rules.weights)
        weights_apply(scratch, study->rules.weights, &contract);
    if (lower.known) {
        bounds_compute(study->arena, &contract, network, &study->rules, search, &lower.bounds);
        lower.may_be_loose = spreads_results(&contract);
    }
    if (lower.bounds.is_disconnected) {
        lower.known = false;
        diag_error(diag, network->topology->head.span,
                   "no path leads from rank %s to rank %s of %s, which needs its data",
                   network_name_node(scratch, network, lower.bounds.disconnected_from),
                   network_name_node(scratch, network, lower.bounds.disconnected_to),
                   network->name);
    }
    arena_destroy(scratch);
    rules_least(&study->rules, network, lower.least);
    return lower;
}

double lower_bound_seconds(const LowerBound *lower, double bytes)
{
    if (!lower->known)
        return 0;
    BoundKind kind = bounds_binding(&lower->bounds, lower->least, bytes);
    return bound_seconds(&lower->bounds.items[kind], lower->least, bytes) + lower->call;
}

const char *lower_bound_closed_form(const Study *study, const Collective *collective,
                                    const Network *network, BoundKind kind)
{
    ClaimPoint point =
        claim_point(&network->shape, study->root, 1, rules_ports(&study->rules, network));
    point.target = study->target;
    if (!head_is_builtin(&collective->head) || !head_is_builtin(&network->topology->head))
        return NULL;
    for (size_t i = 0; i < collective->claims.list.count; i++) {
        const Claim *claim = claims_on(&collective->claims, i, network->topology->head.name);
        if (!claim)
            continue;
        bool alone = claim->bounds[kind];
        for (int other = 0; other < BOUND_KIND_COUNT; other++)
            alone &= other == (int)kind || !claim->bounds[other];
        alone &= !network->shape.taper && !network->grouping && rules_are_usual(&study->rules) &&
                 claim->switching[study->rules.switching];
        if (alone && !claim->recorded_refuted && claim_applies(claim, &point))
            return arena_copy(study->arena, claim->formula.text.chars, claim->formula.text.length);
    }
    return NULL;
}
