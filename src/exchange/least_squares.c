#include "exchange/least_squares.h"

#include "base/watch.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlin.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60 };

/* A step that is shorter is the last one. */
static const double last_step = 1e-7;
/* What stands for a residual where there is none. */
static const double no_residual = 1e30;
/* A column of the slopes counts as no shorter than this share of the longest: one that goes to
   nothing would take all of a step. */
static const double least_column = 1e-2;

/* What GSL holds while it works, which an interrupt ends. */
typedef struct {
    Resource resource;
    gsl_multifit_nlinear_workspace *workspace;
    gsl_error_handler_t *handler; /* of the process, which is off meanwhile: it could end it */
} Held;

typedef struct {
    const LeastSquares *problem;
    double *residuals, *slopes;
} Work;

static double weight_of(const LeastSquares *problem, size_t row)
{
    return problem->weights ? problem->weights[row] : 1;
}

/* sqrt(1 + (r / s)^2) */
static double stretch(double residual, double scale)
{
    return sqrt(1 + residual * residual / (scale * scale));
}

static double loss_of(double residual, double scale)
{
    return 2 * residual * residual /
           (1 + stretch(residual, scale)); /* without a difference of equals */
}

/* A residual whose square is the loss. */
static int find_values(const gsl_vector *at, void *context, gsl_vector *values)
{
    Work *work = context;
    const LeastSquares *problem = work->problem;
    bool good = problem->residuals(problem->context, at->data, work->residuals);
    for (size_t i = 0; i < problem->rows; i++) {
        double residual = good ? work->residuals[i] : no_residual, weight = weight_of(problem, i);
        if (!isfinite(residual))
            residual = no_residual;
        gsl_vector_set(
            values, i,
            weight == 0 ? 0 : copysign(sqrt(weight * loss_of(residual, problem->scale)), residual));
    }
    return GSL_SUCCESS;
}

static int find_slopes(const gsl_vector *at, void *context, gsl_matrix *slopes)
{
    Work *work = context;
    const LeastSquares *problem = work->problem;
    const size_t n = problem->parameters;
    if (!problem->residuals(problem->context, at->data, work->residuals) ||
        !problem->slopes(problem->context, at->data, work->slopes))
        return GSL_EFAILED;
    for (size_t i = 0; i < problem->rows; i++) {
        /* d sqrt(loss) / dr, which is 1 at 0. */
        double stretched = stretch(work->residuals[i], problem->scale);
        double factor = sqrt(weight_of(problem, i)) * (sqrt((1 + stretched) / 2) / stretched);
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(slopes, i, j,
                           weight_of(problem, i) == 0 ? 0 : factor * work->slopes[i * n + j]);
    }
    return GSL_SUCCESS;
}

/* More's scaling, the longest that a column was so far, with a floor. */
static int update_scale(const gsl_matrix *slopes, gsl_vector *diagonal)
{
    double longest = 0;
    for (size_t j = 0; j < slopes->size2; j++) {
        double sum = 0;
        for (size_t i = 0; i < slopes->size1; i++)
            sum += gsl_matrix_get(slopes, i, j) * gsl_matrix_get(slopes, i, j);
        gsl_vector_set(diagonal, j, fmax(gsl_vector_get(diagonal, j), sqrt(sum)));
        longest = fmax(longest, gsl_vector_get(diagonal, j));
    }
    for (size_t j = 0; j < slopes->size2; j++)
        gsl_vector_set(diagonal, j,
                       fmax(gsl_vector_get(diagonal, j), longest > 0 ? least_column * longest : 1));
    return GSL_SUCCESS;
}

static int begin_scale(const gsl_matrix *slopes, gsl_vector *diagonal)
{
    gsl_vector_set_zero(diagonal);
    return update_scale(slopes, diagonal);
}

static void end_held(Resource *resource)
{
    Held *held = (Held *)resource; /* its first member */
    if (held->workspace)
        gsl_multifit_nlinear_free(held->workspace);
    gsl_set_error_handler(held->handler);
}

/* inverse = (J^T J)^-1, as gsl_multifit_nlinear_covar has it, in memory of the arena: what that
   allocates by itself it does not check. */
static void invert_squares(Arena *arena, const gsl_matrix *slopes, gsl_matrix *inverse)
{
    enum { COLUMNS = 2 }; /* tau and norms */
    const size_t rows = slopes->size1, n = slopes->size2;
    int sign;
    gsl_permutation order = {n, ARENA_ARRAY(arena, size_t, n)};
    gsl_matrix_view copy = gsl_matrix_view_array(ARENA_ARRAY(arena, double, rows *n), rows, n);
    gsl_matrix_view columns =
        gsl_matrix_view_array(ARENA_ARRAY(arena, double, COLUMNS *n), COLUMNS, n);
    gsl_vector_view scales = gsl_matrix_row(&columns.matrix, 0);
    gsl_vector_view norms = gsl_matrix_row(&columns.matrix, 1);
    if (rows < n)
        return;
    gsl_matrix_memcpy(&copy.matrix, slopes);
    gsl_linalg_QRPT_decomp(&copy.matrix, &scales.vector, &order, &sign, &norms.vector);
    gsl_matrix_view triangle = gsl_matrix_submatrix(&copy.matrix, 0, 0, n, n);
    gsl_multifit_covar_QRPT(&triangle.matrix, &order, 1e-7, inverse);
}

