#include "cli/isoefficiency.h"

#include "scale/growth.h"

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

static void fit_power(const Query *query, const ProblemRows *rows, const Algorithm *algorithm,
                      Isoefficiency *found)
{
    double *x = ARENA_ARRAY(query->study.arena, double, rows->count);
    double *y = ARENA_ARRAY(query->study.arena, double, rows->count);
    double constant, slope, cov00, cov01, cov11, sum;
    size_t count = list_logarithms(rows, algorithm, x, y);
    found->power = NAN;
    if (count < LEAST_POINTS ||
        gsl_fit_linear(x, 1, y, 1, count, &constant, &slope, &cov00, &cov01, &cov11, &sum) != 0)
        return;
    *found = (Isoefficiency){.power = slope, .from = exp(x[0]), .to = exp(x[count - 1])};
}

static const char *find_order(const Query *query, const ProblemRow *row)
{
    ScaleCase scale;
    const Claim *claim = problem_case(query, row->algorithm, row->network, &scale)
                             ? scale_closed_form(&scale)
                             : NULL;
    if (!claim)
        return NULL;
    Growth growth = growth_find(query->study.arena, claim, &row->network->shape,
                                query->study.rules.parameters, scale_work_power(&scale));
    return growth.kind == GROWTH_NEVER   ? "faster than any n"
           : growth.kind == GROWTH_FOUND ? growth_describe(query->study.arena, &growth)
                                         : NULL;
}

Isoefficiency isoefficiency_find(const Query *query, const ProblemRows *rows, const ProblemRow *row)
{
    Isoefficiency found = {0};
    fit_power(query, rows, row->algorithm, &found);
    found.order = find_order(query, row);
    return found;
}

/* "p^1.50 (fitted over p = 4 .. 4096); p^1.5, by tw (from its closed form)" */
static void write_line(const Query *query, const ProblemRow *row, const Isoefficiency *found,
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

void isoefficiency_write(const Query *query, const ProblemRows *rows, double wanted)
{
    for (size_t i = 0; i < rows->count; i++) {
        const ProblemRow *row = &rows->items[i];
        bool is_last = true;
        for (size_t j = i + 1; j < rows->count; j++)
            is_last &= !problem_same(rows->items[j].algorithm, row->algorithm);
        if (!is_last)
            continue;
        Isoefficiency found = isoefficiency_find(query, rows, row);
        write_line(query, row, &found, wanted);
    }
}
