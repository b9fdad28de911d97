/* The mean over ranks of the end of what each does last, in place of when all are done.

   With barriers, a rank is done in the last port step in which it sends, receives or combines:
   after those before, with its own messages, or, where something comes to be combined, with all
   messages of the port step and then what it combines itself; with gaps, also with what it did
   earlier in the round, if that lasts longer. So the ends of all ranks add up to

       sum over port steps of (ranks that go on) x (its time)  +  sum over ranks of the last part

   which is a profile, of as many port steps, that is divided by the number of ranks. Without
   barriers the run over the messages gives the ends. */
#ifndef COLLCOST_COST_DERIVE_FINISH_H
#define COLLCOST_COST_DERIVE_FINISH_H

#include "cost/derive_trace.h"

typedef struct Averager Averager;

/* Lives in `arena`, as does what it makes. `visitor` is to follow all transfers. */
Averager *averager_create(Arena *arena, int64_t ranks, TraceVisitor *visitor);
/* The profile, whose rules have barriers, becomes that of the mean. */
void averager_apply(Averager *averager, Profile *profile);

/* When each rank is done, in seconds; `ends` has room for all. */
void averager_ends(Averager *averager, const double *parameters, double block, double *ends);

#endif
