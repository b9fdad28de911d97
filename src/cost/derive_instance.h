/* Follows one schedule, round by round, and lists what its port steps cost. */
#ifndef COLLCOST_COST_DERIVE_INSTANCE_H
#define COLLCOST_COST_DERIVE_INSTANCE_H

#include "cost/derive_trace.h"

typedef struct PortStepMemo PortStepMemo; /* cost/derive_memo.h */

/* What is to be derived: profiles[i] by rules[i], `count` of them, which differ only in what
   messages cost alone, from one expansion; one where there are no barriers. */
typedef struct {
    const Instance *instance;
    const Network *network;
    const Rules *rules;
    size_t count;
    PortStepMemo *const
        *memos;            /* memos[i] has port steps of other schedules on the network with the
                              same rules and ports, and gets more; NULL, also of one: none */
    bool wants_peaks;      /* else they may be -1: then nobody need be asked who holds which block,
                              unless something combines */
    int64_t most_messages; /* of a round that lists them: more are too many; 0: no matter */
    const TraceVisitor *visitor; /* NULL: none */
    Profile *profiles;
} Derivation;

/* Follows it so, and fills the profiles. Where `wanted` has a rotation or a grid, its ranks stand
   for others or are followed dimension by dimension; with `all_combine`, for a schedule that is
   right, this is false, silently, where that does not follow from counts (fewest_combines). With
   `too_large` rounds are followed as runs of messages (sched/runs.h): then it is false, perhaps
   without a report, where they are none, and *too_large is where to follow them so is too much
   work, and so is any other way. False after a report. */
bool derive_instance(Arena *arena, const Derivation *of, const RoundsWanted *wanted,
                     Span *too_large, Diag *diag);

#endif
