/* The time of a profile over the size as a line that bends upwards. Many sizes are looked at, and
   the time of each sums up all port steps, or takes a run of a timeline: so all bends are found
   once. */
#ifndef COLLCOST_COST_BENT_LINE_H
#define COLLCOST_COST_BENT_LINE_H

#include "cost/derive.h"

typedef struct {
    SizeArray bends;  /* rising */
    CostParts *parts; /* of the line before each bend, and behind the last: transfer and compute by
                         byte. NULL: not found yet */
} BentLine;

/* Finds all bends, and keeps them in `arena`. False after a report. */
bool bent_line_find(Arena *arena, const Profile *profile, const double *parameters, BentLine *line,
                    Diag *diag);
/* The parts of the time at a size. O(log bends). */
CostParts bent_line_at(const BentLine *line, double bytes);
/* Appends the bends in (from, to). */
void bent_line_list(const BentLine *line, double from, double to, Arena *arena, SizeArray *sizes);

#endif
