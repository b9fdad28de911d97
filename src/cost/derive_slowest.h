/* The slowest paths of a port step, where what each message costs by itself need not be told: as by
   port_step_route, but recalled, or, where ranks do not post together, with routes that are known.
 */
#ifndef COLLCOST_COST_DERIVE_SLOWEST_H
#define COLLCOST_COST_DERIVE_SLOWEST_H

#include "cost/derive_memo.h"

typedef struct LinkLoads LinkLoads;

/* For port steps of one network with the same rules, in which ranks 0 .. by - 1 stand for all (0:
   each for itself); NULL where port_step_route must do, as with store-and-forward, where nodes have
   a capacity, or where each two ranks have a link. It stays with the memo: routes are found once
   for all that shares it. */
LinkLoads *link_loads_open(PortStepMemo *memo, const LoadContext *context, int64_t by);
/* The routes on which they are, for others that need the same ones. */
struct KnownRoutes *link_loads_routes(const LinkLoads *loads);
/* Fills the entries of a port step, and what there is of each message where context->each says so.
   Else n messages over l links each take O(n l). `loads` may be NULL. False after a report. */
bool port_step_slowest(const LoadContext *context, PortStepMemo *memo, LinkLoads *loads,
                       Arena *scratch, PortStep *step, Diag *diag);

#endif
