#include "cli/switch_parts.h"

#include "cli/setting.h"

typedef struct {
    const Query *query;
    collcost_sweep *found;
    bool is_wrong; /* a winner */
} Sweep;

bool switch_over_asked(const CommandLine *line, bool *good)
{
    *good = true;
    if (!option_given(line, OPTION_OVER))
        return false;
    Text text = option_value(line, OPTION_OVER);
    *good = text_equals(text, "m") || text_equals(text, "p");
    if (!*good)
        diag_error(line->diag, text.span, "invalid value '%s'; valid values are m and p",
                   text.chars);
    return text_equals(text, "p");
}

static bool write_sweep(const Sweep *sweep)
{
    const Query *query = sweep->query;
    const collcost_rank_row *rows;
    size_t count;
    if (query->format == FORMAT_TEXT) {
        FILE *out = query->line->out;
        setting_write_machine(query);
        fprintf(out, "%s%s on %s", setting_is_brief(query) ? "" : "\n",
                query->collective->head.name, query->topology->head.name);
        if (!query->collective->is_empty)
            fprintf(out, ", m = %s%s",
                    quantity_show_bytes(query->study.arena, query->asked.items[0]),
                    query->nccl_sizes ? " as in NCCL: M, not m" : "");
        fprintf(out, "%s\n", setting_of_machine(query));
    }
    if (!query_answered(query, collcost_sweep_rows(sweep->found, &rows, &count)))
        return false;
    Table *table = query_table(query, TABLE_switch_ranks);
    setting_put(table, query, false, setting_rules(query));
    for (size_t i = 0; i < count; i++) {
        const collcost_rank_row *row = &rows[i];
        put_text(table, KEY_collective, query->collective->head.name);
        put_text(table, KEY_topology, query->topology->head.name);
        put_number(table, KEY_m_bytes, query->collective->is_empty ? 0 : query->asked.items[0]);
        PUT(table, row, from_p, to_p);
        if (row->has_chunks)
            switch_put_chunks(table, row->from_k, row->to_k);
        choices_put_range(table, row->algorithm, &row->branches, row->to_branches);
        PUT(table, row, total_at_from_s, total_at_to_s);
        if (row->second) {
            PUT(table, row, second, second_slower_by, second_slower_at_p);
        }
        put_list(table, KEY_tied, row->tied, row->tied_count);
        put_text(table, KEY_covers,
                 choices_show_ranges(query->study.arena, row->covers, row->cover_count, ".."));
        table_row(table);
    }
    table_close(table);
    setting_end(query, NULL);
    return true;
}

Status switch_over_ranks(const Query *asked)
{
    Query query = *asked;
    Sweep sweep = {.query = &query};
    query.study.skips_refused = query.ranks.count > 1;
    query_fill_size(&query, asked->collective);
    if (query.sizes.count != 1)
        return BAD_INPUT(query.study.diag,
                         query.sizes.count ? option_value(query.line, OPTION_SIZE).span : NOWHERE,
                         "--over p needs exactly one size, such as -m 1MiB");
    const OptionId foreign = option_among(query.line, OPTIONS_OF_SIZES_ONLY);
    if (foreign != OPTION_COUNT)
        return BAD_INPUT(query.study.diag, option_value(query.line, foreign).span,
                         "this option does not apply to --over p");
    if (!query_answered(&query, collcost_sweep_create(&query.study, asked->collective->head.name,
                                                      &sweep.found)))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < query.ranks.count; i++) {
        Query point;
        if (!query_settle_sizes(&query, asked->collective, query.ranks.items[i], &point))
            return STATUS_BAD_INPUT;
        Arena *curves = arena_scratch(query.study.arena); /* needed for these ranks alone */
        point.study.curves = curves;
        /* Of the algorithms that were named perhaps none runs there. */
        collcost_case *opened = query_case(&point, i, asked->collective, NULL);
        const collcost_status status =
            opened ? collcost_sweep_add(sweep.found, opened, point.sizes.items[0]) : COLLCOST_FINE;
        sweep.is_wrong |= status == COLLCOST_CHECK_FAILED;
        const bool good = opened && query_answered(&point, status);
        arena_destroy(curves);
        if (!good)
            return STATUS_BAD_INPUT;
    }
    if (!write_sweep(&sweep))
        return STATUS_BAD_INPUT;
    return sweep.is_wrong ? STATUS_CHECK_FAILED : STATUS_FINE;
}
