/* What rows of logs should take, as a function of the parameters of a machine. */
#ifndef COLLCOST_EXCHANGE_FIT_MODEL_H
#define COLLCOST_EXCHANGE_FIT_MODEL_H

#include "choose/varied.h"
#include "exchange/prediction.h"

/* A row with a model; `opened` is the place of its case in the model. */
typedef struct {
    const Measurement *row;
    size_t opened, place; /* place: in all rows */
    double log_seconds;
} ModelledRow;

typedef struct {
    Case *given; /* by the predictor */
    Case *now;   /* the same, or opened again for other costs of links; NULL: not yet */
    Arena *own;  /* of a case that was opened again */
    bool is_tried[DELAYS_OF_LEVELS], depends[DELAYS_OF_LEVELS]; /* on these delays */
} ModelledCase;

typedef struct {
    Arena *arena;
    Machine machine; /* of the cases as they are */
    ModelledRow *rows;
    size_t row_count;
    ModelledCase *cases;
    size_t case_count;
} FitModel;

/* Of the rows for which there is a case; reasons[i] is why there is none for the others, else NULL.
 */
FitModel fit_model_open(Predictor *predictor, const MeasurementArray *rows, const char **reasons);
/* From now on cases are derived on that machine, each when it is first needed: closed forms were
   chosen for parameters that are zero or not. */
void fit_model_open_again(FitModel *model, const Machine *machine);
/* seconds[i] on that machine of each modelled row, or of those that are `wanted`. False where there
   is no time. */
bool fit_model_seconds(FitModel *model, const Machine *machine, const bool *wanted,
                       double *seconds);
/* The algorithm of a row on the machine of the last call. */
const char *fit_model_algorithm(const FitModel *model, size_t row);
void fit_model_close(FitModel *model);

#endif
