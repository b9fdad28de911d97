#include "study/smoke_run.h"

#include "claims/grid.h"
#include "verify/verify.h"

/* The first fault on one shape, for some roots, numbers of chunks and of branches; NULL: there is
 * none. */
static const char *find_fault(const Study *study, const Algorithm *algorithm, const Shape *shape,
                              CombiningOrder *order)
{
    int64_t roots[4], targets[4];
    VerdictChoice choices[VERDICT_CHOICES];
    int root_count = verdict_roots(algorithm->collective->rooted, shape->p, roots);
    int target_count = verdict_roots(algorithm->collective->targeted, shape->p, targets);
    if (!schedule_allows(algorithm, shape, study->rules.ports, NULL, study->diag))
        return NULL;
    int64_t orders[VERDICT_ORDERS];
    int choice_count = verdict_choices(study->arena, algorithm, shape, study->rules.ports, choices);
    int order_count = verdict_orders(algorithm->collective->problem != NULL, orders);
    for (int i = 0; i < root_count * target_count * choice_count * order_count; i++) {
        int ends = i / order_count / choice_count;
        Instance instance = {.algorithm = algorithm,
                             .p = shape->p,
                             .root = roots[ends / target_count],
                             .k = choices[i / order_count % choice_count].k,
                             .ports = study->rules.ports,
                             .shape = shape,
                             .target = targets[ends % target_count],
                             .sizes.order = orders[i % order_count],
                             .branches = choices[i / order_count % choice_count].branches};
        Diag quiet = diag_silent();
        Verification found = verify_schedule(study->arena, &instance,
                                             algorithm->expect_wrong ? &quiet : study->diag);
        const CombiningOrder here = found.in_rank_order  ? ORDER_OF_RANKS
                                    : instance.root == 0 ? ORDER_NONE
                                                         : ORDER_AT_ROOT_0;
        *order = here > *order ? here : *order;
        if (!found.right)
            return found.failure.text ? found.failure.text : "it cannot be run";
    }
    return NULL;
}

const char *smoke_run(const Study *study, const Algorithm *algorithm, int64_t most,
                      CombiningOrder *order)
{
    ShapeArray shapes = {0};
    const char *fault = NULL;
    *order = ORDER_OF_RANKS;
    for (int64_t p = 1; p <= most; p++)
        shapes_list(study->arena, algorithm, p, &shapes);
    for (size_t i = 0; i < shapes.count && !fault; i++)
        fault = find_fault(study, algorithm, &shapes.items[i], order);
    return fault;
}
