/* What a choice of algorithms costs, by what was measured: the loss, or regret, of a model, of a
   library, and of the library with a tuning file. */
#ifndef COLLCOST_EXCHANGE_DECISIONS_H
#define COLLCOST_EXCHANGE_DECISIONS_H

#include "exchange/measurement.h"

/* At one size. A loss is by how much a time is above that of the fastest row, as a share of it. */
typedef struct {
    const Measurement *fastest; /* of all that were measured */
    const Measurement *chosen;  /* of the algorithms with a prediction, the one with the least */
    double chosen_loss;
    const Measurement *library; /* the row for which the library chose; NULL: there is none */
    double library_loss;
    const Measurement *tuned; /* what runs with a tuning file; NULL: that was not measured */
    double tuned_loss;
} Decision;
ARRAY_TYPE(DecisionArray, Decision);

/* Decisions at all sizes at which two algorithms or more have a prediction and a time of the same
   Finish, in the order of measurements_merge, but by size. `rows` are as measurements_merge leaves
   them; `predicted` has a time for each, NAN where there is none. Of equal predictions the first
   row counts. `is_tuned` says which rows are of what runs with a tuning file; NULL: there is none.
   Of several the first counts for which the library did not choose, else the first. */
DecisionArray decisions_find(Arena *arena, const MeasurementArray *rows, const double *predicted,
                             const bool *is_tuned);

typedef struct {
    size_t sizes, known; /* known: at which the library's choice was measured, too */
    double chosen, library;
    size_t tuned_sizes;    /* at which both that and what runs with the tuning file were measured */
    double tuned, untuned; /* the library's losses there, with the file and without */
} MeanLoss;

/* Means of losses; NAN where there are none. */
MeanLoss decisions_mean(const DecisionArray *decisions);

#endif
