/* What the heights of a picture of costs are (--axis): times, or what follows from them. */
#ifndef COLLCOST_CLI_COST_AXIS_H
#define COLLCOST_CLI_COST_AXIS_H

#include "cli/axes.h"
#include "cli/query.h"
#include "format/cost_curves.h"

/* `reference`: over which algorithm a speedup is; empty where that is not said. */
typedef struct {
    AxisKind kind;
    Text reference;
} CostAxis;

/* `usual` where there is no --axis. False after a report. */
bool cost_axis_read(const CommandLine *line, AxisKind usual, CostAxis *axis);

/* Makes of the seconds of the curves, and of the bound, what the axis wants. `best` is the curve to
   which speedups refer where no other is named. *words: what it is; *note: what more there is to
   say, or NULL. False after a report: it has no such value. */
bool cost_axis_apply(const CostAxis *axis, const Query *query, const Collective *collective,
                     size_t best, CostCurves *data, const char **words, const char **note);

#endif
