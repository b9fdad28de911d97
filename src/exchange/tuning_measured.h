/* What a log says of a library's algorithms for one collective on one network.

   Each algorithm has times at some sizes. Between two of them that are at most 16 times apart, its
   time lies on a line in the logarithms of size and time; after others it stays the same to below
   twice the size. Elsewhere it has none. */
#ifndef COLLCOST_EXCHANGE_TUNING_MEASURED_H
#define COLLCOST_EXCHANGE_TUNING_MEASURED_H

#include "cost/derive_path.h"
#include "exchange/naming.h"
#include "exchange/tuning_planned.h"
#include "study/study.h"

typedef struct {
    double bytes, seconds; /* m */
} MeasuredTime;
ARRAY_TYPE(MeasuredSeries, MeasuredTime);

/* An algorithm that rules can name. */
typedef struct {
    const LibraryAlgorithm *algorithm;
    const char *name; /* in logs: "ring", or with its protocol "ring_ll128" */
    int protocol;     /* the number of its case */
    size_t candidate; /* there, if it has a model */
    bool is_crowded;  /* the model lacks what its messages cost */
} PlanOption;
ARRAY_TYPE(PlanOptions, PlanOption);

typedef struct {
    PlanOptions options;
    MeasuredSeries *series; /* of each, by rising size; the one behind them is of calls for which
                               the library chose */
    SizeArray sizes;        /* rising: where there are times, where they end, and where two of them
                               cross */
} MeasuredTimes;

/* Rows, as measurements_merge leaves them, and what their algorithms are called. */
typedef struct {
    const MeasurementArray *rows; /* NULL: none */
    Naming naming;
} MeasuredRows;

/* The rows for one collective on so many ranks, as times of these algorithms. Of
   rows that count until different moments, those count of which there are most. Rows that are no
   such algorithm's are noted. */
MeasuredTimes measured_times(const Study *study, const MeasuredRows *measured,
                             const TunedCollective *tuned, int64_t p, const PlanOptions *options,
                             PlanNotes *notes);
/* The times at m bytes, of all and of the library's choice; NAN: none. */
void measured_at(const MeasuredTimes *times, double m, double *seconds);

#endif
