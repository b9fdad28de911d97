/* The closed form for the time of an algorithm on a network: a claim of its own, or, where it runs
   other algorithms one after the other, the sum of the claims about these in their lines. There is
   no sum where a stage may find more than its contract says, such as what ranks sent before and
   kept.

       allreduce: reduce-scatter/ring along x, ring along y        on torus:4x8
       terms      ring's claim for p = 4, m/4     ring's claim for p = 8, m/4                     */
#ifndef COLLCOST_COST_CLOSED_H
#define COLLCOST_COST_CLOSED_H

#include "cost/claim.h"
#include "sched/schedule.h"

/* One claim, about messages of m share_of / share_by bytes. */
typedef struct {
    const Claim *claim;
    ClaimPoint point;
    int64_t share_of, share_by;
    int asked;       /* how often: a formula that is asked again and again is folded */
    Program *folded; /* NULL: not yet */
} ClosedTerm;

/* No terms: there is none. */
typedef struct {
    Arena *arena;     /* for folded formulas */
    bool is_compared; /* all its claims are (claim.h): others are to be compared, not to answer */
    ClosedTerm *items;
    size_t count, capacity;
} ClosedForm;

/* None where the machine has protocols, which closed forms do not know. With `any_k` it must hold
   for all numbers of chunks, not for the instance's alone. `least`: it may be less than the time
   where ranks keep more between stages than contracts say, which the next stage sends, too. */
ClosedForm closed_find(Arena *arena, const Instance *instance, const Network *network,
                       const Rules *rules, bool any_k, bool least);
/* For any k >= 1 where closed_has_real_k, else for a whole one. False after a report. */
bool closed_seconds(const ClosedForm *form, double k, const double *parameters, double bytes,
                    double *seconds, Diag *diag);
/* For a whole k, as a fraction. False, without a report, where it has no value. */
bool closed_exact(const ClosedForm *form, int64_t k, const ExactParameters *parameters, Exact bytes,
                  Exact *seconds);
bool closed_has_real_k(const ClosedForm *form);
/* "(p - 1) * (ts + m * tw)"; of several terms with what p and m are in each. */
const char *closed_text(Arena *arena, const ClosedForm *form);
/* Where its first claim stands. */
Span closed_span(const ClosedForm *form);

#endif
