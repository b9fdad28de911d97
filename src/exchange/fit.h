/* The parameters of a machine that predict measurements best.

   The model of a row is what a study predicts for it, so whatever can be varied in a machine
   (choose/varied.h) can be fitted. Logarithms of predicted / measured are fitted over logarithms of
   parameters. Each schedule is derived once, and again only where links have costs of their own. */
#ifndef COLLCOST_EXCHANGE_FIT_H
#define COLLCOST_EXCHANGE_FIT_H

#include "exchange/fit_question.h"

extern const char *const holdout_names[HOLDOUT_COUNT];

/* False after a report. Everything is in the arena of the study. */
bool fit_find(const FitQuestion *question, Fit *fit);
/* How far off a prediction is: the larger of the two over the other, less 1. */
double fit_error(double predicted, double measured);

#endif
