/* Maximum flows and smallest cuts, by Dinic's algorithm on whole capacities.

   A graph is laid out once and serves many runs, each with capacities, a source and a sink of its
   own. `work` counts the arcs looked at, so that a search can end after the same work everywhere.
 */
#ifndef COLLCOST_BOUND_MAX_FLOW_H
#define COLLCOST_BOUND_MAX_FLOW_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int32_t from, to;
} FlowArc;

typedef struct {
    Workspace *workspace;
    int32_t nodes;
    size_t count;           /* of arcs */
    int32_t *starts;        /* the halves at node n: starts[n] .. starts[n + 1] - 1 */
    int32_t *heads, *mates; /* where a half leads, and its other half */
    int32_t *places;        /* of each arc: its half at `from` */
    int64_t *left;          /* what a half still lets through */
    int32_t *levels;        /* halves to the sink; -1: it is not reached */
    int32_t *next, *queue, *path;
    int64_t work;
} Flow;

/* In `arena`, as is all room that runs need. */
Flow flow_create(Arena *arena, int32_t nodes, const FlowArc *arcs, size_t count);
/* The largest flow, with capacities[i] of arc i; it and each capacity must be below 2^62. */
int64_t flow_run(Flow *flow, const int64_t *capacities, int32_t source, int32_t sink);
/* After a run: is the node on the source's side of a smallest cut (the largest such side)? */
static inline bool flow_is_inside(const Flow *flow, int64_t node)
{
    return flow->levels[node] < 0;
}

#endif
