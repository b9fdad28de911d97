/* The cost of a schedule on a network, derived from its transfers and nothing else. */
#ifndef COLLCOST_COST_DERIVE_H
#define COLLCOST_COST_DERIVE_H

#include "cost/derive_trace.h"

/* False after a report. The profile lives in `arena`. */
bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    const Rules *rules, Profile *profile, Diag *diag);
typedef struct PortStepMemo PortStepMemo; /* cost/derive_memo.h */

/* profiles[i] by rules[i], `count` of them, from one expansion. memos[i] has port steps of other
   schedules on the network with the same rules and ports, and gets more; NULL, also of one: there
   is none. */
bool profile_derive_all(Arena *arena, const Instance *instance, const Network *network,
                        const Rules *rules, PortStepMemo *const *memos, size_t count,
                        Profile *profiles, Diag *diag);

/* One of several schedules on a network with the same rules and ports: `memo` has port steps of
   those before, and gets more. Where peaks are not wanted they may be -1: then nobody need be asked
   who holds which block, unless something combines. */
bool profile_derive_with(Arena *arena, PortStepMemo *memo, const Instance *instance,
                         const Network *network, const Rules *rules, bool wants_peaks,
                         Profile *profile, Diag *diag);

/* profile_derive, and calls `visitor`. */
bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, const TraceVisitor *visitor, Profile *profile, Diag *diag);

#endif
