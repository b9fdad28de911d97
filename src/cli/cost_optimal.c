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
    *ARRAY_PUSH(search->query->arena, search->rows) = *row;
}

static bool try_order(Search *search, const Algorithm *algorithm, const Network *network, int64_t n)
{
    const Query *query = search->query;
    const ProblemRow row = {algorithm, network, {.n = n}};
    ScaleCase scale;
    Diag silent = diag_silent();
    bool reached = false;
    if (!problem_case(query, algorithm, network, &scale))
        return false;
    if (scale_reaches(&scale, n, search->wanted, &reached, &silent)) {
        if (reached)
            keep_row(search, &row);
        return true;
    }
    if (!problem_left_out(query, algorithm, network, &silent))
        return scale_reaches(&scale, n, search->wanted, &reached, query->diag);
    *ARRAY_PUSH(query->arena, &search->stopped) = algorithm;
    return true;
}

static Status try_ranks(Search *search, const Collective *collective, const Algorithm *only,
                        size_t index)
{
    const Query *query = search->query;
    Network *network = ARENA_NEW(query->arena, Network);
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
            !scale_point(&scale, row->point.n, &row->point, query->diag))
            return STATUS_BAD_INPUT;
    }
    return status;
}
