#include "cli/cost_parts.h"
#include "cli/setting.h"

/* The machine and the elements only, above an answer. */
static void describe_machine(const Query *query)
{
    if (setting_is_brief(query))
        return;
    setting_write_machine(query);
    fprintf(query->line->out, "%s, elements of %s\n",
            machine_describe_multiply(query->study.arena, &query->study.machine),
            quantity_show_bytes(query->study.arena, query->study.element));
}

void problem_describe(const Query *query)
{
    if (setting_is_brief(query))
        return;
    fputc('\n', query->line->out);
    describe_machine(query);
    setting_write_rules(query);
}

Status problem_cost(const Query *query)
{
    collcost_products *opened;
    const collcost_product *rows;
    size_t count;
    if (!query->orders.count)
        return LACKING(query->line, NOWHERE, OPTION_ORDER,
                       "the order of the matrices is missing: give -n 1024");
    Status status = query_products(query, &opened);
    if (status != STATUS_FINE)
        return status;
    if (!query_answered(query, collcost_products_costs(opened, query->orders.items,
                                                       query->orders.count, &rows, &count)))
        return STATUS_BAD_INPUT;
    bool is_text = query->format == FORMAT_TEXT;
    if (is_text)
        fprintf(query->line->out, "%s%s\n%s", query->collective->head.name,
                setting_of_machine(query), setting_is_brief(query) ? "" : "\n");
    Table *table = query_table(query, TABLE_problem_cost);
    for (size_t i = 0; i < count; i++) {
        const collcost_product *row = &rows[i];
        setting_put(table, query, true, row->rules);
        put_text(table, KEY_problem, query->collective->head.name);
        PUT(table, row, algorithm, n, p);
        put_text(table, KEY_topology, row->network);
        if (!(row->rounds < 0))
            put_number(table, KEY_rounds, (double)row->rounds);
        PUT(table, row, startup_s, hop_s, transfer_s, compute_s, total_s, peak_bytes);
        put_text(table, KEY_time_from, row->from_closed_form ? "closed form" : "schedule");
        table_row(table);
    }
    table_close(table);
    if (is_text)
        problem_describe(query);
    return STATUS_FINE;
}

/* -n LO..HI, or 1 .. 65536. */
enum { DEFAULT_LAST = 1 << 16 };

static Status write_switch(const Query *query, const collcost_product_row *rows, size_t count,
                           bool is_over_ranks)
{
    Arena *arena = query->study.arena;
    const bool is_single = query->ranks.count == 1;
    if (count == 0)
        return BAD_INPUT(query->study.diag, NOWHERE,
                         "no algorithm for %s runs on these numbers of ranks",
                         query->collective->head.name);
    if (query->format == FORMAT_TEXT) {
        const char *where =
            is_over_ranks ? arena_printf(arena, " on %s, n = %lld", query->topology->head.name,
                                         (long long)query->orders.items[0])
            : is_single   ? arena_printf(arena, " on %s", rows[0].network)
                          : "";
        describe_machine(query);
        fprintf(query->line->out, "%s%s%s%s\n", setting_is_brief(query) ? "" : "\n",
                query->collective->head.name, where, setting_of_machine(query));
    }
    Table *table =
        query_table(query, is_over_ranks ? TABLE_problem_switch_ranks : TABLE_problem_switch);
    if (!is_over_ranks && !is_single)
        table_title(table, KEY_topology, "topology");
    for (size_t i = 0; i < count; i++) {
        /* By n, network by network, or by p. */
        const collcost_product_row *row = &rows[i];
        setting_put(table, query, true, is_over_ranks ? setting_rules(query) : row->rules);
        put_text(table, KEY_problem, query->collective->head.name);
        put_text(table, KEY_topology, is_over_ranks ? query->topology->head.name : row->network);
        PUT(table, row, algorithm, total_at_from_s);
        put_number(table, is_over_ranks ? KEY_from_p : KEY_from_n, (double)row->from);
        put_number(table, is_over_ranks ? KEY_to_p : KEY_to_n, (double)row->to);
        if (is_over_ranks) {
            PUT(table, row, total_at_to_s);
            put_number(table, KEY_n, (double)query->orders.items[0]);
        } else
            PUT(table, row, p);
        table_row(table);
    }
    table_close(table);
    setting_end(query, NULL);
    return STATUS_FINE;
}

Status problem_switch(const Query *query)
{
    const IntArray *orders = &query->orders;
    const int64_t first = orders->count ? orders->items[0] : 1;
    const int64_t last = orders->count ? orders->items[orders->count - 1] : DEFAULT_LAST;
    collcost_products *opened;
    const collcost_product_row *rows;
    size_t count;
    bool is_over_ranks = orders->count == 1 && query->ranks.count > 1;
    if (query->only)
        return BAD_INPUT(query->study.diag, query->line->operands.items[0].span,
                         "'switch' compares algorithms: give the problem, and perhaps --among A,B");
    if (!is_over_ranks && orders->count && first >= last)
        return BAD_INPUT(
            query->study.diag, option_value(query->line, OPTION_ORDER).span,
            "switch points need a range of orders, such as 64..4096, or one order and a range "
            "of ranks");
    Status status = query_products(query, &opened);
    if (status != STATUS_FINE)
        return status;
    const collcost_status found =
        is_over_ranks ? collcost_products_over_ranks(opened, query->orders.items[0], &rows, &count)
                      : collcost_products_over_orders(opened, first, last, &rows, &count);
    return query_answered(query, found) ? write_switch(query, rows, count, is_over_ranks)
                                        : STATUS_BAD_INPUT;
}
