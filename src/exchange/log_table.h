/* Rows of tables, which fill all columns. */
#ifndef COLLCOST_EXCHANGE_LOG_TABLE_H
#define COLLCOST_EXCHANGE_LOG_TABLE_H

#include "exchange/log_columns.h"

/* A line below the headings: whole rows are handed over. LINE_WRONG after a report. */
LineFate log_table_take(LogReading *reading, LogTable *table, const LogLine *line);

#endif
