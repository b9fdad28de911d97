/* A fitted machine as a file, and in words. */
#ifndef COLLCOST_CLI_FITTED_H
#define COLLCOST_CLI_FITTED_H

#include "cli/query.h"
#include "exchange/fit_question.h"

/* A fitted machine as a model file. Can --save be written at all? True without it; false after a
   report: its name is not that of a model file, or is no name of a model. */
bool fitted_file_check(const CommandLine *line);
/* Writes it where --save says, if it does; not fine after a report. */
Status fitted_file_write(const Query *query, const Fit *fit);

/* What a fit says: parameters with intervals, what cannot be told apart, errors. As a text, a CSV
   of the parameters and one of the errors, or a JSON object. */
void fitted_write(const Query *query, const FitQuestion *question, const Fit *fit);

#endif
