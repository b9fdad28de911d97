/* The parameters of a machine that predict measurements best.

   The model of a row is what a study predicts for it, so whatever can be varied in a machine
   (model/varied.h) can be fitted. Logarithms of predicted / measured are fitted over logarithms of
   parameters. Each schedule is derived once, and again only where links have costs of their own. */
#ifndef COLLCOST_EXCHANGE_FIT_QUESTION_H
#define COLLCOST_EXCHANGE_FIT_QUESTION_H

#include "exchange/message_pieces.h"
#include "exchange/prediction.h"
#include "model/varied.h"

typedef enum { HOLDOUT_NONE, HOLDOUT_ALGORITHM, HOLDOUT_SIZE, HOLDOUT_LOG, HOLDOUT_COUNT } Holdout;

/* A parameter that was to be fitted. Values are times, or times by byte. */
typedef struct {
    VariedParameter varied;
    double value;
    double factor;      /* 95 % interval: value / factor to value * factor; NAN: it is fixed */
    const char *reason; /* why it is fixed; NULL: it is fitted */
} FittedValue;
ARRAY_TYPE(FittedValueArray, FittedValue);

/* Between parameters that are fitted, by their places in the list. */
typedef struct {
    size_t first, second;
    double value;
} Correlation;
ARRAY_TYPE(CorrelationArray, Correlation);

typedef struct {
    Predictor *predictor; /* its study has the machine to begin with */
    const MeasurementArray *rows;
    bool begins_anywhere; /* the machine is none that a user has named */
    TextArray free;       /* names of parameters; none: all that can be told apart */
    int pieces;           /* 0: as many as the rows want */
    Holdout holdout;
} FitQuestion;

typedef struct {
    const Measurement *row;
    const char *reason; /* why it is not fitted; NULL: it is */
    const char *model;
    bool is_wild;               /* far off among few others: it does not count in the fit */
    double predicted, held_out; /* held_out NAN: without --holdout */
} FittedRow;

/* Rows that are predicted by a fit to all others. */
typedef struct {
    const Measurement *first;
    bool *rows; /* of those that are fitted: is it one of them? */
} HeldGroup;

typedef struct {
    Machine machine;
    FittedValueArray parameters;
    CorrelationArray correlations; /* of all that are fitted */
    FittedRow *rows;               /* of each measurement */
    size_t row_count, fitted;      /* rows that are fitted */
    MessagePieces pieces;          /* of messages between two ranks; count 0: none were measured */
    const Network *network;        /* of the row with the most ranks */
    struct Fitting *fitting;       /* until it is closed */
    HeldGroup *groups; /* that can be held out, since the others are more than the parameters */
    size_t group_count;
} Fit;

extern const char *const holdout_names[HOLDOUT_COUNT];

/* False after a report. Everything is in the arena of the study. */
bool fit_find(const FitQuestion *question, Fit *fit);
/* Fits all rows but those of a group, and predicts these: fit->rows[].held_out. What it finds does
   not depend on groups before. False after a report. */
bool fit_hold_out(Fit *fit, size_t group);
/* The number of the measurement that is row `i` of those that are fitted. */
size_t fit_row(const Fit *fit, size_t i);
void fit_close(Fit *fit);
/* How far off a prediction is: the larger of the two over the other, less 1. */
double fit_error(double predicted, double measured);

#endif
