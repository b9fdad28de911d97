#include "cli/problem_cost.h"
#include "cli/setting.h"
#include "study/product_scale.h"

#include <math.h>

/* Ranks among which the largest p is sought. */
enum { MOST_SOUGHT = 4096 };

typedef enum { SEEKS_NOTHING, SEEKS_ORDER, SEEKS_RANKS } Seeking;

typedef struct {
    const Query *query;
    ProductPoints rows; /* network by network */
    double wanted;      /* efficiency */
    Seeking seeking;    /* what reaches it, and is not given */
} Scaling;

/* Nothing but where n is sought. */
static Isoefficiency growth_of(const Scaling *scaling, const ProductPoint *row)
{
    return scaling->seeking == SEEKS_ORDER ? product_isoefficiency(&scaling->rows, row)
                                           : (Isoefficiency){.power = NAN};
}

static void write_rows(const Scaling *scaling)
{
    const Query *query = scaling->query;
    Table *table = table_open(query->study.arena, query->line->out, query->format, TABLE_scale);
    for (size_t i = 0; i < scaling->rows.count; i++) {
        const ProductPoint *row = &scaling->rows.items[i];
        const ScalePoint *point = &row->point;
        Isoefficiency growth = growth_of(scaling, row);
        setting_put(table, query, row->algorithm->collective->problem,
                    setting_rules(query, &row->on->network));
        put_text(table, KEY_problem, row->algorithm->collective->head.name);
        put_text(table, KEY_algorithm, row->algorithm->head.name);
        put_text(table, KEY_topology, row->on->network.name);
        put_number(table, KEY_n, (double)point->n);
        put_number(table, KEY_p, (double)point->p);
        put_number(table, KEY_total_s, point->total);
        put_number(table, KEY_speedup, point->speedup);
        put_number(table, KEY_efficiency, point->efficiency);
        put_number(table, KEY_cost_s, point->cost);
        put_number(table, KEY_overhead_s, point->overhead);
        put_number(table, KEY_overhead_work, point->overhead_work);
        put_number(table, KEY_peak_bytes, point->memory);
        put_number(table, KEY_peak_total_bytes, point->memory_total);
        put_text(table, KEY_time_from, point->claim ? "closed form" : "schedule");
        put_number(table, KEY_work_power, growth.power);
        put_text(table, KEY_work_order, growth.order);
        table_row(table);
    }
    table_close(table);
}

/* "n = 1024: cannon from p = 4, dns from p = 512": the fastest on each network that was asked for.
 */
static void write_winners(const Scaling *scaling, int64_t n)
{
    const Query *query = scaling->query;
    const Algorithm *before = NULL;
    if (query->ranks.count < 2)
        return;
    for (size_t i = 0; i < query->ranks.count; i++) {
        const ProductPoint *row =
            product_fastest(query->study.arena, &scaling->rows, n, query->ranks.items[i]);
        if (!row || (before && product_is_same(row->algorithm, before)))
            continue;
        if (before)
            fputs(", ", query->line->out);
        else
            fprintf(query->line->out, "n = %lld: the fastest is ", (long long)n);
        fprintf(query->line->out, "%s from p = %lld", row->algorithm->head.name,
                (long long)row->point.p);
        before = row->algorithm;
    }
    fputs("\n", query->line->out);
}

/* For each n: who is the fastest, and up to which p the ranks' time is used well enough. */
static void write_best(const Scaling *scaling)
{
    const ProductPoints *rows = &scaling->rows;
    Arena *arena = scaling->query->study.arena;
    FILE *out = scaling->query->line->out;
    for (size_t i = 0; i < scaling->query->orders.count; i++) {
        int64_t n = scaling->query->orders.items[i];
        const ProductPoint *fastest = product_fastest(arena, rows, n, 0);
        const ProductPoint *largest = product_cost_optimal(arena, rows, n, scaling->wanted);
        if (!fastest)
            continue;
        write_winners(scaling, n);
        fprintf(out, "n = %lld: least time with %s on %s; ", (long long)n,
                fastest->algorithm->head.name, fastest->on->network.name);
        if (largest)
            fprintf(out, "an efficiency of %.3g or more up to p = %lld, with %s\n", scaling->wanted,
                    (long long)largest->point.p, largest->algorithm->head.name);
        else
            fprintf(out, "an efficiency of %.3g is not reached\n", scaling->wanted);
    }
}

/* "p^1.50 (fitted over p = 4 .. 4096); p^1.5, by tw (from its closed form)" */
static void write_growth_of(const Query *query, const ProductPoint *row, const Isoefficiency *found,
                            double wanted)
{
    FILE *out = query->line->out;
    bool has_fit = !isnan(found->power);
    if (!has_fit && !found->order)
        return;
    fprintf(out, "%s: to keep the efficiency at %.3g, the work must grow as ",
            row->algorithm->head.name, wanted);
    if (has_fit)
        fprintf(out, "p^%.2f (fitted over p = %.0f .. %.0f)%s", found->power, found->from,
                found->to, found->order ? "; " : "\n");
    if (found->order)
        fprintf(out, "%s (from its closed form)\n", found->order);
}

/* One line for each algorithm of which something is known. */
static void write_growth(const Query *query, const ProductPoints *rows, double wanted)
{
    for (size_t i = 0; i < rows->count; i++) {
        const ProductPoint *row = &rows->items[i];
        bool is_last = true;
        for (size_t j = i + 1; j < rows->count; j++)
            is_last &= !product_is_same(rows->items[j].algorithm, row->algorithm);
        if (!is_last)
            continue;
        Isoefficiency found = product_isoefficiency(rows, row);
        write_growth_of(query, row, &found, wanted);
    }
}

