/* Nonlinear least squares with robust weights: GSL's trust region (Levenberg and Marquardt), under
   a soft L1 loss.

   Residuals well below the scale of the loss count by their squares, larger ones by their sizes:
   the loss of r is 2 s^2 (sqrt(1 + (r / s)^2) - 1). The scale is given and stays, so that losses
   can be compared. The variance is Huber's for such weights (Huber and Ronchetti, Robust
   Statistics, 2nd edition, section 7.6). */
#ifndef COLLCOST_EXCHANGE_LEAST_SQUARES_H
#define COLLCOST_EXCHANGE_LEAST_SQUARES_H

#include "base/arena.h"

/* What is fitted. Both functions fill what they are given for the parameters `at`; false where
   there is no value there, so that a step is not taken. */
typedef struct {
    void *context;
    size_t rows, parameters; /* more rows than parameters */
    const double *weights;   /* of the rows, 0 or more; NULL: all 1 */
    double scale;            /* of the loss */
    bool (*residuals)(void *context, const double *at, double *residuals);
    /* slopes[row * parameters + parameter] */
    bool (*slopes)(void *context, const double *at, double *slopes);
} LeastSquares;

typedef struct {
    double *at;         /* parameters */
    double *residuals;  /* of all rows, also those with weight 0 */
    double *covariance; /* of the parameters, parameters x parameters; not finite where singular */
    double *lengths;    /* of the columns of the slopes, root mean square over rows that count */
    double loss;        /* sum over rows */
    double counted;     /* rows that count, less parameters */
} LeastSquaresFit;

/* Begins at `start`. The fit lives in `arena`. False where a function says so at the start. */
bool least_squares_fit(Arena *arena, const LeastSquares *problem, const double *start,
                       LeastSquaresFit *fit);

#endif
