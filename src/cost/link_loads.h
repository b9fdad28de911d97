/* What crosses the links of a network in one port step. */
#ifndef COLLCOST_COST_LINK_LOADS_H
#define COLLCOST_COST_LINK_LOADS_H

#include "cost/plain.h"

typedef struct {
    int64_t port_step; /* of which this is known */
    LinkLoad load;
} LinkState;

ARRAY_TYPE(LinkStateArray, LinkState);

/* How all ranks of a grid may send: r to r + amount, or to r xor amount. */
typedef enum { MOVE_ROUND, MOVE_BITS, MOVE_COUNT } Move;

typedef struct LinkLoads {
    struct LinkLoads *next; /* of other networks and turns */
    int64_t by;             /* messages of so many ranks stand for all; 0: each for itself */
    NetworkTurn turn;
    KnownRoutes routes;
    LinkStateArray states; /* by number of the link */
    int64_t port_step;
    const PortStep *step; /* that port step, where its routes are `found` */
    const int32_t *found;
    bool is_plain; /* a path costs what its length and its largest load say */
    struct MovedPaths **moved[MOVE_COUNT]; /* cost/loads.c; NULL: not known yet */
} LinkLoads;

/* For port steps in which ranks 0 .. by - 1 stand for all; 0: each for itself. */
LinkLoads *link_loads_open(const LoadContext *context, int64_t by);
/* Adds up what messages load whose routes were found; the two that follow are about these. */
void link_loads_add(LinkLoads *loads, const PortStep *step, const int32_t *found);
/* With links that are plain: candidates for the slowest of messages first .. end - 1. */
void link_loads_list(const LinkLoads *loads, Arena *scratch, size_t first, size_t end,
                     PlainList *list);
/* Appends the paths of which one may be the slowest. False where lanes have no common multiple. */
bool link_loads_slowest(const LinkLoads *loads, const LoadContext *context, Arena *scratch,
                        PathList *slowest);
/* Loads of crossings order[0 .. count - 1], without those that repeat others (NULL: none does), by
   crossing. */
void link_loads_at(LinkLoads *loads, const PortStep *step, const Crossings *crossings,
                   const size_t *order, size_t count, const bool *repeats, LinkLoad *at);

#endif
