/* What can carry bytes, as a graph of whole capacities: what cuts and flows are found in.

   Node r is the memory of rank r, node p + n the router of node n of the network:

       memory r -- send ports -->  router r  == links ==>  router n  -- receive ports --> memory n

   A message leaves one memory, crosses links from router to router, and enters another memory; on
   the path it needs no port. In a time T, d ports pass d times what one message can have from the
   fastest link of the rank, and a link passes its lanes times its bandwidth, because messages that
   share it wait for one another. Where messages of different times do not (without contention, or
   without barriers), all routers are joined by a hub, the last node, that passes everything, and
   only ports limit. With half duplex both directions of a link share its capacity.

   Capacities count links of the machine's bandwidth where all links have the same, so that a bound
   is a multiple of tw; else bytes/s, never rounded down, so that it is a time by itself. */
#ifndef COLLCOST_BOUND_CAPACITY_GRAPH_H
#define COLLCOST_BOUND_CAPACITY_GRAPH_H

#include "bound/max_flow.h"
#include "cost/node_capacity.h"

typedef struct {
    const Network *network;
    const Rules *rules;
    const LinkCost *link_costs;
    const NodeCapacities *node_capacities; /* NULL: none; they are no part of the arcs */
    bool per_link_costs;                   /* capacities are bytes/s */
    bool links_share;      /* messages on a link wait for one another, whenever they go */
    bool rank_links_share; /* at least those of one rank do */
    const int64_t *rates;  /* of one lane, for each class of links; a huge one for tw = 0 */
    PerRank send, receive; /* what the ports of a rank pass */
    /* from capacity_graph_lay_out */
    int64_t nodes;
    FlowArc *arcs; /* first two for each rank: 2 r its send ports, 2 r + 1 its receive ports */
    int64_t *capacities; /* of each arc, in `unit` */
    size_t count;
    int64_t unit;     /* their greatest common divisor */
    int64_t infinite; /* more than all finite ones: a cut with as much bounds nothing */
} CapacityGraph;

CapacityGraph capacity_graph_open(Arena *arena, const Network *network, const Rules *rules);
/* False where there would be more than `most` arcs, or capacities do not fit. */
bool capacity_graph_lay_out(Arena *arena, CapacityGraph *capacity_graph, int64_t most);
/* The capacity of link i of network->neighbours, 0 in a network without lists: exactly, although
   one with very many lanes passes more than an arc can have. */
__int128 capacity_graph_link(const CapacityGraph *capacity_graph, int64_t i);
/* Do links of this class take no time? */
bool capacity_graph_is_free(const CapacityGraph *capacity_graph, size_t class);
/* Does this capacity, of ports, pass everything in no time? */
bool capacity_graph_is_endless(const CapacityGraph *capacity_graph, int64_t capacity);
/* What leaves the side `inside` of the nodes, in units; both directions where `both`. */
int64_t capacity_graph_across(const CapacityGraph *capacity_graph, const bool *inside, bool both);
/* With half duplex: what arc i, a link, and its direction back pass together, as much as either by
   itself at most; 0: it has none. */
int64_t capacity_graph_both(const CapacityGraph *capacity_graph, size_t i);
/* Is arc i a link, not a port or the hub's? */
bool capacity_graph_is_link(const CapacityGraph *capacity_graph, size_t i);

#endif
