#include "cli/command.h"
#include "cli/cost_parts.h"
#include "cli/files.h"
#include "cli/pictures.h"
#include "cli/setting.h"
#include "cli/workers.h"

#include <math.h>
#include <string.h>

/* Ranks among which the largest p is sought. */
enum { MOST_SOUGHT = 4096 };

ARRAY_TYPE(ScaledProducts, collcost_product);

typedef enum { SEEKS_NOTHING, SEEKS_ORDER, SEEKS_RANKS } Seeking;

typedef struct {
    const Query *query;
    ScaledProducts rows; /* network by network */
    Status status;       /* of those before that were opened here */
    double wanted;       /* efficiency */
    Seeking seeking;     /* what reaches it, and is not given */
} Scaling;

/* For each n: who is the fastest, and up to which p the ranks' time is used well enough. */
static void write_best(const Scaling *scaling)
{
    const Query *query = scaling->query;
    FILE *out = query->line->out;
    for (size_t i = 0; i < query->orders.count; i++) {
        int64_t n = query->orders.items[i];
        const collcost_product *fastest =
            collcost_products_fastest(scaling->rows.items, scaling->rows.count, n, 0);
        const collcost_product *largest = collcost_products_cost_optimal(
            scaling->rows.items, scaling->rows.count, n, scaling->wanted);
        if (!fastest)
            continue;
        /* "n = 1024: cannon from p = 4, dns from p = 512": the fastest on each network that was
           asked for. */
        const char *before = NULL;
        for (size_t r = 0; r < query->ranks.count && query->ranks.count > 1; r++) {
            const collcost_product *row = collcost_products_fastest(
                scaling->rows.items, scaling->rows.count, n, query->ranks.items[r]);
            if (!row || (before && strcmp(row->algorithm, before) == 0))
                continue;
            if (before)
                fputs(", ", out);
            else
                fprintf(out, "n = %lld: the fastest is ", (long long)n);
            fprintf(out, "%s from p = %lld", row->algorithm, (long long)row->p);
            before = row->algorithm;
        }
        if (query->ranks.count > 1)
            fputc('\n', out);
        fprintf(out, "n = %lld: least time with %s on %s; ", (long long)n, fastest->algorithm,
                fastest->network);
        if (largest)
            fprintf(out, "an efficiency of %.3g or more up to p = %lld, with %s\n", scaling->wanted,
                    (long long)largest->p, largest->algorithm);
        else
            fprintf(out, "an efficiency of %.3g is not reached\n", scaling->wanted);
    }
}

static void write_scale_answer(const Scaling *scaling)
{
    const Query *query = scaling->query;
    FILE *out = query->line->out;
    if (query->format == FORMAT_TEXT)
        fprintf(out, "%s\n\n", query->collective->head.name);
    Table *table = query_table(query, TABLE_scale);
    for (size_t i = 0; i < scaling->rows.count; i++) {
        const collcost_product *row = &scaling->rows.items[i];
        setting_put(table, query, true, row->rules);
        put_text(table, KEY_problem, query->collective->head.name);
        PUT(table, row, algorithm, n, p, total_s, speedup, efficiency, cost_s, overhead_s,
            overhead_work, peak_bytes);
        put_text(table, KEY_topology, row->network);
        put_number(table, KEY_peak_total_bytes, row->peak_total_bytes);
        put_text(table, KEY_time_from, row->from_closed_form ? "closed form" : "schedule");
        put_number(table, KEY_work_power, row->growth.power);
        put_text(table, KEY_work_order, row->growth.order);
        table_row(table);
    }
    table_close(table);
    if (query->format != FORMAT_TEXT)
        return;
    fputc('\n', out);
    if (scaling->seeking == SEEKS_RANKS)
        fprintf(out, "p is the largest up to %d at which the efficiency is at least %.3g\n",
                MOST_SOUGHT, scaling->wanted);
    else if (scaling->seeking == SEEKS_ORDER) {
        /* One line for each algorithm of which something is known. */
        for (size_t i = 0; i < scaling->rows.count; i++) {
            const collcost_product *row = &scaling->rows.items[i];
            bool is_last = true;
            for (size_t j = i + 1; j < scaling->rows.count; j++)
                is_last &= strcmp(scaling->rows.items[j].algorithm, row->algorithm) != 0;
            /* "p^1.5, by tw, for large p (from its closed form); as p^1.53 over p = 4 .. 64" */
            const collcost_growth *found = &row->growth;
            const bool has_fit = !isnan(found->power);
            const char *derived = "", *fitted = "";
            if (!is_last || (!has_fit && !found->order))
                continue;
            if (found->order)
                derived =
                    arena_printf(query->study.arena, "%s, for large p (from its closed form)%s",
                                 found->order, has_fit ? "; as " : "");
            if (has_fit)
                fitted = arena_printf(query->study.arena,
                                      "p^%.2f over p = %.0f .. %.0f (fitted, with even cuts)",
                                      found->power, found->from_p, found->to_p);
            line_say(query->line, "%s: to keep the efficiency at %.3g, the work must grow as %s%s",
                     row->algorithm, scaling->wanted, derived, fitted);
        }
    } else
        write_best(scaling);
    problem_describe(query);
}

static void carry_scaled(Carrier carrier, collcost_product *row)
{
    CARRY(carrier, row, algorithm, network, rules, n, p, rounds, from_closed_form, startup_s, hop_s,
          transfer_s);
    CARRY(carrier, row, compute_s, total_s, speedup, efficiency, cost_s, overhead_s, overhead_work,
          peak_bytes, peak_total_bytes);
    CARRY(carrier, &row->growth, order, power, from_p, to_p);
}

