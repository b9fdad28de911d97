#include "exchange/least_squares.h"

#include "base/sort.h"
#include "base/watch.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SCALES = 30, MOST_STEPS = 60, MOST_SWEEPS = 40 };

static const double huber = 1.345;
/* The median of the sizes of normally distributed numbers, as a standard deviation. */
static const double median_to_deviation = 1.4826022185056018;
/* A step, or a scale, that changes by less is the last one. */
static const double last_step = 1e-7, last_scale = 1e-6;

typedef struct {
    const LeastSquares *problem;
    LeastSquaresFit *fit;
    double *tried, *tried_residuals; /* a step, and what it gives */
    double *slopes, *sizes;
    double *normal, *gradient; /* of the weighted slopes, columns of length 1 */
    double *norms;             /* of the weighted columns */
    double *step;
    double damping;
} Work;

static double weight_of(const LeastSquares *problem, size_t row)
{
    return problem->weights ? problem->weights[row] : 1;
}

/* Huber's weight of a residual. */
static double influence(double residual, double scale)
{
    double size = fabs(residual);
    return size <= huber * scale ? 1 : huber * scale / size;
}

/* Of residuals, in squares of that scale. */
static double loss_of(const LeastSquares *problem, const double *residuals, double scale)
{
    double sum = 0;
    for (size_t i = 0; i < problem->rows; i++) {
        double size = fabs(residuals[i]) / scale, weight = weight_of(problem, i);
        if (weight > 0)
            sum += weight * (size <= huber ? size * size : 2 * huber * size - huber * huber);
    }
    return sum;
}

static double find_scale(Work *work, const double *residuals)
{
    const LeastSquares *problem = work->problem;
    size_t count = 0;
    for (size_t i = 0; i < problem->rows; i++)
        if (weight_of(problem, i) > 0)
            work->sizes[count++] = fabs(residuals[i]);
    if (count == 0)
        return problem->sure_scale;
    sort_doubles(work->sizes, count);
    double median = count % 2 ? work->sizes[count / 2]
                              : (work->sizes[count / 2 - 1] + work->sizes[count / 2]) / 2;
    /* so many residuals are made smaller by the parameters themselves */
    double spared = (double)count / fmax(1, (double)count - (double)problem->parameters);
    return fmax(median_to_deviation * median * sqrt(spared), problem->sure_scale);
}

/* The normal equations, their columns scaled to length 1. Empty columns stay 0. */
static void add_up(Work *work)
{
    const LeastSquares *problem = work->problem;
    size_t n = problem->parameters;
    memset(work->normal, 0, n * n * sizeof *work->normal);
    memset(work->gradient, 0, n * sizeof *work->gradient);
    for (size_t i = 0; i < problem->rows; i++) {
        const double *row = &work->slopes[i * n];
        double residual = work->fit->residuals[i];
        double weight = weight_of(problem, i) * influence(residual, work->fit->scale);
        if (weight <= 0)
            continue;
        for (size_t a = 0; a < n; a++) {
            work->gradient[a] += weight * row[a] * residual;
            for (size_t b = 0; b <= a; b++)
                work->normal[a * n + b] += weight * row[a] * row[b];
        }
    }
    for (size_t a = 0; a < n; a++)
        work->norms[a] = sqrt(work->normal[a * n + a]);
    for (size_t a = 0; a < n; a++) {
        work->gradient[a] = work->norms[a] > 0 ? work->gradient[a] / work->norms[a] : 0;
        for (size_t b = 0; b <= a; b++) {
            double norms = work->norms[a] * work->norms[b];
            double value = norms > 0 ? work->normal[a * n + b] / norms : 0;
            work->normal[a * n + b] = work->normal[b * n + a] = value;
        }
    }
}

