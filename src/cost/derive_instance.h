/* Follows one schedule, round by round, and lists what its port steps cost. */
#ifndef COLLCOST_COST_DERIVE_INSTANCE_H
#define COLLCOST_COST_DERIVE_INSTANCE_H

#include "cost/derive_trace.h"

typedef struct PortStepMemo PortStepMemo; /* cost/derive_memo.h */

/* profiles[i] by rules[i], `count` of them, which differ only in what messages cost alone; one
   where there are no barriers. With a `rotation` or a `grid`, the instance's ranks stand for others
   or are followed dimension by dimension; with `all_combine`, for a schedule that is right, this is
   false, silently, where that does not follow from counts (cost/fewest_combines.h). memos[i] as in
   profile_derive_all. `visitor`: NULL: none. False after a report. */
bool derive_instance(Arena *arena, PortStepMemo *const *memos, const Instance *instance,
                     const Network *network, const Rules *rules, size_t count, bool wants_peaks,
                     const TraceVisitor *visitor, Profile *profiles, Diag *diag);

#endif
