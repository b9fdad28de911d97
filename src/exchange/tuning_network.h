/* The rules of a tuning file for one network. */
#ifndef COLLCOST_EXCHANGE_TUNING_NETWORK_H
#define COLLCOST_EXCHANGE_TUNING_NETWORK_H

#include "exchange/tuning_plan.h"

/* Appends the rules of one collective of the format, whose model that is, for the network with
   shapes[index] of the question, with rising sizes; and what has none. False after a report. */
bool tuning_network(const Study *study, const PlanQuestion *question, size_t index, int collective,
                    const Collective *model, TuningPlan *all);

#endif
