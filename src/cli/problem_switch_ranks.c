#include "cli/problem_cost.h"

#include "choose/sweep.h"

#include <math.h>

/* Candidates are the library's algorithms, in its order. */
typedef struct {
    const Query *query;
    const Collective *collective;
    AlgorithmArray candidates;
    SweepPointArray points; /* numbers of ranks on which any algorithm runs that can be followed */
} Sweep;

static size_t place_of(const Sweep *sweep, const Algorithm *algorithm)
{
    size_t i = 0;
    while (!problem_same(sweep->candidates.items[i], algorithm))
        i++;
    return i;
}

/* False after a report. */
static bool add_point(Sweep *sweep, const Network *network, const AlgorithmArray *algorithms)
{
    const Query *query = sweep->query;
    size_t count = sweep->candidates.count;
    double *seconds = ARENA_ARRAY(query->study.arena, double, count);
    for (size_t i = 0; i < count; i++)
        seconds[i] = NAN;
    for (size_t i = 0; i < algorithms->count; i++) {
        TimeTask task = {.n = query->orders.items[0]};
        Outcome outcome =
            problem_try(query, algorithms->items[i], network, true, problem_find_time, &task);
        if (outcome == OUTCOME_FAILED)
            return false;
        if (outcome == OUTCOME_DONE)
            seconds[place_of(sweep, algorithms->items[i])] = task.seconds;
    }
    if (winner_find(seconds, count) < count)
        *ARRAY_PUSH(query->study.arena, &sweep->points) = (SweepPoint){network->p, seconds};
    return true;
}

static Status find_points(Sweep *sweep)
{
    const Query *query = sweep->query;
    if (!library_algorithms(query->study.library, sweep->collective, &sweep->candidates,
                            query->study.diag))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < query->ranks.count; i++) {
        Network network;
        AlgorithmArray algorithms = {0};
        Status status = problem_prepare(query, sweep->collective, NULL, i, &network, &algorithms);
        if (status != STATUS_FINE)
            return status;
        if (!add_point(sweep, &network, &algorithms))
            return STATUS_BAD_INPUT;
    }
    return STATUS_FINE;
}

static void write_row(const Sweep *sweep, const SweepRow *row, Table *table)
{
    const Query *query = sweep->query;
    const SweepPoint *first = &sweep->points.items[row->first];
    const SweepPoint *last = &sweep->points.items[row->last];
    put_text(table, KEY_problem, sweep->collective->head.name);
    put_text(table, KEY_topology, query->topology->head.name);
    put_number(table, KEY_n, (double)query->orders.items[0]);
    put_number(table, KEY_from_p, (double)first->at);
    put_number(table, KEY_to_p, (double)last->at);
    put_text(table, KEY_algorithm, sweep->candidates.items[row->winner]->head.name);
    put_number(table, KEY_total_at_from_s, first->seconds[row->winner]);
    put_number(table, KEY_total_at_to_s, last->seconds[row->winner]);
    table_row(table);
}

Status problem_switch_ranks(const Query *query, const Collective *collective)
{
    bool is_text = query->format == FORMAT_TEXT;
    Sweep sweep = {.query = query, .collective = collective};
    Status status = find_points(&sweep);
    if (status != STATUS_FINE)
        return status;
    if (sweep.points.count == 0) {
        diag_error(query->study.diag, NOWHERE, "no algorithm for %s runs on these numbers of ranks",
                   collective->head.name);
        return STATUS_BAD_INPUT;
    }
    if (is_text) {
        problem_describe_machine(query);
        fprintf(query->line->out, "\n%s on %s, n = %lld\n", collective->head.name,
                query->topology->head.name, (long long)query->orders.items[0]);
    }
    Table *table =
        table_open(query->study.arena, query->line->out, query->format, TABLE_problem_switch_ranks);
    SweepRowArray rows = sweep_rows(query->study.arena, &sweep.points, sweep.candidates.count,
                                    SWEEP_JOIN_NEIGHBOURS);
    for (size_t i = 0; i < rows.count; i++)
        write_row(&sweep, &rows.items[i], table);
    table_close(table);
    if (is_text)
        fprintf(query->line->out, "\nrules: %s\n",
                rules_describe(query->study.arena, &query->study.rules));
    return STATUS_FINE;
}
