/* Maximum flows and smallest cuts, by Dinic's algorithm on whole capacities.

   A graph is laid out once and serves many runs, each with capacities, a source and a sink of its
   own. `work` counts the arcs looked at, so that a search can end after the same work everywhere.
 */
#ifndef COLLCOST_BOUND_MAX_FLOW_H
#define COLLCOST_BOUND_MAX_FLOW_H

#include "base/arena.h"

typedef struct {
    int32_t from, to;
} FlowArc;

/* Arcs with their capacities, while they are listed. */
typedef struct {
    FlowArc *arcs;
    int64_t *capacities;
    size_t count, room;
} FlowArcs;

void flow_arcs_add(Arena *arena, FlowArcs *list, int32_t from, int32_t to, int64_t capacity);

/* What went through a half. */
typedef struct {
    int32_t half;
    int64_t amount;
} FlowPush;

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
    int32_t reached;   /* nodes in the queue: those with a level */
    FlowPush *pushes;  /* since capacities were loaded, as many as there are arcs; */
    size_t push_count; /* more of them are counted, but not kept */
    int64_t work;
    int64_t most_work; /* behind so much a flow ends, a largest one or not */
} Flow;

/* In `arena`, as is all room that runs need. Work is not limited until `most_work` is set. */
Flow flow_create(Arena *arena, int32_t nodes, const FlowArc *arcs, size_t count);
/* The largest flow, with capacities[i] of arc i; it and each capacity must be below 2^62. */
int64_t flow_run(Flow *flow, const int64_t *capacities, int32_t source, int32_t sink);
/* A run in parts, for many of them on much the same capacities, which then take no more than what
   they look at: load all, O(arcs), or change one of those that are loaded; a flow that ends as soon
   as it is `enough`, and is a largest one if it is less; and the loaded capacities again. */
void flow_load(Flow *flow, const int64_t *capacities);
void flow_change(Flow *flow, size_t arc, int64_t capacity);
int64_t flow_pass(Flow *flow, int32_t source, int32_t sink, int64_t enough);
void flow_take_back(Flow *flow, const int64_t *capacities);
/* After a run, or a flow that was less than enough: is the node on the source's side of a smallest
 * cut (the largest such side)? */
static inline bool flow_is_inside(const Flow *flow, int64_t node)
{
    return flow->levels[node] < 0;
}

#endif
