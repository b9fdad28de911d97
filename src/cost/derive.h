/* The cost of a schedule on a network, derived from its transfers and nothing else. */
#ifndef COLLCOST_COST_DERIVE_H
#define COLLCOST_COST_DERIVE_H

#include "cost/derive_instance.h"

/* False after a report. Profiles live in `arena`. */
bool profiles_derive(Arena *arena, const Derivation *of, Diag *diag);
bool profile_derive(Arena *arena, const Instance *instance, const Network *network,
                    const Rules *rules, Profile *profile, Diag *diag);
/* One of several schedules on a network with the same rules and ports. */
bool profile_derive_with(Arena *arena, PortStepMemo *memo, const Instance *instance,
                         const Network *network, const Rules *rules, bool wants_peaks,
                         Profile *profile, Diag *diag);

/* profile_derive, and calls `visitor`. */
bool profile_trace(Arena *arena, const Instance *instance, const Network *network,
                   const Rules *rules, const TraceVisitor *visitor, Profile *profile, Diag *diag);

#endif
