#include "study/parts.h"

#include "model/exchange.h"

bool parts_add(Study *study, Text name)
{
    const Algorithm *part = library_algorithm(study->library, name, study->diag);
    if (!part)
        return false;
    if (part->collective->problem || part->expect_wrong)
        return diag_error(
            study->diag, name.span,
            part->expect_wrong
                ? "%s is known to be wrong; it cannot be a part"
                : "%s computes a matrix product; only algorithms of collectives can be parts",
            algorithm_full_name(study->arena, part));
    for (size_t i = 0; i < study->parts.count; i++)
        if (study->parts.items[i]->collective == part->collective)
            return diag_error(study->diag, name.span, "this is the second algorithm for %s",
                              part->collective->head.name);
    *ARRAY_PUSH(study->arena, &study->parts) = part;
    return true;
}

const Algorithm *parts_apply(const Study *study, const Algorithm *algorithm)
{
    return exchange_parts(study->arena, algorithm, study->parts.items, study->parts.count);
}

static bool any_uses(const AlgorithmArray *algorithms, const Collective *collective)
{
    for (size_t i = 0; i < algorithms->count; i++)
        if (exchange_uses(algorithms->items[i], collective))
            return true;
    return false;
}

bool parts_check(const Study *study, const AlgorithmArray *algorithms)
{
    for (size_t i = 0; i < study->parts.count; i++) {
        const Collective *collective = study->parts.items[i]->collective;
        if (any_uses(algorithms, collective))
            continue;
        const char *who =
            algorithms->count == 1 ? algorithm_full_name(study->arena, algorithms->items[0]) : NULL;
        return diag_error(study->diag, study->parts_place, "%s %s %s",
                          who ? who : "no algorithm here", who ? "uses no" : "uses any",
                          collective->head.name);
    }
    return true;
}
