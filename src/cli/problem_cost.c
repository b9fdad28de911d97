#include "cli/cost_parts.h"

#include "cli/setting.h"

static void write_row(const Query *query, const Collective *problem, const collcost_product *row,
                      Table *table)
{
    setting_put(table, query, true, row->rules);
    put_text(table, KEY_problem, problem->head.name);
    PUT(table, row, algorithm, n, p);
    put_text(table, KEY_topology, row->network);
    if (!(row->rounds < 0))
        put_number(table, KEY_rounds, (double)row->rounds);
    PUT(table, row, startup_s, hop_s, transfer_s, compute_s, total_s, peak_bytes);
    put_text(table, KEY_time_from, row->from_closed_form ? "closed form" : "schedule");
    table_row(table);
}

static void write_answer(const Query *query, const Collective *problem,
                         const collcost_product *rows, size_t count)
{
    bool is_text = query->format == FORMAT_TEXT;
    if (is_text)
        fprintf(query->line->out, "%s%s\n%s", problem->head.name, setting_of_machine(query),
                setting_is_brief(query) ? "" : "\n");
    Table *table = line_table(query->line, query->format, TABLE_problem_cost);
    for (size_t i = 0; i < count; i++)
        write_row(query, problem, &rows[i], table);
    table_close(table);
    if (is_text)
        problem_describe(query);
}

void problem_describe_machine(const Query *query)
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
    problem_describe_machine(query);
    setting_write_rules(query);
}

Status problem_cost(const Query *query, const Collective *collective, const Algorithm *only)
{
    collcost_products *opened;
    const collcost_product *rows;
    size_t count;
    if (!query->orders.count) {
        diag_error(query->study.diag, NOWHERE,
                   "the order of the matrices is missing: give -n 1024");
        context_hint(query->line, OPTION_ORDER);
        return STATUS_BAD_INPUT;
    }
    Status status = query_products(query, collective, only, &opened);
    if (status != STATUS_FINE)
        return status;
    if (!query_answered(query, collcost_products_costs(opened, query->orders.items,
                                                       query->orders.count, &rows, &count)))
        return STATUS_BAD_INPUT;
    write_answer(query, collective, rows, count);
    return STATUS_FINE;
}
