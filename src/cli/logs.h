/* Logs of benchmarks as commands take them: files, and options that say what these leave open. */
#ifndef COLLCOST_CLI_LOGS_H
#define COLLCOST_CLI_LOGS_H

#include "cli/query.h"
#include "exchange/fit_question.h"
#include "exchange/prediction.h"

/* All operands, as --collective, --unit, --system and the number of ranks say; merged. False after
   a report. */
bool logs_read(const Query *query, const Naming *naming, MeasurementArray *rows);
/* One log, merged, by the same options; `p` where it does not say its number of ranks. False after
   a report. */
bool logs_read_one(const Query *query, Text path, int64_t p, MeasurementArray *rows);
/* Those of --measured, each [NAME=]LOG: rows for which the library chose are of the algorithm NAME;
   merged, as logs_read does it. They must be of one system. False after a report. */
bool logs_read_measured(const Query *query, MeasurementArray *rows);
/* --map NAME=MODEL or --map FILE, and --algorithm NAME. False after a report. */
bool logs_read_naming(const Query *query, Naming *naming);
/* On the networks of the query. */
Predictor logs_predictor(const Query *query, const Naming *naming);
/* "osu.log:12" */
const char *logs_place(Arena *arena, Span place);
/* Sorts errors of rows, of which there are some, and puts how many, median and extremes. */
void logs_put_errors(Table *table, double *errors, size_t count);
/* The q-th part of `count` numbers that rise. */
double logs_quantile(const double *sorted, size_t count, double q);

/* A fitted machine as a file, and in words. */

/* A fitted machine as a model file. Can --save be written at all? True without it; false after a
   report: its name is not that of a model file, or is no name of a model. */
bool fitted_file_check(const CommandLine *line);
/* Writes it where --save says, if it does; not fine after a report. */
Status fitted_file_write(const Query *query, const Fit *fit);

/* What a fit says: parameters with intervals, what cannot be told apart, errors. As a text, a CSV
   of the parameters and one of the errors, or a JSON object. */
void fitted_write(const Query *query, const FitQuestion *question, const Fit *fit);

#endif