/* The variance of robust estimates times the inverse of the slopes' squares. */
static void find_covariance(const LeastSquares *problem, const Work *work, LeastSquaresFit *fit,
                            Arena *arena)
{
    const size_t n = problem->parameters;
    double squares = 0, curvature = 0, rows = 0;
    double *scaled = ARENA_ARRAY(arena, double, problem->rows *n + 1);
    gsl_matrix_view matrix = gsl_matrix_view_array(scaled, problem->rows, n);
    gsl_matrix_view covariance = gsl_matrix_view_array(fit->covariance, n, n);
    for (size_t i = 0; i < problem->rows; i++) {
        double weight = weight_of(problem, i),
               stretched = stretch(fit->residuals[i], problem->scale);
        rows += weight;
        squares += weight * pow(fit->residuals[i] / stretched, 2);
        curvature += weight / pow(stretched, 3);
        for (size_t j = 0; j < n; j++)
            scaled[i * n + j] = sqrt(weight) * work->slopes[i * n + j];
    }
    fit->counted = rows - (double)n;
    double share = curvature / rows, correction = 1 + (double)n / rows * (1 - share) / share;
    double variance = squares / fmax(fit->counted, 1) / (share * share) * correction * correction;
    invert_squares(arena, &matrix.matrix, &covariance.matrix);
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        bool is_singular = !(fit->covariance[j * n + j] > 0);
        for (size_t i = 0; i < problem->rows; i++)
            sum += scaled[i * n + j] * scaled[i * n + j];
        fit->lengths[j] = sqrt(sum / rows);
        for (size_t k = 0; k < n; k++)
            fit->covariance[j * n + k] =
                is_singular && j == k ? INFINITY : variance * fit->covariance[j * n + k];
    }
}

/* From there to the least loss; false: there is no value at the start. */
static bool minimize(Arena *arena, const LeastSquares *problem, Work *work, double *at)
{
    static const gsl_multifit_nlinear_scale scaling = {"more, with a floor", begin_scale,
                                                       update_scale};
    const size_t n = problem->parameters;
    gsl_multifit_nlinear_parameters settings = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf functions = {
        .f = find_values, .df = find_slopes, .n = problem->rows, .p = n, .params = work};
    gsl_vector_view start = gsl_vector_view_array(at, n);
    Held held = {.handler = gsl_set_error_handler_off()};
    settings.scale = &scaling;
    workspace_hold(arena_workspace(arena), &held.resource, end_held);
    held.workspace =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &settings, problem->rows, n);
    if (!held.workspace)
        workspace_fail(arena_workspace(arena), problem->rows * n * sizeof(double));
    bool good = gsl_multifit_nlinear_init(&start.vector, &functions, held.workspace) == GSL_SUCCESS;
    for (int step = 0, info = 0; good && step < MOST_STEPS; step++) {
        watch_poll(arena);
        int status = gsl_multifit_nlinear_iterate(held.workspace);
        memcpy(at, gsl_multifit_nlinear_position(held.workspace)->data, n * sizeof *at);
        if (status != GSL_SUCCESS ||
            gsl_multifit_nlinear_test(last_step, 0, 0, &info, held.workspace) == GSL_SUCCESS)
            break;
    }
    workspace_drop(&held.resource);
    end_held(&held.resource);
    return good;
}

bool least_squares_fit(Arena *arena, const LeastSquares *problem, const double *start,
                       LeastSquaresFit *fit)
{
    const size_t n = problem->parameters, rows = problem->rows;
    *fit = (LeastSquaresFit){.at = ARENA_ARRAY(arena, double, n + 1),
                             .residuals = ARENA_ARRAY(arena, double, rows + 1),
                             .covariance = ARENA_ARRAY(arena, double, n *n + 1),
                             .lengths = ARENA_ARRAY(arena, double, n + 1)};
    Work work = {problem, ARENA_ARRAY(arena, double, rows + 1),
                 ARENA_ARRAY(arena, double, rows *n + 1)};
    memcpy(fit->at, start, n * sizeof *start);
    if (!problem->residuals(problem->context, start, work.residuals) ||
        (n > 0 && !minimize(arena, problem, &work, fit->at)) ||
        !problem->residuals(problem->context, fit->at, fit->residuals) ||
        !problem->slopes(problem->context, fit->at, work.slopes))
        return false;
    for (size_t i = 0; i < rows; i++)
        fit->loss += weight_of(problem, i) * loss_of(fit->residuals[i], problem->scale);
    if (n > 0)
        find_covariance(problem, &work, fit, arena);
    return isfinite(fit->loss);
}
