/* Inside of the reading of algorithms for problems (algorithm.c, steps.c): how arrays are cut into
   blocks, who holds which before and after, and steps that name blocks of arrays. */
#ifndef COLLCOST_MODEL_PLACEMENT_H
#define COLLCOST_MODEL_PLACEMENT_H

#include "model/loader.h"

/* Reads `blocks`; the arrays of the problem become names. False after a report. */
bool placement_read_blocks(Loader *loader, const Node *map);
/* Reads `before` and `after`, once all names are known; nothing for an algorithm of a collective.
   False after a report. */
bool placement_read_ends(Loader *loader, const Node *map);
/* Have the sets as many indices as their arrays? False after a report. */
bool placement_check_sets(const Loader *loader, const SetList *sets);
/* Reads a step `compute: C(i, j) += A(i, k) * B(k, j)`. False after a report. */
bool placement_read_compute(Loader *loader, const Node *map, ScheduleStep *step);
/* Reads `of` of a use: blocks by the indices of the used algorithm's collective. False after a
   report. */
bool placement_read_of(Loader *loader, const Node *map, Use *use);

#endif
