/* The slowest paths of a port step, where what each message costs by itself need not be told: as by
   port_step_route, but recalled, or, where ranks do not post together, with routes that are known.
 */
#ifndef COLLCOST_COST_DERIVE_SLOWEST_H
#define COLLCOST_COST_DERIVE_SLOWEST_H

#include "cost/derive_memo.h"

typedef struct LinkLoads LinkLoads;

/* What the cost of a path rises with, where links are plain. */
typedef struct {
    int64_t own;
    size_t hops;
    LinkLoad most;
} PlainCost;

/* Do all links cost what the machine says, the same for messages of all sizes? */
bool links_are_plain(const LoadContext *context);
/* Is a as much as b, or more, in every respect? */
static inline bool plain_exceeds(const PlainCost *a, const PlainCost *b)
{
    return a->own >= b->own && a->hops >= b->hops && a->most.blocks >= b->most.blocks &&
           a->most.messages >= b->most.messages;
}

/* For port steps of one network with the same rules; NULL where port_step_route must do, as with
   store-and-forward, where nodes have a capacity, or where each two ranks have a link. It stays
   with the memo: routes are found once for all that shares it. */
LinkLoads *link_loads_open(PortStepMemo *memo, const LoadContext *context);
/* Fills the entries of a port step, and what there is of each message where context->each says so.
   Else n messages over l links each take O(n l). `loads` may be NULL. False after a report. */
bool port_step_slowest(const LoadContext *context, PortStepMemo *memo, LinkLoads *loads,
                       Arena *scratch, PortStep *step, Diag *diag);

#endif
