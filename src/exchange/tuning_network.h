/* The rules of a tuning file for one network. */
#ifndef COLLCOST_EXCHANGE_TUNING_NETWORK_H
#define COLLCOST_EXCHANGE_TUNING_NETWORK_H

#include "exchange/tuning_measured.h"
#include "study/case.h"

typedef struct {
    PlannedRules rules; /* by collective, ranks and sizes; without gaps where there are any */
    PlanNotes notes;
    bool is_measured; /* times of the logs were compared */
} TuningPlan;

typedef struct {
    const TuningFormat *format;
    const Topology *topology;
    const Shape *shapes; /* with rising numbers of ranks */
    size_t count;
    double least_gain; /* a share; a rule that gains less leaves the choice to the library */
    double least_measured_gain; /* the same between measured times; switch points closer than it are
                                   one */
    MeasuredRows measured;
} PlanQuestion;

/* Appends the rules of one collective of the format, whose model that is, for the network with
   shapes[index] of the question, with rising sizes; and what has none. False after a report. */
bool tuning_network(const Study *study, const PlanQuestion *question, size_t index, int collective,
                    const Collective *model, TuningPlan *all);

#endif
