#include "cli/switchpoints.h"

bool switchpoints_check_sizes(const Query *query)
{
    const double *sizes = query->sizes.items;
    if (!query->sizes.count || (query->is_range && sizes[0] < sizes[query->sizes.count - 1]))
        return true;
    diag_error(query->study.diag, option_value(query->line, OPTION_SIZE).span,
               "switch points need a range of sizes, such as 1KiB..1GiB");
    return false;
}

bool switchpoints_check_subject(const Query *query, const Algorithm *only)
{
    if (only)
        diag_error(query->study.diag, query->line->operands.items[0].span,
                   "'switch' compares algorithms: give the collective, and perhaps --among A,B");
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

bool switchcase_open(const Query *asked, const Collective *collective, size_t index,
                     SwitchCase *here)
{
    Query *query = &here->query;
    double from = 1, to = LARGEST_SIZE, tolerance = -1;
    bool good;
    if (!query_settle_sizes(asked, collective, asked->ranks.items[index], query))
        return false;
    if (collective->is_empty) /* one winner, at every size of the range */
        query->sizes = asked->sizes;
    here->is_open = query->sizes.count == 0;
    if (!here->is_open) {
        from = query->sizes.items[0];
        to = query->sizes.items[query->sizes.count - 1];
    }
    here->opened = query_case(query, index, collective, NULL);
    switchpoints_tolerance(query, &tolerance, &good);
    if (!here->opened || !good ||
        !switch_points_find(here->opened, from, to, tolerance, &here->points))
        return false;
    here->is_right = switch_points_check(here->opened, &here->points);
    return true;
}

const Algorithm *switchcase_algorithm(const SwitchCase *here, const Piece *piece)
{
    return case_algorithm(here->opened, piece->curve);
}
