/* What messages share while they are under way: lanes of links, and what nodes pass. */
#ifndef COLLCOST_COST_SHARING_H
#define COLLCOST_COST_SHARING_H

#include "base/place_table.h"
#include "cost/derive_path.h"
#include "cost/filling.h"

/* What a byte takes of a resource: so many seconds of one lane, or what a protocol says, whatever
   is most. */
typedef struct {
    int32_t resource;
    uint64_t listed; /* bit i: the tw of the list of level i counts, bit 0: that of the machine */
    double rate, varied_rate; /* of all crossings; the latter times the factor of the rules */
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
