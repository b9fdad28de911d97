#include "cli/switch_parts.h"

#include <math.h>

bool switchpoints_check_sizes(const Query *query)
{
    const double *sizes = query->sizes.items;
    if (!query->sizes.count || (query->is_range && sizes[0] < sizes[query->sizes.count - 1]))
        return true;
    return diag_error(query->study.diag, option_value(query->line, OPTION_SIZE).span,
                      "switch points need a range of sizes, such as 1KiB..1GiB");
}

bool switchpoints_check_subject(const Query *query, const Algorithm *only)
{
    if (only)
        diag_error(query->study.diag, query->line->operands.items[0].span,
                   "algorithms are compared: give the collective, and perhaps --among A,B");
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
                     unsigned wanted, SwitchCase *switches)
{
    Query *query = &switches->query;
    bool good;
    *switches = (SwitchCase){.from = 1, .tolerance = -1};
    if (!query_settle_sizes(asked, collective, asked->ranks.items[index], query))
        return false;
    if (collective->is_empty) /* one winner, at every size of the range */
        query->sizes = asked->sizes;
    if (query->sizes.count) {
        switches->from = query->sizes.items[0];
        switches->to = query->sizes.count > 1 ? query->sizes.items[query->sizes.count - 1]
                                              : nextafter(switches->from, INFINITY);
    }
    switchpoints_tolerance(query, &switches->tolerance, &good);
    query->study.defers = true;
    switches->opened = query_case(query, index, collective, NULL);
    query->study.defers = false;
    if (!switches->opened || !good)
        return false;
    if (!query->sizes.count)
        switches->to = collcost_case_largest_size(switches->opened);
    switches->is_open = !query->sizes.count && switches->to == LARGEST_SIZE;
    collcost_status status = collcost_case_switch_points(switches->opened, switches->from,
                                                         switches->to, switches->tolerance, wanted,
                                                         &switches->pieces, &switches->count);
    switches->is_wrong = status == COLLCOST_CHECK_FAILED;
    return query_answered(query, status) &&
           query_answered(query, collcost_case_rules(switches->opened, &switches->rules));
}

void switchcase_put(const SwitchCase *switches, Table *table)
{
    put_text(table, KEY_collective, collcost_case_collective(switches->opened));
    put_text(table, KEY_topology, collcost_case_network(switches->opened));
    put_number(table, KEY_p, (double)collcost_case_ranks(switches->opened));
}
