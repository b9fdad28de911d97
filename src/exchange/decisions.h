/* What a choice of algorithms costs, by what was measured: the loss, or regret, of a model, of a
   library, and of the library with a tuning file. */
#ifndef COLLCOST_EXCHANGE_DECISIONS_H
#define COLLCOST_EXCHANGE_DECISIONS_H

#include "exchange/measurement.h"

/* At one size, as if its rows had not been measured: of each algorithm the prediction counts, times
   what it was off at the sizes beside it, on a line
   in the logarithm of the size. The library's choice is left only where another algorithm is
   expected to be faster than the library, whose time lies on a line between those at the sizes
   beside this one, by more than 10 % and by more than such expectations are off for this
   collective, as a standard deviation; where it was not slower at both of those sizes, or at the
   ends of what was measured gained twice as much at the one; and where expectations are off by less
   than a factor of 1.6. An algorithm that is new must gain twice the deviation. Without rows of the
   library the least expectation counts.

   A loss is by how much a time is above that of the fastest row that can be chosen, as a share of
   it. */
typedef struct {
    const Measurement *fastest; /* of those with a prediction, and of the library */
    const Measurement *chosen;
    const Measurement *library; /* the row for which the library chose; NULL: there is none */
    const Measurement *tuned;   /* what runs with a tuning file; NULL: that was not measured */
    double chosen_loss, library_loss, tuned_loss; /* NAN: of no row */
} Decision;
ARRAY_TYPE(DecisionArray, Decision);

/* By what decisions are made. */
typedef struct {
    const double *predicted; /* for each row; NAN where there is none */
    const double *held_out;  /* by a machine that knows nothing of the row, or of its size; NULL: as
                                predicted */
    const bool *is_tuned;    /* rows of what runs with a tuning file; NULL: there is none */
    bool is_new; /* each algorithm is new in turn, all others are measured at all sizes */
} DecisionBasis;

/* Decisions at all sizes at which two algorithms or more have a prediction and a time of the same
   Finish, in the order of measurements_merge, but by size. `rows` are as measurements_merge leaves
   them. Of equal expectations the first row counts. Of several with a tuning file the first counts
   for which the library did not choose, else the first. O(n log n). */
DecisionArray decisions_find(Arena *arena, const MeasurementArray *rows,
                             const DecisionBasis *basis);

typedef struct {
    size_t sizes, known; /* known: at which the library's choice was measured, too */
    double chosen, library;
    size_t tuned_sizes;    /* at which both that and what runs with the tuning file were measured */
    double tuned, untuned; /* the library's losses there, with the file and without */
} MeanLoss;

/* Means of losses; NAN where there are none. */
MeanLoss decisions_mean(const DecisionArray *decisions);

#endif
