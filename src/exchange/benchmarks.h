/* What benchmarks print above and between their tables. */
#ifndef COLLCOST_EXCHANGE_BENCHMARKS_H
#define COLLCOST_EXCHANGE_BENCHMARKS_H

#include "exchange/log_columns.h"

/* Opens a table if the line stands above one. LINE_WRONG after a report. */
LineFate benchmark_open(LogReading *reading, const LogLine *line);
/* A line below that which is no row. */
LineFate benchmark_take(LogReading *reading, LogTable *table, const LogLine *line);
/* Finds on how many ranks a table was measured, once it has a row. False after a report. */
bool benchmark_ranks(LogReading *reading, LogTable *table);

#endif
