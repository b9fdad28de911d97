#include "cli/switchpoints.h"

#include "choose/margin.h"
#include "study/check_cost.h"

#include <math.h>

bool switchpoints_find(const Query *query, const Candidates *candidates, SwitchPoints *points)
{
    double from = 1, to = LARGEST_SIZE;
    *points = (SwitchPoints){.curves = candidates->curves,
                             .count = candidates->algorithms.count,
                             .is_open = query->sizes.count == 0};
    if (!points->is_open) {
        from = query->sizes.items[0];
        to = query->sizes.items[query->sizes.count - 1];
    }
    return envelope_find(query->study.arena, points->curves, points->count, from, to,
                         &points->pieces, query->study.diag);
}

bool switchpoints_check_sizes(const Query *query)
{
    const double *sizes = query->sizes.items;
    if (!query->sizes.count || (query->is_range && sizes[0] < sizes[query->sizes.count - 1]))
        return true;
    diag_error(query->study.diag, option_value(query->line, OPTION_SIZE).span,
               "switch points are sought in a range of sizes, such as 1KiB..1GiB");
    return false;
}

bool switchpoints_check_subject(const Query *query, const Algorithm *only)
{
    if (only)
        diag_error(query->study.diag, query->line->operands.items[0].span,
                   "switch points are between algorithms: name the collective, and --among A,B");
    return only == NULL;
}

bool switchpoints_tolerance(const Query *query, double *tolerance, bool *good)
{
    *good = true;
    if (!option_given(query->line, OPTION_TOLERANCE))
        return false;
    *good = quantity_parse_share(option_value(query->line, OPTION_TOLERANCE), tolerance,
                                 query->study.diag);
    return *good;
}

static bool find_shown(SwitchCase *here)
{
    const SwitchPoints *points = &here->points;
    double tolerance;
    bool good;
    here->shown = points->pieces;
    if (!switchpoints_tolerance(&here->query, &tolerance, &good))
        return good;
    here->shown = (PieceArray){0};
    return margin_merge(here->query.study.arena, points->curves, points->count, &points->pieces,
                        tolerance, &here->shown, here->query.study.diag);
}

bool switchcase_open(const Query *asked, const Collective *collective, size_t index,
                     SwitchCase *here)
{
    Query *query = &here->query;
    if (!query_settle_sizes(asked, collective, asked->ranks.items[index], query))
        return false;
    if (collective->is_empty) /* one winner, at every size of the range */
        query->sizes = asked->sizes;
    return query_network(query, index, &here->network) &&
           query_settle_ends(query, collective, &here->network) &&
           candidates_open(&query->study, collective, NULL, &here->network, &here->candidates) &&
           switchpoints_find(query, &here->candidates, &here->points) && find_shown(here);
}

bool switchcase_audit(const SwitchCase *here)
{
    bool right = true;
    for (size_t i = 0; i < here->shown.count; i++) {
        const Piece *piece = &here->shown.items[i];
        const Curve *curve = here->points.curves[piece->curve];
        right &= check_cost(&here->query.study, curve_algorithm(curve), &here->network,
                            floor(piece->start.k), piece->from, curve_closed(curve)) != COST_WRONG;
    }
    return right;
}
