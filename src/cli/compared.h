/* Measurements beside predictions, for the command compare. */
#ifndef COLLCOST_CLI_COMPARED_H
#define COLLCOST_CLI_COMPARED_H

#include "cli/query.h"
#include "exchange/prediction.h"

typedef struct {
    const Measurement *row;
    Prediction prediction;
    const char *reason; /* why there is none; NULL: there is one */
    double ratio;       /* predicted / measured */
    double error;       /* of the larger to the smaller, less 1 */
    /* Where the library chose: */
    const char *reached_by; /* the fastest algorithm of the model; NULL: it is not known */
    double reached, bound;  /* its predicted time, and the lower bound; seconds */
} ComparedRow;

/* In the order of measurements_merge. */
typedef struct {
    ComparedRow *items;
    size_t count, predicted;
} ComparedRows;

/* System and ranks per node, where the row says them. */
void compared_put_place(Table *table, const Measurement *row);
/* predicted / measured for each collective, sizes by algorithms, for people. Errors beyond `limit`
   are coloured if `has_colour`. */
void compared_write_matrices(FILE *out, Arena *arena, const ComparedRows *rows, double limit,
                             bool has_colour);

/* What the model would choose at each size, what was fastest, what the library chose, with --tuned
   what it runs with a tuning file, and what all lose. False after a report: nowhere is there a
   choice, or the file cannot be read. */
bool compared_write_decisions(const Query *query, const MeasurementArray *rows,
                              const ComparedRows *compared, const Naming *naming);

/* Measured times as points over the curves of the predicted ones, a plot for each collective, one
   below the other, into the file of --picture. */
Status compared_draw(const Query *query, const ComparedRows *rows);

#endif
