/* Blocks that go from one rank to one other, on a network whose links have weights: how heavy their
   lightest paths are, and what these load. */
#ifndef COLLCOST_BOUND_TRAFFIC_H
#define COLLCOST_BOUND_TRAFFIC_H

#include "bound/linear_program.h"
#include "bound/parts.h"
#include "net/graph.h"

/* What has a weight is a link, or, where both directions share its capacity, both together. Links
   that take no time weigh nothing. */
typedef struct {
    int64_t p, sender_count;
    const int64_t *demands; /* blocks from rank s to rank t: demands[s * p + t] */
    Graph graph;            /* of routers; link i is arc 2 p + i of the capacity graph */
    const int32_t *places;  /* of each link: where its weight stands, or -1 */
    size_t count;           /* of weights */
    const int64_t *capacities;
    struct TrafficRoom *room;
} Traffic;

/* For a capacity graph that is laid out. False unless each block that must move has one holder, and
   one rank that needs it. */
bool traffic_open(const Bounder *bounder, Traffic *traffic);
/* Blocks times the weight of their lightest paths, and capacities times weights. False if they do
   not fit. Each sender's paths are added to the mix, unless that is NULL; where several are
   lightest, all carry alike. */
bool traffic_weigh(const Traffic *traffic, const int64_t *weights, RouteMix *mix, int64_t *crossed,
                   int64_t *passed);

#endif
