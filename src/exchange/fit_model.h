/* What rows of logs should take, as a function of the parameters of a machine. */
#ifndef COLLCOST_EXCHANGE_FIT_MODEL_H
#define COLLCOST_EXCHANGE_FIT_MODEL_H

#include "exchange/prediction.h"
#include "model/varied.h"

/* A row with a model; `opened` is the place of its case in the model. */
typedef struct {
    const Measurement *row;
    size_t opened, size; /* size: in those of the case */
    size_t place;        /* in all rows */
    double log_seconds;
} ModelledRow;

typedef struct {
    Case *opened;
    SizeArray sizes; /* of its rows, in their order */
    collcost_trial *trial;
    bool any, *wanted; /* of the last question */
    double *seconds;
} ModelledCase;

typedef struct {
    Arena *arena;
    ModelledRow *rows;
    size_t row_count;
    ModelledCase *cases;
    size_t case_count;
} FitModel;

/* Of the rows for which there is a case; reasons[i] is why there is none for the others, else NULL.
 */
FitModel fit_model_open(Predictor *predictor, const MeasurementArray *rows, const char **reasons);
/* seconds[i] on that machine of each modelled row, or of those that are `wanted`. False where there
   is no time. */
bool fit_model_seconds(const FitModel *model, const Machine *machine, const bool *wanted,
                       double *seconds);
void fit_model_close(FitModel *model);

#endif
