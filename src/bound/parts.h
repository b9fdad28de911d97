/* What the kinds of bound share: the case at hand, and a cut of its graph. */
#ifndef COLLCOST_BOUND_PARTS_H
#define COLLCOST_BOUND_PARTS_H

#include "bound/bound.h"
#include "bound/capacity_graph.h"
#include "bound/demand.h"

typedef struct {
    Arena *arena;
    const Contract *contract;
    const Network *network;
    const Rules *rules;
    Demand demand;
    CapacityGraph capacity_graph;
    RequiredPaths paths; /* in links */
} Bounder;

/* Counts, and measures paths, in `arena`. */
Bounder bounder_open(Arena *arena, const Contract *contract, const Network *network,
                     const Rules *rules);
/* `blocks` over what `capacity` of the capacity graph passes: times tw, or a time by itself. */
Bound bound_over(const Bounder *bounder, BoundKind kind, __int128 blocks, __int128 capacity);
/* "4 links", "1 port", "376 GB/s": what passes that capacity. */
const char *bound_show_capacity(const Bounder *bounder, __int128 capacity, const char *thing);

/* How much is known about a cut that was found. */
typedef enum {
    CUT_BEST,    /* there is no better one */
    CUT_TRIED,   /* the best of those tried, some heuristically */
    CUT_STOPPED, /* the search ended early */
} CutProof;

typedef struct {
    bool *inside;     /* of each node of the capacity graph; in the bounder's arena */
    int64_t blocks;   /* that must leave; 0: there is no cut */
    int64_t capacity; /* in units of the capacity graph */
    bool both;        /* what must leave and what must come in, over links that both share */
    CutProof proof;
    bool by_symmetry; /* one rank was looked at, for all */
} Cut;

#endif
