/* The closed form of an algorithm that is made of others, which adds the claims about its stages,
   compared with what is derived from its schedule: exactly, on each topology, in the modes of
   switching of which claims speak, for one port, p = 1 .. largest, some roots and numbers of
   chunks. A claim of the algorithm's own is judged by verdicts.h. */
#ifndef COLLCOST_CLAIMS_STAGES_H
#define COLLCOST_CLAIMS_STAGES_H

#include "claims/verdict.h"
#include "model/library.h"

/* Of an algorithm. verdict->cases is 0 where there is no such closed form. False after a report. */
bool stages_judge(Arena *arena, Library *library, const VerdictSubject *subject, int64_t largest_p,
                  Verdict *verdict, Diag *diag);

#endif
