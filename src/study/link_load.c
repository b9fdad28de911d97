#include "study/link_load.h"

#include "bound/least_traffic.h"
#include "cost/link_traffic.h"
#include "cost/merging.h"

#include <math.h>

/* The least of all groups; NAN where the contract is too large. */
static const LeastTraffic *find_least(const Case *opened, const LinkGroups *groups)
{
    const Study *study = &opened->study;
    const Network *network = &opened->network;
    LeastTraffic *least = ARENA_ARRAY(study->arena, LeastTraffic, groups->count);
    Arena *scratch = arena_scratch(study->arena);
    Diag silent = diag_silent();
    Contract contract;
    if (contract_create(scratch, opened->collective, network->p, study->root, study->target,
                        &contract, &silent)) {
        if (study->rules.weights)
            weights_apply(scratch, study->rules.weights, &contract);
        least_traffic_find(scratch, &contract, groups, least);
    } else
        for (size_t g = 0; g < groups->count; g++)
            least[g] = (LeastTraffic){NAN, NAN};
    arena_destroy(scratch);
    return least;
}

bool link_load_list(Case *opened, double bytes, const collcost_traffic **rows, size_t *count)
{
    const Study *study = &opened->study;
    LinkGroups groups = link_groups_list(&opened->network);
    size_t candidates = opened->candidates.algorithms.count;
    CaseCost *costs = ARENA_ARRAY(study->arena, CaseCost, candidates + 1);
    collcost_traffic *list =
        ARENA_ARRAY(study->arena, collcost_traffic, candidates * groups.count + 1);
    if (merging_find(study->arena, &study->rules, &opened->network)) {
        diag_error(study->diag, NOWHERE,
                   "bytes over links are not counted where switches multicast or combine");
        return false;
    }
    if (!case_costs(opened, bytes, costs))
        return false;
    candidates = opened->candidates.algorithms.count;
    const LeastTraffic *least = find_least(opened, &groups);
    *rows = list;
    for (size_t i = 0; i < candidates; i++) {
        const Algorithm *algorithm = case_algorithm(opened, costs[i].candidate);
        double k = floor(costs[i].cost.k);
        Instance instance =
            study_instance(study, algorithm, &opened->network, (int64_t)k, costs[i].cost.branches);
        LinkTraffic traffic;
        if (!link_traffic_count(study->arena, &instance, &groups, &traffic, study->diag))
            return false;
        double block = bytes / (double)traffic.chunks;
        for (size_t g = 0; g < groups.count; g++) {
            if (!groups.items[g].count) /* a level of which this network has no links */
                continue;
            *list++ = (collcost_traffic){
                .algorithm = algorithm->head.name,
                .has_chunks = algorithm->free_chunks,
                .k = k,
                .branches = study_branches(algorithm, costs[i].cost.branches),
                .total_s = costs[i].cost.total,
                .links = groups.items[g].name,
                .along_dimension = groups.by_dimension,
                .link_count = groups.items[g].count,
                .bytes = (double)traffic.groups[g].total * block,
                .least_bytes = least[g].total * bytes,
                .busiest_bytes = (double)traffic.groups[g].busiest * block,
                .least_busiest_bytes = least[g].busiest * bytes,
                .stages = algorithm->composed,
            };
        }
    }
    *count = (size_t)(list - *rows);
    return true;
}
