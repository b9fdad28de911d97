/* A topology with concrete sizes: neighbours, distances, and the links that a message crosses.

   A link is a directed pair of neighbours. */
#ifndef COLLCOST_NET_NETWORK_H
#define COLLCOST_NET_NETWORK_H

#include "net/graph.h"
#include "net/ties.h"

/* Nodes 0 .. p-1 are the ranks, the others are switches. Neighbours of node n:
   neighbours[starts[n] .. starts[n + 1] - 1], rising. Absent (NULL) where every rank is everyone's
   neighbour. */
typedef struct Network {
    const Topology *topology;
    int64_t p, node_count;
    Shape shape;
    const char *name; /* "full:8", "torus:4x8" */
    Ties ties;
    const int64_t *starts, *neighbours;
    const int64_t *arrivals; /* links that end at each node */
    const LinkClass *classes;
    size_t class_count;
    const ClassNumber *link_classes; /* of each link in `neighbours`; NULL: all are of class 0 */
    const uint32_t *levels_out, *levels_in; /* of each node: bit network_level of the links that
                                               leave it, that end there; NULL: all are alike */
    struct Router *router;                  /* how messages find their path; NULL with `starts` */
    const struct Grouping *grouping;        /* net/group.h: ranks are those of a group, or of all
                                               groups; NULL: of the network */
} Network;

/* Of the ranks of groups (net/group.h). */
typedef struct Grouping {
    const Network *whole;   /* with its own numbers */
    const Network *all;     /* all groups: their ranks are its ranks */
    const int64_t *places;  /* of each node: its number in the whole network */
    const int64_t *numbers; /* of each node of the whole network; NULL: all ranks are neighbours */
} Grouping;

/* The network of the ranks of all groups; without groups the network itself. */
static inline const Network *network_of_all(const Network *network)
{
    return network->grouping ? network->grouping->all : network;
}

/* How many groups run at the same time. */
static inline int64_t network_groups(const Network *network)
{
    return network_of_all(network)->p / network->p;
}

/* The number of a node in the whole network. */
static inline int64_t network_rank(const Network *network, int64_t node)
{
    return network->grouping ? network->grouping->places[node] : node;
}

/* The first node that is no rank of the whole network. */
static inline int64_t network_first_switch(const Network *network)
{
    return network->grouping && network->starts ? network->grouping->whole->p : network->p;
}

/* The links of a network that has any laid out, without their classes. */
static inline Graph network_graph(const Network *network)
{
    return (Graph){network->node_count, network->starts, network->neighbours, NULL,
                   network->topology->head.workspace};
}

/* The path of messages 0 .. n-1: message[i] crosses the link from[i] -> to[i] as its slot[i]th
   (from 0), and hops[j] counts the links of message j. */
typedef struct {
    int64_t *hops;
    size_t link_count;
    const int64_t *message, *from, *to;
    const int64_t *slot;
    const ClassNumber *classes; /* of each link; NULL: all are of class 0 */
} Routes;

/* False after a report: too many ranks, or links that cannot be. */
bool network_create(Arena *arena, const Topology *topology, const Shape *shape, Ties ties,
                    Network *network, Diag *diag);
/* The same without a report. */
bool network_try(Arena *arena, const Topology *topology, const Shape *shape, Ties ties,
                 Network *network);
/* With what a byte takes on links that say nothing of it themselves, by network_level, where routes
   depend on it; not positive: nobody knows. */
bool network_create_rated(Arena *arena, const Topology *topology, const Shape *shape, Ties ties,
                          const double *level_tw, Network *network, Diag *diag);
/* Levels rank as the topology lists them, from 1 on; links without one are at 0, as what it does
   not list. */
int network_level(const Network *network, const char *name);
/* Has any link this level? */
bool network_has_level(const Network *network, Text level);
/* How many links leave a node, and how many end there. */
int64_t network_degree(const Network *network, int64_t node);
int64_t network_arrivals(const Network *network, int64_t node);
/* Links have numbers below this: as in `neighbours`, or from * p + to where every rank is
   everyone's neighbour; INT64_MAX where those are beyond what is laid out. */
int64_t network_link_count(const Network *network);
/* "5", or "5 (gpu5)": a node by the number that users know it by, and its name. */
const char *network_name_node(Arena *arena, const Network *network, int64_t node);
/* The first node from `from` on of which that is the name, its first word or its number; -1: none.
   Adapters of one host share the first word. */
int64_t network_find_node(const Network *network, Text text, int64_t from);
/* The number of the link from -> to; -1: there is none. */
int64_t network_find_link(const Network *network, int64_t from, int64_t to);
/* The class of a link, by its number. */
size_t network_link_class(const Network *network, int64_t link);
/* Reports that the messages of one round have more hops than LIMIT_ITEMS. False. */
bool network_report_hops(const Network *network, Diag *diag);
/* Follows the topology's rules for `count` messages, each between two different nodes. False after
   a report, also of more than LIMIT_ITEMS. */
bool network_route(const Network *network, Arena *arena, size_t count, const int64_t *from,
                   const int64_t *to, Routes *routes, Diag *diag);

/* Nodes, one after the other. */
ARRAY_TYPE(Walk, int32_t);

/* Appends the nodes of one such path behind `from`. False, and nothing is appended, where lines do
   not keep their next nodes: network_route then finds the path, or reports why there is none. */
bool network_walk(const Network *network, Arena *arena, int64_t from, int64_t to, Walk *walk);

/* distances[n]: links on the shortest path from `source` to node n; -1 where there is none. */
void network_distances(const Network *network, Arena *arena, int64_t source, int64_t *distances);

#endif