/* One of n and p may be left open, then with an efficiency. */
static bool read_seeking(Scaling *scaling)
{
    const Query *query = scaling->query;
    bool has_order = query->orders.count > 0;
    scaling->seeking = !has_order ? SEEKS_ORDER : query->sweeps_ranks ? SEEKS_RANKS : SEEKS_NOTHING;
    if (has_order || (option_given(query->line, OPTION_EFFICIENCY) && !query->sweeps_ranks))
        return true;
    diag_error(query->study.diag, NOWHERE,
               query->sweeps_ranks
                   ? "give the order of the matrices, such as -n 1024, or ranks and an efficiency, "
                     "such as -p 64 --efficiency 0.5"
                   : "the order of the matrices is missing: give -n 1024, or --efficiency 0.5");
    return false;
}

static bool read_wanted(Scaling *scaling)
{
    const Query *query = scaling->query;
    scaling->wanted = 0.5;
    if (!option_given(query->line, OPTION_EFFICIENCY))
        return true;
    Text text = option_value(query->line, OPTION_EFFICIENCY);
    if (!quantity_parse(text, DIMENSION_NONE, &scaling->wanted, query->study.diag))
        return false;
    if (scaling->wanted > 0 && scaling->wanted < 1)
        return true;
    diag_error(query->study.diag, text.span, "an efficiency must lie between 0 and 1");
    return false;
}

static void write_answer(const Scaling *scaling, const Collective *collective)
{
    const Query *query = scaling->query;
    if (query->format != FORMAT_TEXT) {
        write_rows(scaling);
        return;
    }
    fprintf(query->line->out, "%s\n\n", collective->head.name);
    write_rows(scaling);
    fputc('\n', query->line->out);
    if (scaling->seeking == SEEKS_RANKS)
        fprintf(query->line->out,
                "p is the largest up to %d at which the efficiency is at least %.3g\n", MOST_SOUGHT,
                scaling->wanted);
    else if (scaling->seeking == SEEKS_ORDER)
        write_growth(query, &scaling->rows, scaling->wanted);
    else
        write_best(scaling);
    problem_describe(query);
}

static Status find_rows(Scaling *scaling, const Collective *collective, const Algorithm *only)
{
    const IntArray *orders = &scaling->query->orders;
    ProductPoints *rows = &scaling->rows;
    ProductCases cases = {0};
    Status status = problem_open(scaling->query, collective, only, &cases);
    if (status != STATUS_FINE)
        return status;
    bool found = scaling->seeking == SEEKS_RANKS
                     ? product_largest_ranks(&cases, orders, scaling->wanted, rows)
                 : scaling->seeking == SEEKS_ORDER ? product_orders(&cases, scaling->wanted, rows)
                                                   : product_scaling(&cases, orders, rows);
    return found ? STATUS_FINE : STATUS_BAD_INPUT;
}

static Status run(const CommandLine *line)
{
    Query query;
    const Collective *collective;
    const Algorithm *only;
    Scaling scaling = {.query = &query};
    if (!query_read_subject_sweeping(line, MOST_SOUGHT, &query, &collective, &only))
        return STATUS_BAD_INPUT;
    if (!collective->problem) {
        diag_error(line->diag, line->operands.items[0].span,
                   "%s is a collective; 'scale' takes a problem, such as matmul",
                   collective->head.name);
        return STATUS_BAD_INPUT;
    }
    if (!read_seeking(&scaling) || !read_wanted(&scaling))
        return STATUS_BAD_INPUT;
    Status status = find_rows(&scaling, collective, only);
    if (status != STATUS_FINE)
        return status;
    if (scaling.rows.count == 0) {
        diag_error(line->diag, NOWHERE, "no algorithm for %s runs on these numbers of ranks%s",
                   collective->head.name, scaling.seeking ? ", or none is that efficient" : "");
        return STATUS_BAD_INPUT;
    }
    write_answer(&scaling, collective);
    return STATUS_FINE;
}

const Command command_scale = {
    .name = "scale",
    .operands = "PROBLEM[/ALGORITHM]",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "how a product of matrices scales with n and p",
    .description =
        "Time, speedup, efficiency, cost, overhead and memory of parallel products, for every n\n"
        "and p; up to which p the efficiency is at least E (--efficiency, default 0.5), which is\n"
        "here what is called cost-optimal. Without -p, the largest such p up to 4096. Without -n,\n"
        "the order n from which the efficiency is E, for each p: the isoefficiency function, with\n"
        "the power of p by which work must grow.",
    .options = OPTION_BIT(TOPOLOGY) | OPTION_BIT(RANKS) | OPTION_BIT(MACHINE) | OPTION_BIT(SET) |
               OPTION_BIT(TIES) | OPTION_BIT(PORTS) | OPTION_BIT(MODELS) | OPTION_BIT(OUTPUT) |
               OPTION_BIT(AMONG) | OPTION_BIT(WITHOUT) | OPTION_BIT(ORDER) | OPTION_BIT(ELEMENT) |
               OPTION_BIT(EFFICIENCY) | OPTION_BIT(LOADS) | OPTION_BIT(USING) | OPTIONS_OF_RULES,
    .run = run,
};
