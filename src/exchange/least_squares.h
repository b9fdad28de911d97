/* Nonlinear least squares with robust weights: Levenberg and Marquardt's method, under Huber's
   loss.

   Residuals within 1.345 times their scale, the median of their sizes as a standard deviation,
   count in full, larger ones less, by their distance. The variance is Huber's for such weights
   (Huber and Ronchetti, Robust Statistics, 2nd edition, section 7.6). All is done in an arena, in
   one order, so that the digits are the same on every build. */
#ifndef COLLCOST_EXCHANGE_LEAST_SQUARES_H
#define COLLCOST_EXCHANGE_LEAST_SQUARES_H

#include "base/arena.h"

/* What is fitted. Both functions fill what they are given for the parameters `at`; false ends the
   fit. Residuals that are not finite make a step fail. */
typedef struct {
    void *context;
    size_t rows, parameters; /* more rows than parameters */
    const double *weights;   /* of the rows, 0 or more; NULL: all 1 */
    double most_step;        /* of a parameter at once */
    double sure_scale;       /* residuals are not taken to be smaller than this */
    bool (*residuals)(void *context, const double *at, double *residuals);
    /* slopes[row * parameters + parameter] */
    bool (*slopes)(void *context, const double *at, double *slopes);
} LeastSquares;

typedef struct {
    double *at;         /* parameters */
    double *residuals;  /* of all rows, also those with weight 0 */
    double *covariance; /* of the parameters, parameters x parameters; not finite where singular */
    double *singular;   /* values of the slopes with columns of length 1, in no order */
    double *directions; /* directions[i * parameters + j]: of the i-th of these */
    double *lengths;    /* of the columns of the slopes, root mean square over rows that count */
    double scale;       /* of the residuals */
    double loss;        /* sum over rows of Huber's loss, in squares of the scale */
    double counted;     /* rows that count, less parameters */
    int steps;
} LeastSquaresFit;

/* Begins at `start`. The fit lives in `arena`. False where a function says so at the start. */
bool least_squares_fit(Arena *arena, const LeastSquares *problem, const double *start,
                       LeastSquaresFit *fit);

#endif
