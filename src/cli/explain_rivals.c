#include "cli/explain_parts.h"

#include "study/explanation.h"

/* A candidate as it would be asked for: of a model, or of stages. */
static const Algorithm *algorithm_of(const Query *query, const Algorithm *candidate)
{
    Arena *arena = query->study.arena;
    const char *text =
        candidate->composed
            ? candidate->composed
            : arena_printf(arena, "%s/%s", candidate->collective->head.name, candidate->head.name);
    return query_algorithm(query, source_argument(arena, "explain", text));
}

/* Takes a candidate for one side, with what is known of its times. */
static bool take(const Query *query, Case *opened, size_t candidate, int side,
                 const ExplainedRivals *rivals)
{
    const Algorithm *algorithm = algorithm_of(query, case_algorithm(opened, candidate));
    rivals->algorithms[side] = algorithm;
    if (algorithm == case_algorithm(opened, candidate))
        rivals->sides[side] = case_narrow(opened, candidate);
    return algorithm != NULL;
}

bool explain_rivals_find(Query *query, const ExplainedRivals *rivals)
{
    const Algorithm *given = rivals->algorithms[0];
    size_t found[2];
    query->study.defers = true;
    Case *opened = query_case(query, 0, rivals->collective, NULL);
    query->study.defers = false;
    if (!opened ||
        !explanation_rivals(opened, query->sizes.items[0], given ? given->head.name : NULL, found))
        return false;
    if (found[1] == opened->candidates.algorithms.count)
        return diag_error(query->study.diag, query->line->operands.items[0].span,
                          "there is no other algorithm to compare with");
    return (given || take(query, opened, found[0], 0, rivals)) &&
           take(query, opened, found[1], 1, rivals);
}
