/* Verdicts: claims against derived costs, computed bounds and networks, exactly, over a grid.

   The grid is p = 1 .. largest, some roots, numbers of chunks and ports, on every topology and in
   every mode of switching that the claim leaves open, other rules being the usual ones; it is
   walked from small to large, so the first mismatch is the smallest counterexample. Times are
   compared by the coefficients of each parameter that the claim's source knows, and for mixtures
   of all of them, as fractions. */
#ifndef COLLCOST_CLAIMS_VERDICTS_H
#define COLLCOST_CLAIMS_VERDICTS_H

#include "claims/verdict.h"
#include "model/library.h"

/* The same for claims as texts print them, which leave out what they neglect: terms of parameters
   that do not occur are zero, and what fails may be about one way of switching alone. The claims
   become those that the verdicts are about. */
bool verdicts_find_printed(const VerdictQuestion *asked, const ClaimList *claims,
                           Verdict *verdicts);
/* One verdict for each claim, in their order; the claims need not be the subject's own. */
bool verdicts_find(const VerdictQuestion *asked, const ClaimList *claims, Verdict *verdicts);
/* Of those that failed, which hold but for terms of parameters that they do not mention? */
bool verdicts_find_lacking(const VerdictQuestion *asked, const ClaimList *claims,
                           Verdict *verdicts);

/* The closed form of an algorithm that is made of others, which adds the claims about its stages,
   compared with what is derived from its schedule: exactly, on each topology, in the modes of
   switching of which claims speak, for one port, p = 1 .. largest, some roots and numbers of
   chunks. A claim of the algorithm's own is judged by verdicts.h. */

/* Of an algorithm, up to the largest p of the grid. verdict->cases is 0 where there is no such
   closed form. False after a report. */
bool stages_judge(const VerdictQuestion *asked, Verdict *verdict);

#endif
