/* What a fit says: parameters with intervals, what cannot be told apart, errors. */
#ifndef COLLCOST_CLI_FITTED_TEXT_H
#define COLLCOST_CLI_FITTED_TEXT_H

#include "cli/query.h"
#include "exchange/fit.h"

/* As a text, a CSV of the parameters and one of the errors, or a JSON object. */
void fitted_write(const Query *query, const FitQuestion *question, const Fit *fit);

#endif
