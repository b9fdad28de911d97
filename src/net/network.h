/* A topology of p ranks: neighbours, distances, and the links that a message crosses.

   A link is a directed pair of neighbours. */
#ifndef COLLCOST_NET_NETWORK_H
#define COLLCOST_NET_NETWORK_H

#include "model/shape.h"
#include "model/topology.h"

/* What is special about a link. */
typedef struct {
    const char *level; /* a machine may have other parameters for it ("node"); NULL: none */
    int64_t lanes;     /* messages that cross it side by side at full speed; 0: as many as its level
                          has ports, which is 1 without a level */
    double tw, th;     /* its own time per byte, and per hop; negative: as level or machine say */
} LinkClass;

/* Nodes 0 .. p-1 are the ranks, the others are switches. Neighbours of node n:
   neighbours[starts[n] .. starts[n + 1] - 1], rising. Absent (NULL) where every rank is everyone's
   neighbour. */
typedef struct {
    const Topology *topology;
    int64_t p, node_count;
    Shape shape;
    const char *name; /* "full:8" */
    const int64_t *starts, *neighbours;
    const int64_t *arrivals; /* links that end at each node */
    const LinkClass *classes;
    size_t class_count;
    const uint8_t *link_classes; /* of each link in `neighbours`; NULL: all are of class 0 */
} Network;

/* The way of messages 0 .. n-1: message[i] crosses the link from[i] -> to[i] as its slot[i]th (from
   0), and hops[j] counts the links of message j. */
typedef struct {
    int64_t *hops;
    size_t link_count;
    const int64_t *message, *from, *to;
    const int64_t *slot;
    const uint8_t *classes; /* of each link; NULL: all are of class 0 */
} Routes;

/* Ranks beyond which nothing is expanded: 2^22. */
extern const int64_t network_largest;

/* False after a report: too many ranks, or neighbours that do not exist. */
bool network_create(Arena *arena, const Topology *topology, int64_t p, Network *network,
                    Diag *diag);
/* How many links leave a rank, and how many end there. */
int64_t network_degree(const Network *network, int64_t rank);
int64_t network_arrivals(const Network *network, int64_t rank);
/* Follows the topology's rule `next` for `count` messages. False after a report. */
bool network_route(const Network *network, Arena *arena, size_t count, const int64_t *from,
                   const int64_t *to, Routes *routes, Diag *diag);
/* distances[r]: links on the shortest way from `source` to r; -1 where there is none. */
void network_distances(const Network *network, Arena *arena, int64_t source, int64_t *distances);

#endif
