/* From costs to the rules of a tuning file: the fastest algorithms of a library on some networks,
   where they are enough faster than what the library runs by itself.

   Where a log has times of the library's algorithms, these count in place of the model's.

   Switch points are those of study/case.h. Between them, gains are looked at where the
   library's own choice may change: at powers of two in m, M and the measure of the collective, and
   just below the next of these. A collective whose rules cannot depend on the size gets an
   algorithm only if that is nowhere slower. */
#ifndef COLLCOST_EXCHANGE_TUNING_PLAN_H
#define COLLCOST_EXCHANGE_TUNING_PLAN_H

#include "exchange/tuning_network.h"

/* Appends the rules of one collective of the format. The study is about a library. Rules
   are for the numbers of ranks that are asked about, and no others. False after a report. */
bool tuning_plan(const Study *study, const PlanQuestion *question, int collective,
                 TuningPlan *plan);

#endif
