/* What the messages of a schedule share, found port step by port step. */
#ifndef COLLCOST_COST_DERIVE_SHARED_H
#define COLLCOST_COST_DERIVE_SHARED_H

#include "cost/derive_step.h"

/* May messages share resources by these rules? False after a report. */
bool sharing_is_possible(const Rules *rules, Diag *diag);
/* Notes the messages of a port step, in `arena`. False after a report. */
bool sharing_note(const LoadContext *context, Arena *arena, const PortStep *step, Sharing *sharing,
                  Diag *diag);

#endif