/* One rotation of Jacobi's method for the pair (a, b) of a symmetric matrix. */
static void rotate(double *matrix, double *vectors, size_t n, size_t a, size_t b)
{
    double off = matrix[a * n + b];
    if (off == 0)
        return;
    double theta = (matrix[b * n + b] - matrix[a * n + a]) / (2 * off);
    double tangent = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double cosine = 1 / sqrt(tangent * tangent + 1), sine = tangent * cosine;
    for (size_t i = 0; i < n; i++) {
        double first = matrix[i * n + a], second = matrix[i * n + b];
        matrix[i * n + a] = cosine * first - sine * second;
        matrix[i * n + b] = sine * first + cosine * second;
    }
    for (size_t i = 0; i < n; i++) {
        double first = matrix[a * n + i], second = matrix[b * n + i];
        matrix[a * n + i] = cosine * first - sine * second;
        matrix[b * n + i] = sine * first + cosine * second;
        first = vectors[a * n + i], second = vectors[b * n + i];
        vectors[a * n + i] = cosine * first - sine * second;
        vectors[b * n + i] = sine * first + cosine * second;
    }
}

/* The symmetric matrix becomes its eigenvalues on the diagonal; vectors[i * n ...] is that of the
   i-th. */
static void diagonalise(double *matrix, double *vectors, size_t n)
{
    for (size_t i = 0; i < n * n; i++)
        vectors[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double off = 0;
        for (size_t a = 0; a < n; a++)
            for (size_t b = a + 1; b < n; b++)
                off += matrix[a * n + b] * matrix[a * n + b];
        if (off <= DBL_EPSILON * DBL_EPSILON)
            return;
        for (size_t a = 0; a < n; a++)
            for (size_t b = a + 1; b < n; b++)
                rotate(matrix, vectors, n, a, b);
    }
}

/* Solves the damped equations by what the normal matrix has become. */
static void find_step(Work *work)
{
    size_t n = work->problem->parameters;
    memset(work->step, 0, n * sizeof *work->step);
    for (size_t i = 0; i < n; i++) {
        const double *vector = &work->fit->directions[i * n];
        double value = fmax(work->normal[i * n + i], 0), along = 0;
        for (size_t a = 0; a < n; a++)
            along += vector[a] * work->gradient[a];
        for (size_t a = 0; a < n; a++)
            work->step[a] -= vector[a] * along / (value + work->damping);
    }
    double longest = 0;
    for (size_t a = 0; a < n; a++) {
        work->step[a] = work->norms[a] > 0 ? work->step[a] / work->norms[a] : 0;
        longest = fmax(longest, fabs(work->step[a]));
    }
    if (longest > work->problem->most_step)
        for (size_t a = 0; a < n; a++)
            work->step[a] *= work->problem->most_step / longest;
}

/* One better place, or none. The length of the step, 0 where there is none. */
static double advance(Work *work)
{
    const LeastSquares *problem = work->problem;
    LeastSquaresFit *fit = work->fit;
    size_t n = problem->parameters;
    if (!problem->slopes(problem->context, fit->at, work->slopes))
        return 0;
    add_up(work);
    diagonalise(work->normal, fit->directions, n);
    double loss = loss_of(problem, fit->residuals, fit->scale);
    for (; work->damping < 1e12; work->damping *= 8) {
        find_step(work);
        double longest = 0;
        for (size_t a = 0; a < n; a++) {
            work->tried[a] = fit->at[a] + work->step[a];
            longest = fmax(longest, fabs(work->step[a]));
        }
        if (longest < last_step)
            return 0;
        if (!problem->residuals(problem->context, work->tried, work->tried_residuals))
            continue;
        double tried = loss_of(problem, work->tried_residuals, fit->scale);
        if (!(tried < loss))
            continue;
        memcpy(fit->at, work->tried, n * sizeof *fit->at);
        memcpy(fit->residuals, work->tried_residuals, problem->rows * sizeof *fit->residuals);
        work->damping = fmax(work->damping / 16, 1e-12);
        return loss - tried > 1e-10 * loss ? longest : 0;
    }
    return 0;
}

/* Huber's variance of what is estimated with these weights, as a factor of the inverse of the
   unweighted normal matrix. */