/* On one network, or, where something is sought on all, or fitted to them, on all. */
static bool find_scaled(void *context, size_t item, Buffer *bytes)
{
    Scaling *scaling = context;
    Query query = *scaling->query;
    const int64_t *orders = query.orders.items;
    const collcost_product *rows;
    size_t order_count = query.orders.count, count;
    collcost_products *opened;
    if (scaling->seeking == SEEKS_NOTHING)
        query.ranks.items += item, query.shapes.items += item, query.ranks.count = 1;
    scaling->status = query_products(&query, &opened);
    if (scaling->status != STATUS_FINE)
        return false;
    const collcost_status status =
        scaling->seeking == SEEKS_RANKS
            ? collcost_products_largest_ranks(opened, orders, order_count, scaling->wanted, &rows,
                                              &count)
        : scaling->seeking == SEEKS_ORDER
            ? collcost_products_orders(opened, scaling->wanted, &rows, &count)
            : collcost_products_scaling(opened, orders, order_count, &rows, &count);
    if (!query_answered(&query, status))
        return false;
    for (size_t i = 0; i < count; i++) {
        collcost_product row = rows[i];
        carry_scaled((Carrier){.to = bytes}, &row);
    }
    return true;
}

static bool take_scaled(void *context, size_t item, Packed *answer)
{
    Scaling *scaling = context;
    (void)item;
    while (answer->next < answer->end)
        carry_scaled((Carrier){.from = answer},
                     ARRAY_PUSH(scaling->query->study.arena, &scaling->rows));
    return true;
}

static Status run_scale(const CommandLine *line)
{
    Query query;
    Scaling scaling = {.query = &query, .wanted = 0.5};
    if (!picture_check(line) || !scale_axis_check(line) ||
        !query_read_subject_sweeping(line, MOST_SOUGHT, &query))
        return STATUS_BAD_INPUT;
    if (!query.collective->problem)
        return BAD_INPUT(line->diag, line->operands.items[0].span,
                         "%s is a collective; 'scale' takes a problem, such as matmul",
                         query.collective->head.name);
    if (query.sweeps_ranks && option_given(line, OPTION_PICTURE))
        return BAD_INPUT(line->diag, option_value(line, OPTION_PICTURE).span,
                         "a picture needs numbers of ranks, such as -p 4..1024");
    /* One of n and p may be left open, then with an efficiency. */
    const bool has_order = query.orders.count > 0;
    scaling.seeking = !has_order ? SEEKS_ORDER : query.sweeps_ranks ? SEEKS_RANKS : SEEKS_NOTHING;
    if (!has_order && (!option_given(line, OPTION_EFFICIENCY) || query.sweeps_ranks))
        return LACKING(
            line, NOWHERE, OPTION_ORDER,
            query.sweeps_ranks
                ? "give the order of the matrices, such as -n 1024, or ranks and an efficiency, "
                  "such as -p 64 --efficiency 0.5"
                : "the order of the matrices is missing: give -n 1024, or --efficiency 0.5");
    if (!option_share(line, OPTION_EFFICIENCY, &scaling.wanted))
        return STATUS_BAD_INPUT;
    if (!(scaling.wanted > 0 && scaling.wanted < 1))
        return BAD_INPUT(line->diag, option_value(line, OPTION_EFFICIENCY).span,
                         "an efficiency must lie between 0 and 1");
    query.study.skips_refused = query.ranks.count > 1;
    const WorkItems items = {.count = scaling.seeking ? 1 : query.ranks.count,
                             .rising = true,
                             .names = query_network_names(&query),
                             .work = find_scaled,
                             .take = take_scaled,
                             .context = &scaling};
    const Status status = workers_run(line, &items);
    if (status != STATUS_FINE)
        return scaling.status == STATUS_FINE ? status : scaling.status;
    if (scaling.rows.count == 0)
        return BAD_INPUT(
            line->diag, NOWHERE, "no algorithm for %s runs on these numbers of ranks%s",
            query.collective->head.name, scaling.seeking ? ", or none is that efficient" : "");
    if (option_given(line, OPTION_PICTURE))
        return scale_picture(&query, scaling.rows.items, scaling.rows.count,
                             scaling.seeking == SEEKS_ORDER ? scaling.wanted : 0);
    write_scale_answer(&scaling);
    return STATUS_FINE;
}

const Command command_scale = {
    .name = "scale",
    .operands = "PROBLEM[/ALGORITHM]",
    .summary = "how a product of matrices scales with n and p",
    .description =
        "Shows time, speedup, efficiency, cost, overhead and memory of parallel products for "
        "every n and p, and the largest p at which the efficiency is at least E (--efficiency, "
        "default 0.5): up to there the product is called cost-optimal. Without -p it is sought "
        "up to 4096. Without -n the answer is the isoefficiency function: for each p, the order "
        "n from which the efficiency is E, and how the work must grow with p. --picture plots "
        "these over p.",
    .examples = "collcost scale matmul -p 4..64 -n 1024\n"
                "collcost scale matmul -p 4..64 --efficiency 0.8",
    .options = OPTIONS_OF_RULES | OPTIONS_OF_PICTURES |
               OPTIONS(TOPOLOGY, RANKS, MACHINE, SET, TIES, PORTS, MODELS, OUTPUT, AMONG, WITHOUT,
                       ORDER, ELEMENT, EFFICIENCY, LOADS, USING, AXIS, JOBS),
    .run = run_scale,
};
