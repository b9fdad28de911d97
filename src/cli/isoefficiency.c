#include "cli/isoefficiency.h"

#include "cost/growth.h"

#include <gsl/gsl_fit.h>
#include <math.h>

/* A power that is fitted to fewer points says nothing. */
enum { LEAST_POINTS = 3 };

/* The rows of one algorithm with more than one rank: log W against log p. */
static size_t list_logarithms(const ProblemRows *rows, const Algorithm *algorithm, double *x,
                              double *y)
{
    size_t count = 0;
    Diag silent = diag_silent();
    for (size_t i = 0; i < rows->count; i++) {
        const ProblemRow *row = &rows->items[i];
        double work;
        if (!problem_same(row->algorithm, algorithm) || row->point.p < 2 ||
            !problem_work(algorithm->collective->problem, row->point.n, &work, &silent))
            continue;
        x[count] = log((double)row->point.p);
        y[count++] = log(work);
    }
    return count;
}

/* "p^1.50 (fitted over p = 4 .. 4096)", or NULL */
static const char *describe_fit(const Query *query, const ProblemRows *rows,
                                const Algorithm *algorithm)
{
    double *x = ARENA_ARRAY(query->arena, double, rows->count);
    double *y = ARENA_ARRAY(query->arena, double, rows->count);
    double constant, slope, cov00, cov01, cov11, sum;
    size_t count = list_logarithms(rows, algorithm, x, y);
    if (count < LEAST_POINTS ||
        gsl_fit_linear(x, 1, y, 1, count, &constant, &slope, &cov00, &cov01, &cov11, &sum) != 0)
        return NULL;
    return arena_printf(query->arena, "p^%.2f (fitted over p = %.0f .. %.0f)", slope, exp(x[0]),
                        exp(x[count - 1]));
}

/* "p^1.5, by tw (from its closed form)", or NULL */
static const char *describe_order(const Query *query, const ProblemRow *row)
{
    ScaleCase scale;
    const Claim *claim = problem_case(query, row->algorithm, row->network, &scale)
                             ? scale_closed_form(&scale)
                             : NULL;
    if (!claim)
        return NULL;
    Growth growth = growth_find(query->arena, claim, &row->network->shape, query->rules.parameters,
                                scale_work_power(&scale));
    if (growth.kind == GROWTH_NEVER)
        return "faster than any n (from its closed form)";
    return growth.kind == GROWTH_FOUND ? arena_printf(query->arena, "%s (from its closed form)",
                                                      growth_describe(query->arena, &growth))
                                       : NULL;
}

void isoefficiency_write(const Query *query, const ProblemRows *rows, double wanted)
{
    for (size_t i = 0; i < rows->count; i++) {
        const ProblemRow *row = &rows->items[i];
        bool is_last = true;
        for (size_t j = i + 1; j < rows->count; j++)
            is_last &= !problem_same(rows->items[j].algorithm, row->algorithm);
        const char *fit = is_last ? describe_fit(query, rows, row->algorithm) : NULL;
        const char *order = is_last ? describe_order(query, row) : NULL;
        if (fit || order)
            fprintf(query->line->out,
                    "%s: to keep the efficiency at %.3g, the work must grow as %s%s%s\n",
                    row->algorithm->head.name, wanted, fit ? fit : "", fit && order ? "; " : "",
                    order ? order : "");
    }
}
