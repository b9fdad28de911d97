/* Logs of benchmarks, read to measurements.

   A log may hold tables of several benchmarks, and anything between them; a reader knows its
   tables by what is printed above them. A log is refused, at file:line:column, where it has no
   rows, where something failed while it was written, where it may be cut off, and where it
   contradicts itself: a row that is not like its table, numbers of ranks that differ, and what its
   reader checks. */
#ifndef COLLCOST_EXCHANGE_LOG_H
#define COLLCOST_EXCHANGE_LOG_H

#include "base/diag.h"
#include "exchange/measurement.h"

/* Appends the rows of a log; the repeats of a row are rows of their own. False after a report. Time
   and memory grow with the length of the log. */
bool log_read(Arena *arena, const Source *source, const LogFacts *facts, MeasurementArray *rows,
              Diag *diag);

#endif
