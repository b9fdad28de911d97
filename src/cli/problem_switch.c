#include "cli/problem_cost.h"

#include "choose/sweep.h"

#include <math.h>

enum { DEFAULT_LAST = 1 << 16 };

typedef struct {
    const Query *query;
    const Network *network;
    AlgorithmArray algorithms;
    SweepPointArray switches; /* the first n of each row */
} Sweep;

static bool find_times(void *context, int64_t n, double *seconds)
{
    const Sweep *sweep = context;
    for (size_t i = 0; i < sweep->algorithms.count; i++) {
        ScaleCase scale;
        if (!problem_case(sweep->query, sweep->algorithms.items[i], sweep->network, &scale) ||
            !scale_time(&scale, n, &seconds[i], sweep->query->study.diag))
            return false;
    }
    return true;
}

/* Leaves out what is too large to be followed. False after a report. */
static bool choose_candidates(Sweep *sweep, const AlgorithmArray *algorithms, int64_t first)
{
    for (size_t i = 0; i < algorithms->count; i++) {
        TimeTask task = {.n = first};
        Outcome outcome = problem_try(sweep->query, algorithms->items[i], sweep->network, true,
                                      problem_find_time, &task);
        if (outcome == OUTCOME_FAILED)
            return false;
        if (outcome == OUTCOME_DONE)
            *ARRAY_PUSH(sweep->query->study.arena, &sweep->algorithms) = algorithms->items[i];
    }
    return true;
}

static void write_rows(const Sweep *sweep, int64_t last, Table *table)
{
    for (size_t i = 0; i < sweep->switches.count; i++) {
        const SweepPoint *from = &sweep->switches.items[i];
        bool is_last = i + 1 == sweep->switches.count;
        size_t winner = winner_find(from->seconds, sweep->algorithms.count);
        const Algorithm *algorithm = sweep->algorithms.items[winner];
        put_text(table, KEY_problem, algorithm->collective->head.name);
        put_text(table, KEY_topology, sweep->network->name);
        put_number(table, KEY_p, (double)sweep->network->p);
        put_number(table, KEY_from_n, (double)from->at);
        put_number(table, KEY_to_n, (double)(is_last ? last : sweep->switches.items[i + 1].at - 1));
        put_text(table, KEY_algorithm, algorithm->head.name);
        put_number(table, KEY_total_at_from_s, from->seconds[winner]);
        table_row(table);
    }
}

/* -n LO..HI, or 1 .. 65536. */
static bool read_range(const Query *query, int64_t *first, int64_t *last)
{
    const IntArray *orders = &query->orders;
    *first = orders->count ? orders->items[0] : 1;
    *last = orders->count ? orders->items[orders->count - 1] : DEFAULT_LAST;
    if (orders->count == 0 || *first < *last)
        return true;
    diag_error(query->study.diag, option_value(query->line, OPTION_ORDER).span,
               "switch points are sought in a range of orders, such as 64..4096, or for one order "
               "in a range of ranks");
    return false;
}

static Status run_sweeps(const Query *query, const Collective *collective, int64_t first,
                         int64_t last, Sweep *sweeps)
{
    Status status = STATUS_FINE;
    for (size_t i = 0; status == STATUS_FINE && i < query->ranks.count; i++) {
        Network *network = ARENA_NEW(query->study.arena, Network);
        AlgorithmArray algorithms = {0};
        sweeps[i] = (Sweep){.query = query, .network = network};
        status = problem_prepare(query, collective, NULL, i, network, &algorithms);
        if (status == STATUS_FINE &&
            (!choose_candidates(&sweeps[i], &algorithms, first) ||
             !sweep_find_changes(query->study.arena, sweeps[i].algorithms.count, first, last,
                                 find_times, &sweeps[i], &sweeps[i].switches)))
            status = STATUS_BAD_INPUT;
    }
    return status;
}

static bool has_switches(const Query *query, const Sweep *sweeps)
{
    for (size_t i = 0; i < query->ranks.count; i++)
        if (sweeps[i].switches.count)
            return true;
    return false;
}

static void write_answer(const Query *query, const Collective *collective, const Sweep *sweeps,
                         int64_t last)
{
    bool is_text = query->format == FORMAT_TEXT;
    bool is_single = query->ranks.count == 1;
    if (is_text) {
        problem_describe_machine(query);
        fprintf(query->line->out, "\n%s%s%s\n", collective->head.name, is_single ? " on " : "",
                is_single ? sweeps[0].network->name : "");
    }
    Table *table =
        table_open(query->study.arena, query->line->out, query->format, TABLE_problem_switch);
    if (!is_single)
        table_title(table, KEY_topology, "topology");
    for (size_t i = 0; i < query->ranks.count; i++)
        write_rows(&sweeps[i], last, table);
    table_close(table);
    if (is_text)
        fprintf(query->line->out, "\nrules: %s\n",
                rules_describe(query->study.arena, &query->study.rules));
}

Status problem_switch(const Query *query, const Collective *collective, const Algorithm *only)
{
    int64_t first, last;
    Sweep *sweeps = ARENA_ARRAY(query->study.arena, Sweep, query->ranks.count);
    if (only) {
        diag_error(query->study.diag, query->line->operands.items[0].span,
                   "switch points are between algorithms: name the problem, and --among A,B");
        return STATUS_BAD_INPUT;
    }
    if (query->orders.count == 1 && query->ranks.count > 1)
        return problem_switch_ranks(query, collective);
    if (!read_range(query, &first, &last))
        return STATUS_BAD_INPUT;
    Status status = run_sweeps(query, collective, first, last, sweeps);
    if (status == STATUS_FINE && !has_switches(query, sweeps)) {
        diag_error(query->study.diag, NOWHERE, "no algorithm for %s runs on these numbers of ranks",
                   collective->head.name);
        return STATUS_BAD_INPUT;
    }
    if (status == STATUS_FINE)
        write_answer(query, collective, sweeps, last);
    return status;
}
