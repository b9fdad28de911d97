#include "cli/problem_cost.h"

#include "choose/winner.h"
#include "study/candidates.h"
#include "verify/verify.h"

#include <string.h>

/* Ranks and n up to which a product is tried before its cost is shown. */
enum { MOST_RANKS = 128, TRIED_ORDER = 24 };

bool problem_case(const Query *query, const Algorithm *algorithm, const Network *network,
                  ScaleCase *scale)
{
    *scale = (ScaleCase){algorithm,
                         network,
                         &query->study.rules,
                         query->study.machine.multiply,
                         query->study.element,
                         option_given(query->line, OPTION_LOADS)};
    if (scale->multiply > 0)
        return true;
    diag_error(query->study.diag, NOWHERE,
               "machine %s does not say how long a multiply-add takes: give --set tm=1ps",
               query->study.machine.head.name);
    return false;
}

/* The algorithms that run on a network, of those asked for; none is fine where several networks
   were asked for. False after a report. */
static bool list_algorithms(const Query *query, const Collective *collective, const Algorithm *only,
                            const Network *network, AlgorithmArray *algorithms)
{
    Query sweep = *query;
    sweep.study.skips_refused = query->ranks.count > 1;
    return candidates_list(&sweep.study, collective, only, network, algorithms, NULL);
}

/* Runs an algorithm on small matrices for this number of ranks. After a report: STATUS_CHECK_FAILED
   where it is wrong, STATUS_BAD_INPUT where its schedule makes no sense. */
static Status audit(const Query *query, const Algorithm *algorithm, const Network *network)
{
    Instance instance = {.algorithm = algorithm,
                         .p = network->p,
                         .k = 1,
                         .ports = rules_ports(&query->study.rules, network),
                         .shape = &network->shape,
                         .order = TRIED_ORDER};
    if (network->p > MOST_RANKS)
        return STATUS_FINE;
    size_t errors = query->study.diag->error_count;
    Verification result = verify_schedule(query->study.arena, &instance, query->study.diag);
    if (query->study.diag->error_count > errors)
        return STATUS_BAD_INPUT;
    if (result.right || !result.failure.text)
        return STATUS_FINE;
    diag_error(query->study.diag, result.failure.span, "%s", result.failure.text);
    diag_note(query->study.diag, algorithm->head.span, "so %s is wrong",
              algorithm_full_name(query->study.arena, algorithm));
    return STATUS_CHECK_FAILED;
}

Status problem_prepare(const Query *query, const Collective *collective, const Algorithm *only,
                       size_t index, Network *network, AlgorithmArray *algorithms)
{
    if (!query_network(query, index, network) ||
        !list_algorithms(query, collective, only, network, algorithms))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < algorithms->count; i++) {
        Status status = audit(query, algorithms->items[i], network);
        if (status != STATUS_FINE)
            return status;
    }
    return STATUS_FINE;
}

Outcome problem_try(const Query *query, const Algorithm *algorithm, const Network *network,
                    bool has_others, ProblemTask task, void *context)
{
    ScaleCase scale;
    Diag silent = diag_silent();
    if (!problem_case(query, algorithm, network, &scale))
        return OUTCOME_FAILED;
    if (task(context, &scale, &silent))
        return OUTCOME_DONE;
    if (!has_others || silent.limit_count < silent.error_count)
        return task(context, &scale, query->study.diag) ? OUTCOME_DONE : OUTCOME_FAILED;
    diag_warning(query->study.diag, NOWHERE,
                 "%s is left out for p = %lld: too large to be followed here",
                 algorithm_full_name(query->study.arena, algorithm), (long long)network->p);
    return OUTCOME_LEFT_OUT;
}

bool problem_find_time(void *context, const ScaleCase *scale, Diag *diag)
{
    TimeTask *task = context;
    return scale_time(scale, task->n, &task->seconds, diag);
}

bool problem_same(const Algorithm *a, const Algorithm *b)
{
    return a->collective == b->collective && strcmp(a->head.name, b->head.name) == 0;
}

/* The fastest first. */
static void order_rows(Arena *arena, ProblemRow *rows, size_t count)
{
    const ProblemRow *found = ARENA_COPY(arena, ProblemRow, rows, count);
    double *seconds = ARENA_ARRAY(arena, double, count);
    size_t *order = ARENA_ARRAY(arena, size_t, count);
    for (size_t i = 0; i < count; i++)
        seconds[i] = rows[i].point.total;
    winner_order(seconds, count, order);
    for (size_t i = 0; i < count; i++)
        rows[i] = found[order[i]];
}

static void write_row(const Query *query, const ProblemRow *row, Table *table)
{
    const ScalePoint *point = &row->point;
    put_text(table, KEY_problem, row->algorithm->collective->head.name);
    put_text(table, KEY_algorithm, row->algorithm->head.name);
    put_text(table, KEY_topology, row->network->name);
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
    put_text(table, KEY_rules,
             rules_describe_on(query->study.arena, &query->study.rules, row->network));
    table_row(table);
}

static bool find_point(void *context, const ScaleCase *scale, Diag *diag)
{
    ScalePoint *point = context;
    return scale_point(scale, point->n, point, diag);
}

/* Those that can be followed, for one n; the fastest first. False after a report. */
static bool add_rows(const Query *query, const Network *network, const AlgorithmArray *algorithms,
                     int64_t order, ProblemRows *rows)
{
    size_t first = rows->count;
    for (size_t i = 0; i < algorithms->count; i++) {
        ProblemRow row = {algorithms->items[i], network, {.n = order}};
        Outcome outcome = problem_try(query, row.algorithm, network, algorithms->count > 1,
                                      find_point, &row.point);
        if (outcome == OUTCOME_FAILED)
            return false;
        if (outcome == OUTCOME_DONE)
            *ARRAY_PUSH(query->study.arena, rows) = row;
    }
    if (rows->count > first)
        order_rows(query->study.arena, rows->items + first, rows->count - first);
    return true;
}

static Status add_network(const Query *query, const Collective *collective, const Algorithm *only,
                          size_t index, ProblemRows *rows)
{
    Network *network = ARENA_NEW(query->study.arena, Network);
    AlgorithmArray algorithms = {0};
    Status status = problem_prepare(query, collective, only, index, network, &algorithms);
    for (size_t n = 0; status == STATUS_FINE && n < query->orders.count; n++)
        if (!add_rows(query, network, &algorithms, query->orders.items[n], rows))
            return STATUS_BAD_INPUT;
    return status;
}

static void write_answer(const Query *query, const Collective *collective, const ProblemRows *rows)
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
    fprintf(query->line->out, "rules: %s\n",
            rules_describe(query->study.arena, &query->study.rules));
}

Status problem_cost(const Query *query, const Collective *collective, const Algorithm *only)
{
    if (!query->orders.count) {
        diag_error(query->study.diag, NOWHERE,
                   "the order of the matrices is missing: give -n 1024");
        return STATUS_BAD_INPUT;
    }
    ProblemRows rows = {0};
    for (size_t i = 0; i < query->ranks.count; i++) {
        Status status = add_network(query, collective, only, i, &rows);
        if (status != STATUS_FINE)
            return status;
    }
    write_answer(query, collective, &rows);
    return STATUS_FINE;
}
