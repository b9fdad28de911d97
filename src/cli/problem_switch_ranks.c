#include "cli/problem_cost.h"

/* One winner for all numbers of ranks from `from` to `to` on which any algorithm runs. */
typedef struct {
    int64_t from, to;
    const Algorithm *algorithm;
    double total_from, total_to;
} Reign;
ARRAY_TYPE(Reigns, Reign);

/* `fastest` NULL: nothing runs here, or nothing that can be followed. False after a report. */
static bool find_fastest(const Query *query, const Network *network,
                         const AlgorithmArray *algorithms, const Algorithm **fastest, double *least)
{
    *fastest = NULL;
    for (size_t i = 0; i < algorithms->count; i++) {
        TimeTask task = {.n = query->orders.items[0]};
        Outcome outcome =
            problem_try(query, algorithms->items[i], network, true, problem_find_time, &task);
        if (outcome == OUTCOME_FAILED)
            return false;
        if (outcome == OUTCOME_DONE && (!*fastest || task.seconds < *least)) {
            *fastest = algorithms->items[i];
            *least = task.seconds;
        }
    }
    return true;
}

static void extend(const Query *query, int64_t p, const Algorithm *fastest, double seconds,
                   Reigns *reigns)
{
    Reign *last = reigns->count ? &reigns->items[reigns->count - 1] : NULL;
    if (!last || p < last->to || !problem_same(last->algorithm, fastest)) {
        last = ARRAY_PUSH(query->arena, reigns);
        *last = (Reign){.from = p, .algorithm = fastest, .total_from = seconds};
    }
    last->to = p;
    last->total_to = seconds;
}

static Status find_reigns(const Query *query, const Collective *collective, Reigns *reigns)
{
    for (size_t i = 0; i < query->ranks.count; i++) {
        Network network;
        AlgorithmArray algorithms = {0};
        const Algorithm *fastest;
        double seconds = 0;
        Status status = problem_prepare(query, collective, NULL, i, &network, &algorithms);
        if (status != STATUS_FINE)
            return status;
        if (!find_fastest(query, &network, &algorithms, &fastest, &seconds))
            return STATUS_BAD_INPUT;
        if (fastest)
            extend(query, network.p, fastest, seconds, reigns);
    }
    return STATUS_FINE;
}

Status problem_switch_ranks(const Query *query, const Collective *collective)
{
    bool is_text = query->format == FORMAT_TEXT;
    Reigns reigns = {0};
    Status status = find_reigns(query, collective, &reigns);
    if (status != STATUS_FINE)
        return status;
    if (reigns.count == 0) {
        diag_error(query->diag, NOWHERE, "no algorithm for %s runs on these numbers of ranks",
                   collective->head.name);
        return STATUS_BAD_INPUT;
    }
    if (is_text) {
        problem_describe_machine(query);
        fprintf(query->line->out, "\n%s on %s, n = %lld\n", collective->head.name,
                query->topology->head.name, (long long)query->orders.items[0]);
    }
    Table *table =
        table_open(query->arena, query->line->out, query->format, TABLE_problem_switch_ranks);
    for (size_t i = 0; i < reigns.count; i++) {
        const Reign *reign = &reigns.items[i];
        put_text(table, KEY_problem, collective->head.name);
        put_text(table, KEY_topology, query->topology->head.name);
        put_number(table, KEY_n, (double)query->orders.items[0]);
        put_number(table, KEY_from_p, (double)reign->from);
        put_number(table, KEY_to_p, (double)reign->to);
        put_text(table, KEY_algorithm, reign->algorithm->head.name);
        put_number(table, KEY_total_at_from_s, reign->total_from);
        put_number(table, KEY_total_at_to_s, reign->total_to);
        table_row(table);
    }
    table_close(table);
    if (is_text)
        fprintf(query->line->out, "\nrules: %s\n", rules_describe(query->arena, &query->rules));
    return STATUS_FINE;
}
