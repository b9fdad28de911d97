#include "cli/composed.h"
#include "cli/setting.h"
#include "cli/switch_parts.h"

#include <math.h>

void switch_put_chunks(Table *table, double from_k, double to_k)
{
    put_number(table, KEY_k, from_k);
    put_number(table, KEY_to_k, to_k);
    if (from_k != to_k)
        put_shown(table, KEY_k, "%.10g..%.10g", from_k, to_k);
}

Table *switch_table_open(const Query *query)
{
    Table *table = query_table(query, TABLE_switch);
    if (query->nccl_sizes)
        table_include(table, KEY_sizes);
    if (composed_may_occur(query))
        table_include(table, KEY_stages);
    if (option_given(query->line, OPTION_TOLERANCE))
        table_include(table, KEY_excess);
    return table;
}

bool switch_table_write(Table *table, SwitchCase *switches)
{
    const Query *query = &switches->query;
    const SizeArray *asked = &query->asked;
    setting_put(table, query, false, switches->rules);
    for (size_t i = 0; i < switches->count; i++) {
        const collcost_piece *piece = &switches->pieces[i];
        const bool is_last = i + 1 == switches->count, has_end = !is_last || !switches->is_open;
        case_put(table, switches->opened);
        put_text(table, KEY_sizes, "nccl");
        /* A row's sizes in the convention of --sizes; those of the command line as they were
           written. */
        put_number(table, KEY_from_bytes,
                   i == 0 && asked->count ? asked->items[0] : piece->from_bytes * query->m_count);
        if (piece->has_chunks && has_end)
            switch_put_chunks(table, piece->from_k, piece->to_k);
        else if (piece->has_chunks) {
            put_number(table, KEY_k, piece->from_k);
            if (query->study.chosen.k <= 0)
                put_shown(table, KEY_k, "%.10g..", piece->from_k);
        }
        if (has_end)
            choices_put_range(table, piece->algorithm, &piece->branches, piece->to_branches);
        else
            choices_put(table, KEY_algorithm, piece->algorithm, &piece->branches);
        put_number(table, KEY_total_at_from_s, piece->total_at_from_s);
        put_list(table, KEY_tied, piece->tied, piece->tied_count);
        put_list(table, KEY_tied_with, piece->tied, piece->tied_count);
        if (has_end) {
            put_number(table, KEY_to_bytes,
                       is_last && asked->count ? asked->items[asked->count - 1]
                                               : piece->to_bytes * query->m_count);
            put_number(table, KEY_total_at_to_s, piece->total_at_to_s);
        } else {
            put_shown(table, KEY_to_bytes, "no end");
        }
        put_number(table, KEY_excess, piece->slower_by);
        /* Where the second best loses most; beyond all sizes where that is at the end of a row
           without. */
        if (piece->second) {
            PUT(table, piece, second, second_slower_by);
            put_number(table, KEY_second_slower_at_bytes,
                       piece->second_slower_at_bytes * query->m_count);
            if (!has_end && piece->second_slower_at_bytes >= piece->to_bytes)
                put_shown(table, KEY_second_slower_at_bytes, "no end");
        }
        put_text(table, KEY_stages, piece->stages);
        table_row(table);
    }
    return true;
}

bool switchpoints_check_sizes(const Query *query)
{
    const double *sizes = query->sizes.items;
    return !query->sizes.count || (query->is_range && sizes[0] < sizes[query->sizes.count - 1]) ||
           diag_error(query->study.diag, option_value(query->line, OPTION_SIZE).span,
                      "switch points need a range of sizes, such as 1KiB..1GiB");
}

bool switchpoints_check_subject(const Query *query)
{
    if (query->only)
        diag_error(query->study.diag, query->line->operands.items[0].span,
                   "algorithms are compared: give the collective, and perhaps --among A,B");
    return !query->only;
}

bool switchcase_open(const Query *asked, size_t index, unsigned wanted, SwitchCase *switches)
{
    Query *query = &switches->query;
    *switches = (SwitchCase){.from = 1, .tolerance = -1};
    if (!query_settle_sizes(asked, asked->collective, asked->ranks.items[index], query))
        return false;
    if (asked->collective->is_empty) /* one winner, at every size of the range */
        query->sizes = asked->sizes;
    if (query->sizes.count) {
        switches->from = query->sizes.items[0];
        switches->to = query->sizes.count > 1 ? query->sizes.items[query->sizes.count - 1]
                                              : nextafter(switches->from, INFINITY);
    }
    const bool good = option_share(query->line, OPTION_TOLERANCE, &switches->tolerance);
    query->study.defers = true;
    switches->opened = query_case(query, index, asked->collective, NULL);
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
