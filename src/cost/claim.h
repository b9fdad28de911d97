/* Closed forms evaluated: in doubles for users, in fractions for comparisons. */
#ifndef COLLCOST_COST_CLAIM_H
#define COLLCOST_COST_CLAIM_H

#include "cost/rules.h"
#include "sched/schedule.h"

/* Where a claim is evaluated. */
typedef struct {
    int64_t p, root, k, ports;
    int64_t sizes[3];   /* of the first three dimensions */
    int64_t dimensions; /* how many there are */
    int64_t target;     /* claim_point leaves it 0, and what follows */
    int64_t links;
    int64_t j, r, to;      /* a round or distance, a rank, another: for claims about these */
    int64_t buffer_blocks; /* M / m */
    int64_t order;         /* n of a problem; 0: of a collective */
    int64_t branches;      /* the radix or fan-out, where there is one */
    double multiply;       /* tm of a problem, in seconds: for claim_seconds */
    int64_t *terms;        /* of sums that may still be evaluated exactly; NULL: nobody counts */
} ClaimPoint;

ClaimPoint claim_point(const Shape *shape, int64_t root, int64_t k, int64_t ports);
/* The schedule of an algorithm at a point of this shape. */
Instance claim_instance(const Algorithm *algorithm, const Shape *shape, const ClaimPoint *point);

/* Does the claim's condition hold here? Not where it has no value. */
bool claim_applies(const Claim *claim, const ClaimPoint *point);
/* The rounds of which a claim with `within` speaks. False after a report. */
bool claim_rounds(const Claim *claim, const ClaimPoint *point, int64_t *first, int64_t *last);
/* The claimed time in seconds for each of `count` sizes. */
bool claim_seconds(const Claim *claim, const ClaimPoint *point, const double *parameters,
                   const double *sizes, size_t count, double *seconds, Diag *diag);
/* The formula for this point, which only k, sizes and parameters are left to: for
   claim_seconds_folded, which gives what claim_seconds gives. */
Program *claim_fold(Arena *arena, const Claim *claim, const ClaimPoint *point);
/* With k chunks, for `size` bytes, of which a buffer has buffer_blocks. False, without a report,
   where there is no value. */
bool claim_seconds_folded(Program *folded, int64_t k, int64_t buffer_blocks,
                          const double *parameters, double size, double *seconds);
/* claim_seconds with any real k >= 1 instead of point->k; false where the formula needs a whole k.
 */
bool claim_seconds_real_k(const Claim *claim, const ClaimPoint *point, double k,
                          const double *parameters, double size, double *seconds, Diag *diag);
/* The claimed quantity, in the unit of its kind, as a fraction. False, without a report, where it
   has no value. */
bool claim_exact(const Claim *claim, const ClaimPoint *point, const ExactParameters *parameters,
                 Exact size, Exact *value);
/* The first claim about the time of `algorithm` that is recorded to hold, speaks of this topology,
   point and switching, knows every parameter that is not zero, and is a sum of terms; or NULL, also
   where other rules are not the usual ones or links differ. With `any_k` it must hold for all
   numbers of chunks, not for point->k alone. */
const Claim *claim_find(const Algorithm *algorithm, const Network *network, const ClaimPoint *point,
                        const Rules *rules, bool any_k);
/* Was the claim compared with the schedule, over the grid of `verify`, when this program was
   tested? So it is where all that it is about is built in. */
bool claim_is_compared(const Claim *claim, const Algorithm *algorithm, const Network *network);
/* The first claim of a kind that depends on the rounds alone, which is recorded to hold and speaks
   of this point; where rounds do not depend on dimensions, one about full networks speaks of all.
   NULL: there is none. */
const Claim *claim_on_rounds(const Algorithm *algorithm, const Network *network,
                             const ClaimPoint *point, ClaimKind kind);
/* *share: the most that a rank holds at once, as a share of m, by such a claim that is
   compared. False, silently:
   there is none. */
bool claim_peak(const Algorithm *algorithm, const Network *network, const ClaimPoint *point,
                Exact *share);

#endif
