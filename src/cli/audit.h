/* A cost is shown with what stands behind it: the schedule run on data, the claim against the
   derived cost, for the very number of ranks and chunks of the question. */
#ifndef COLLCOST_CLI_AUDIT_H
#define COLLCOST_CLI_AUDIT_H

#include "cli/query.h"
#include "cost/curve.h"

typedef enum {
    AUDIT_GOOD,
    AUDIT_WRONG,    /* reported */
    AUDIT_TOO_LARGE /* not tried: too many ranks or chunks for a quick answer */
} Audit;

/* Checks one algorithm for p ranks and k chunks (a whole number), its closed form (or NULL) for
 * `bytes`.
 */
Audit audit_algorithm(const Query *query, const Algorithm *algorithm, const Network *network,
                      double k, double bytes, const ClosedForm *closed);

#endif
