/* What a study says that a measurement should have been; and many of them, as a function of the
   parameters of a machine. */
#ifndef COLLCOST_EXCHANGE_PREDICTION_H
#define COLLCOST_EXCHANGE_PREDICTION_H

#include "exchange/naming.h"
#include "study/case.h"

ARRAY_TYPE(ShapeArray, Shape);

/* A question about many measurements; fill in the first four. Cases are opened once each. */
typedef struct {
    const Study *study;
    const Topology *topology;
    ShapeArray
        shapes; /* given ones; where none has the ranks of a row, the topology's own counts */
    Naming naming;
    struct {
        struct OpenedModel **items;
        size_t count, capacity;
    } opened;
} Predictor;

typedef struct {
    const char
        *ran; /* by its library, "open-mpi@4.1:ring/"; "": the log says it itself, or nobody */
    Case *of;
    const collcost_cost *cost;
} Prediction;

/* What one measurement should have been. An algorithm is the model that `naming` says, else the one
   of its name. Of one that the library chose, that counts which its decisions
   name where they are known, else the fastest that the model knows. A message
   between two ranks is one between the farthest pair of the first shape that is given. The first
   call for an algorithm on so many ranks derives its cost; further ones evaluate it. False, with a
   reason, where there is no model of it, it does not run there, or no time is predicted for it. */
bool prediction_find(Predictor *predictor, const Measurement *row, Prediction *found,
                     const char **reason);

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
    collcost_times *times;
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

/* Of the rows for which there is a case; reasons[i]: why there is none for another row; or NULL. */
FitModel fit_model_open(Predictor *predictor, const MeasurementArray *rows, const char **reasons);
/* seconds[i] on that machine of each modelled row, or of those that are `wanted`. False where there
   is no time. */
bool fit_model_seconds(const FitModel *model, const Machine *machine, const bool *wanted,
                       double *seconds);
/* What was derived so far is derived anew, so that times do not depend on the machines before. */
void fit_model_forget(FitModel *model);
void fit_model_close(FitModel *model);

#endif