static double find_variance(const Work *work)
{
    const LeastSquares *problem = work->problem;
    double within = 0, squares = 0, count = 0, scale = work->fit->scale;
    for (size_t i = 0; i < problem->rows; i++) {
        double residual = work->fit->residuals[i], weight = weight_of(problem, i);
        if (weight <= 0)
            continue;
        double cut = residual * influence(residual, scale);
        within += fabs(residual) <= huber * scale;
        squares += cut * cut;
        count++;
    }
    double spare = fmax(count - (double)problem->parameters, 1);
    double share = fmax(within / count, 0.1);
    double correction = 1 + (double)problem->parameters / count * (1 - share) / share;
    return correction * correction * squares / spare / (share * share);
}

/* What the slopes at the end say about the parameters; rows count in full, or not at all. */
static void find_covariance(Work *work)
{
    LeastSquaresFit *fit = work->fit;
    const LeastSquares *problem = work->problem;
    size_t n = problem->parameters, count = 0;
    double scale = fit->scale, variance = find_variance(work);
    fit->scale = INFINITY; /* nothing is an outlier */
    add_up(work);
    fit->scale = scale;
    for (size_t i = 0; i < problem->rows; i++)
        count += weight_of(problem, i) > 0;
    diagonalise(work->normal, fit->directions, n);
    for (size_t i = 0; i < n; i++) {
        fit->singular[i] = sqrt(fmax(work->normal[i * n + i], 0));
        fit->lengths[i] = work->norms[i] / sqrt((double)(count ? count : 1));
    }
    memset(fit->covariance, 0, n * n * sizeof *fit->covariance);
    for (size_t i = 0; i < n; i++) {
        const double *vector = &fit->directions[i * n];
        double value = fit->singular[i] * fit->singular[i];
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                fit->covariance[a * n + b] +=
                    vector[a] * vector[b] / value * variance / (work->norms[a] * work->norms[b]);
    }
    fit->counted = (double)count - (double)n;
}

static Work open_work(Arena *arena, const LeastSquares *problem, const double *start,
                      LeastSquaresFit *fit)
{
    size_t n = problem->parameters, rows = problem->rows + 1;
    *fit = (LeastSquaresFit){
        .at = ARENA_COPY(arena, double, start, n),
        .residuals = ARENA_ARRAY(arena, double, rows),
        .covariance = ARENA_ARRAY(arena, double, n *n + 1),
        .singular = ARENA_ARRAY(arena, double, n + 1),
        .directions = ARENA_ARRAY(arena, double, n *n + 1),
        .lengths = ARENA_ARRAY(arena, double, n + 1),
    };
    return (Work){
        .problem = problem,
        .fit = fit,
        .tried = ARENA_ARRAY(arena, double, n + 1),
        .tried_residuals = ARENA_ARRAY(arena, double, rows),
        .slopes = ARENA_ARRAY(arena, double, rows *(n + 1)),
        .sizes = ARENA_ARRAY(arena, double, rows),
        .normal = ARENA_ARRAY(arena, double, n *n + 1),
        .gradient = ARENA_ARRAY(arena, double, n + 1),
        .norms = ARENA_ARRAY(arena, double, n + 1),
        .step = ARENA_ARRAY(arena, double, n + 1),
        .damping = 1e-3,
    };
}

bool least_squares_fit(Arena *arena, const LeastSquares *problem, const double *start,
                       LeastSquaresFit *fit)
{
    Work work = open_work(arena, problem, start, fit);
    if (!problem->residuals(problem->context, fit->at, fit->residuals))
        return false;
    for (int i = 0; i < MOST_SCALES; i++) {
        double before = fit->scale;
        fit->scale = find_scale(&work, fit->residuals);
        bool moved = false;
        for (int step = 0; step < MOST_STEPS; step++) {
            watch_poll(arena);
            double length = advance(&work);
            moved |= length > 0;
            fit->steps++;
            if (length < last_step)
                break;
        }
        work.damping = fmin(work.damping, 1e-3);
        if (!moved && fabs(fit->scale - before) <= last_scale * fit->scale)
            break;
    }
    fit->loss = loss_of(problem, fit->residuals, fit->scale);
    if (!problem->slopes(problem->context, fit->at, work.slopes))
        return false;
    find_covariance(&work);
    return true;
}
