/* The links that messages cross, by numbers. Rings, trees and pipelines send between the same ranks
   in port step after port step, so that routes are kept. */
#ifndef COLLCOST_COST_ROUTES_H
#define COLLCOST_COST_ROUTES_H

#include "cost/node_capacity.h"
#include "net/turn.h"

/* The links of a path: links[first .. first + count - 1] of the routes, and their classes. */
typedef struct {
    uint32_t first, count;
} KnownRoute;

/* A receiver to which a sender's route was looked up. */
typedef struct {
    int32_t to; /* -1: none */
    int32_t route;
} LastRoute;

/* The only link of a rank, where that leads to a switch: paths of the rank go on as those of the
   switch do, which all its ranks share. */
typedef struct {
    int32_t link; /* -1: the rank has others, or none */
    int32_t node;
    uint16_t class;
} FirstLink;

/* The number of the link to a neighbour. */
typedef struct {
    int32_t to; /* -1: none */
    int32_t link;
} NearLink;

/* Of each node, in one line of the cache: looked at before the tables of all. */
enum { FEW_ROUTES = 8, RULE_WORK = 16 };
/* Links of routes, which can be kept on any network. */
enum { FEW_KEPT_LINKS = 1 << 18 };

ARRAY_TYPE(RouteArray, KnownRoute);
ARRAY_TYPE(PlaceArray, int32_t);
ARRAY_TYPE(ClassArray, uint16_t);
ARRAY_TYPE(KeyArray, uint64_t);

typedef struct KnownRoutes {
    Arena *arena;
    const Network *network;
    bool joins; /* both directions of a link have one number */
    const NodeCapacities
        *nodes;              /* which routes pass as links (node_class); NULL: all are endless */
    const NetworkTurn *turn; /* links that are turned on one another have one number; NULL: none */
    FirstLink *firsts;       /* of each rank; NULL: routes are whole */
    RouteArray items;        /* by pair of nodes: behind first links */
    PlaceArray links;        /* their numbers, 0, 1, ... in the order in which they are seen */
    ClassArray classes;      /* of each of `links` */
    int32_t link_count;      /* different ones, of all routes that there ever were */
    KeyArray keys;           /* of each number: from * nodes + to, of one link that has it */
    PlaceArray times; /* of each number: how often a message that stands for others is on it */
    LastRoute *last;  /* FEW_ROUTES for each sender, by a hash of the receiver */
    NearLink *near;   /* FEW_ROUTES for each node, those that were seen first */
    size_t work;      /* links that were followed; one by rule counts as RULE_WORK */
    PlaceTable places, link_places;
} KnownRoutes;

/* What messages cross, one message after the other, link by link, each with the node behind it
   where that has a capacity. */
typedef struct {
    size_t count;
    const size_t *starts;           /* of message i: starts[i] .. starts[i + 1] - 1 */
    int32_t *message, *link, *slot; /* a node has the slot of the link in front of it */
    int32_t *to;                    /* the node behind; nobody knows with a turn */
    uint16_t *class;
    int64_t *hops; /* links of each message */
} Crossings;

/* Messages from[i] -> to[i], each between different ranks. */
typedef struct {
    size_t count;
    const int64_t *from, *to;
} MessageEnds;

/* For messages by these rules. `joins`: the directions share their load. */
KnownRoutes routes_open(Arena *arena, const Network *network, const NetworkTurn *turn, bool joins,
                        const NodeCapacities *nodes);
/* The link in front of the routes of a rank; NULL: there is none. */
static inline const FirstLink *routes_first(const KnownRoutes *routes, int64_t from)
{
    return routes->firsts && routes->firsts[from].link >= 0 ? &routes->firsts[from] : NULL;
}
/* As if none had been found, but for what was counted. */
void routes_forget(KnownRoutes *routes);
/* found[i]: the route of message i behind its first link. Those of earlier calls may be forgotten,
   and links have new numbers then. False after a report. */
bool routes_find(KnownRoutes *routes, Arena *scratch, const MessageEnds *messages, int32_t *found,
                 Diag *diag);
/* All that they cross, in `arena`. False after a report. */
bool routes_cross(KnownRoutes *routes, Arena *arena, const MessageEnds *messages,
                  Crossings *crossings, Diag *diag);

#endif
