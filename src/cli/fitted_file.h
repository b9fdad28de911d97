/* A fitted machine as a model file. */
#ifndef COLLCOST_CLI_FITTED_FILE_H
#define COLLCOST_CLI_FITTED_FILE_H

#include "cli/query.h"
#include "exchange/fit.h"

/* Can --save be written at all? True without it; false after a report: its name is not that of a
   model file, or is no name of a model. */
bool fitted_file_check(const CommandLine *line);
/* Writes it where --save says, if it does; not fine after a report. */
Status fitted_file_write(const Query *query, const Fit *fit);

#endif
