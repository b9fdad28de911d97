/* What messages share while they are under way: lanes of links, and what nodes pass. */
#ifndef COLLCOST_COST_SHARING_H
#define COLLCOST_COST_SHARING_H

#include "cost/derive_path.h"

/* Progressive filling: what flows get of the resources that they share.

   The rates of all flows grow alike until a resource is full, or a flow is as fast as it is alone;
   then its flows keep their rates and the others grow on. The shares are max-min fair: nobody can
   get more without taking it from someone who has no more (Bertsekas and Gallager, Data Networks,
   section 6.5). Only flows that are joined with a change by resources are filled anew.

   Times and bytes are lines in the size of a block, seen at one size: shares do not depend on it.
 */

/* A value at the size at hand, and how much it grows with each byte of a block. */
typedef struct {
    double at, rise;
} Instant;

/* What a byte takes of a resource, in seconds of one lane. */
typedef struct {
    int32_t resource;
    double price;
} ResourceUse;

/* No resource twice. */
typedef struct {
    const ResourceUse *uses;
    size_t count;
    double alone; /* bytes/s without others */
} FlowDemand;

typedef struct {
    const FlowDemand *demand; /* NULL: the flow is not under way */
    int32_t owner;            /* whose it is, as the caller counts */
    Instant left, since;      /* bytes, at that time */
    double rate;
    Instant finish;
    uint32_t stamp, generation; /* flows that had this number before */
} SharedFlow;

typedef struct {
    int32_t flow;
    uint32_t generation;
} SharedFlowEntry;

ARRAY_TYPE(SharedFlows, SharedFlow);
ARRAY_TYPE(SharedFlowEntries, SharedFlowEntry);
ARRAY_TYPE(FlowNumbers, int32_t);

typedef struct {
    double lanes;            /* seconds of lanes for each second */
    SharedFlowEntries flows; /* also some that ended: they are dropped when it is filled anew */
    /* while it is filled */
    double room, load, counted; /* counted: the load when it was summed up */
    uint32_t stamp;
    int32_t unsettled;
} SharedResource;

typedef struct {
    Arena *arena;
    SharedResource *resources;
    SharedFlows flows;
    FlowNumbers free, touched; /* flows to be used again; resources whose flows changed */
    FlowNumbers changed;       /* flows whose rates changed when last filled */
    FlowNumbers joined, joined_resources, settled; /* while it is filled */
    uint32_t stamp;
} Filling;

Filling filling_create(Arena *arena, size_t resource_count, const double *lanes);
/* The number of a new flow, of `bytes` from `now` on; it gets its rate when it is filled next. */
int32_t filling_start(Filling *filling, const FlowDemand *demand, int32_t owner, Instant bytes,
                      Instant now);
void filling_end(Filling *filling, int32_t flow);
/* New rates for all flows that the changes since the last call concern; `changed` lists them.
   O(flows concerned x their resources x different rates). */
void filling_settle(Filling *filling, Instant now);

/* What a byte takes of a resource: so many seconds of one lane, or what a protocol says, whatever
   is most. */
typedef struct {
    int32_t resource;
    BytePrice price; /* of all crossings, but for what is listed */
    int64_t times; /* that it is crossed: by copies of a bundle, or by a path again; or of its lanes
                      those that one of this direction is */
    bool is_link;  /* each crossing has one of its lanes, if there are enough */
} SharedCrossing;

typedef struct {
    size_t first, count;
} CrossingRange;

typedef struct {
    int32_t route; /* of the first of its bundle, those of all */
    int32_t first,
        next; /* of its bundle (merging.h); itself where it is alone, -1 behind the last */
    double blocks;
} SharedMessage;

ARRAY_TYPE(SharedCrossings, SharedCrossing);
ARRAY_TYPE(CrossingRanges, CrossingRange);
ARRAY_TYPE(SharedMessages, SharedMessage);
ARRAY_TYPE(ResourceKeys, uint64_t);

/* Messages in the order of their timeline; the route of local work is -1. Those of a bundle are one
   flow. */
typedef struct {
    SharedMessages messages;
    CrossingRanges routes;
    SharedCrossings crossings;
    SizeArray lanes;   /* of each resource */
    ResourceKeys keys; /* of each: the same in all schedules on a network, whatever their groups */
    PlaceTable known_routes, known_resources;
    const Rules *rules; /* where protocols or what varies count, else NULL */
} Sharing;

Sharing *sharing_copy(Arena *arena, const Sharing *sharing);
/* What a message over this route with protocol `protocol` (negative: there is none) takes of
   resources; lives in `arena`. */
const FlowDemand *sharing_demand(const Sharing *sharing, Arena *arena, int32_t route, int protocol,
                                 const double *parameters);

#endif
