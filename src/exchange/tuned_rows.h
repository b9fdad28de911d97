/* Measurements of what a library would run that reads a tuning file. */
#ifndef COLLCOST_EXCHANGE_TUNED_ROWS_H
#define COLLCOST_EXCHANGE_TUNED_ROWS_H

#include "exchange/naming.h"
#include "exchange/tuning.h"

/* A tuning file, who reads it, and what is said of the rows. */
typedef struct {
    const TuningFormat *format;
    const Implementation *library;
    const char *version;
    const TuningFile *file;
    Library *models;
    const Naming *naming;
    double element; /* bytes */
} TunedRows;

/* For each row, whether the library would run its algorithm at its size. An algorithm is the
   library's that `naming` says, else that of its name. A row for which the library chose counts
   where the file leaves the choice to it, or names what it chooses by itself. NULL after a report.
 */
bool *tuned_rows_find(Arena *arena, const TunedRows *tuned, const MeasurementArray *rows,
                      Diag *diag);

#endif
