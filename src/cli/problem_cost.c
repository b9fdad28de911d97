#include "cli/problem_cost.h"

#include "cli/setting.h"

Status problem_open(const Query *query, const Collective *collective, const Algorithm *only,
                    ProductCases *cases)
{
    ShapeArray shapes = {0};
    for (size_t i = 0; i < query->ranks.count; i++)
        *ARRAY_PUSH(query->study.arena, &shapes) = query_shape(query, i);
    ProductOpening opening =
        products_open(&query->study, collective, only, query->topology, &shapes, cases);
    return opening == PRODUCT_OPENED  ? STATUS_FINE
           : opening == PRODUCT_WRONG ? STATUS_CHECK_FAILED
                                      : STATUS_BAD_INPUT;
}

static void write_row(const Query *query, const ProductPoint *row, Table *table)
{
    const ScalePoint *point = &row->point;
    setting_put(table, query, row->algorithm->collective->problem,
                setting_rules(query, &row->on->network));
    put_text(table, KEY_problem, row->algorithm->collective->head.name);
    put_text(table, KEY_algorithm, row->algorithm->head.name);
    put_text(table, KEY_topology, row->on->network.name);
    put_number(table, KEY_n, (double)point->n);
    put_number(table, KEY_p, (double)point->p);
    if (!(point->rounds < 0))
        put_number(table, KEY_rounds, (double)point->rounds);
    put_number(table, KEY_startup_s, point->parts.startup);
    put_number(table, KEY_hop_s, point->parts.hop);
    put_number(table, KEY_transfer_s, point->parts.transfer);
    put_number(table, KEY_compute_s, point->parts.compute);
    put_number(table, KEY_total_s, point->total);
    put_number(table, KEY_peak_bytes, point->memory);
    put_text(table, KEY_time_from, point->claim ? "closed form" : "schedule");
    table_row(table);
}

static void write_answer(const Query *query, const Collective *collective,
                         const ProductPoints *rows)
{
    bool is_text = query->format == FORMAT_TEXT;
    if (is_text)
        fprintf(query->line->out, "%s\n\n", collective->head.name);
    Table *table =
        table_open(query->study.arena, query->line->out, query->format, TABLE_problem_cost);
    for (size_t i = 0; i < rows->count; i++)
        write_row(query, &rows->items[i], table);
    table_close(table);
    if (is_text)
        problem_describe(query);
}

void problem_describe_machine(const Query *query)
{
    query_describe_machine(query);
    fprintf(query->line->out, "%s, elements of %s\n",
            machine_describe_multiply(query->study.arena, &query->study.machine),
            quantity_show_bytes(query->study.arena, query->study.element));
}

void problem_describe(const Query *query)
{
    fputc('\n', query->line->out);
    problem_describe_machine(query);
    query_describe_rules(query);
}

Status problem_cost(const Query *query, const Collective *collective, const Algorithm *only)
{
    ProductCases cases = {0};
    ProductPoints points = {0};
    if (!query->orders.count) {
        diag_error(query->study.diag, NOWHERE,
                   "the order of the matrices is missing: give -n 1024");
        return STATUS_BAD_INPUT;
    }
    Status status = problem_open(query, collective, only, &cases);
    if (status != STATUS_FINE)
        return status;
    for (size_t i = 0; i < cases.count; i++)
        for (size_t n = 0; n < query->orders.count; n++)
            if (!product_costs(cases.items[i], query->orders.items[n], &points))
                return STATUS_BAD_INPUT;
    write_answer(query, collective, &points);
    return STATUS_FINE;
}
