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
   where the file leaves the choice to it, or names what it chooses by itself. */
bool *tuned_rows_find(Arena *arena, const TunedRows *tuned, const MeasurementArray *rows,
                      Diag *diag);

/* What a file would have changed where a library's choice was measured. */
typedef struct {
    size_t points, changed;
    size_t known; /* of those that change: what runs then was measured there */
    double gain;  /* there, how many times as long the library's choices took, as a mean of
                     logarithms; less 1 */
} TunedChange;

TunedChange tuned_rows_change(Arena *arena, const MeasurementArray *rows, const bool *is_tuned);

#endif
