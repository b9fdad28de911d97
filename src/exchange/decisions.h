/* What a choice of algorithms costs, by what was measured: the loss, or regret, of a model and of a
   library. */
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
} Decision;
ARRAY_TYPE(DecisionArray, Decision);

/* Decisions at all sizes at which two algorithms or more have a prediction and a time of the same
   Finish, in the order of measurements_merge, but by size. `rows` are as measurements_merge leaves
   them; `predicted` has a time for each, NAN where there is none. Of equal predictions the first
   row counts. */
DecisionArray decisions_find(Arena *arena, const MeasurementArray *rows, const double *predicted);

typedef struct {
    size_t sizes, known; /* known: at which the library's choice was measured, too */
    double chosen, library;
} MeanLoss;

/* Means of losses; NAN where there are none. */
MeanLoss decisions_mean(const DecisionArray *decisions);

#endif
