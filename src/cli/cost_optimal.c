#include "cli/cost_optimal.h"

typedef struct {
    const Query *query;
    double wanted;
    ProblemRows *rows;
    AlgorithmArray stopped; /* too large to be followed from some p on */
} Search;

static bool is_stopped(const Search *search, const Algorithm *algorithm)
{
    for (size_t i = 0; i < search->stopped.count; i++)
        if (problem_same(search->stopped.items[i], algorithm))
            return true;
    return false;
}

/* Later networks are larger. */
static void keep_row(const Search *search, const ProblemRow *row)
{
    for (size_t i = 0; i < search->rows->count; i++) {
        ProblemRow *kept = &search->rows->items[i];
        if (problem_same(kept->algorithm, row->algorithm) && kept->point.n == row->point.n) {
            *kept = *row;
            return;
        }
    }
    *ARRAY_PUSH(search->query->study.arena, search->rows) = *row;
}

typedef struct {
    int64_t n;
    double wanted;
    bool reached;
} ReachTask;

static bool find_reach(void *context, const ScaleCase *scale, Diag *diag)
{
    ReachTask *task = context;
    return scale_reaches(scale, task->n, task->wanted, &task->reached, diag);
}

static bool try_order(Search *search, const Algorithm *algorithm, const Network *network, int64_t n)
{
    const Query *query = search->query;
    const ProblemRow row = {algorithm, network, {.n = n}};
    ReachTask task = {.n = n, .wanted = search->wanted};
    Outcome outcome = problem_try(query, algorithm, network, true, find_reach, &task);
    if (outcome == OUTCOME_LEFT_OUT)
        *ARRAY_PUSH(query->study.arena, &search->stopped) = algorithm;
    if (outcome == OUTCOME_DONE && task.reached)
        keep_row(search, &row);
    return outcome != OUTCOME_FAILED;
}

static Status try_ranks(Search *search, const Collective *collective, const Algorithm *only,
                        size_t index)
{
    const Query *query = search->query;
    Network *network = ARENA_NEW(query->study.arena, Network);
    AlgorithmArray algorithms = {0};
    Status status = problem_prepare(query, collective, only, index, network, &algorithms);
    for (size_t i = 0; status == STATUS_FINE && i < algorithms.count; i++)
        for (size_t n = 0; n < query->orders.count; n++)
            if (!is_stopped(search, algorithms.items[i]) &&
                !try_order(search, algorithms.items[i], network, query->orders.items[n]))
                return STATUS_BAD_INPUT;
    return status;
}

Status cost_optimal_find(const Query *query, const Collective *collective, const Algorithm *only,
                         double wanted, ProblemRows *rows)
{
    Search search = {.query = query, .wanted = wanted, .rows = rows};
    Status status = STATUS_FINE;
    for (size_t i = 0; status == STATUS_FINE && i < query->ranks.count; i++)
        status = try_ranks(&search, collective, only, i);
    for (size_t i = 0; status == STATUS_FINE && i < rows->count; i++) {
        ProblemRow *row = &rows->items[i];
        ScaleCase scale;
        if (!problem_case(query, row->algorithm, row->network, &scale) ||
            !scale_point(&scale, row->point.n, &row->point, query->study.diag))
            return STATUS_BAD_INPUT;
    }
    return status;
}
