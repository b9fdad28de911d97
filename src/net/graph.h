/* The rules of a topology laid out at one size, as lists of links. */
#ifndef COLLCOST_NET_GRAPH_H
#define COLLCOST_NET_GRAPH_H

#include "base/place_table.h"
#include "model/topology.h"

/* Classes have numbers below; those of node capacities come behind them. */
enum { MOST_CLASSES = 1 << 15 };
typedef uint16_t ClassNumber;

typedef struct {
    LinkClass *items;
    size_t count, capacity, last; /* the one that was asked for last */
    PlaceTable places;            /* by what they are */
} ClassTable;

/* As in Network: neighbours[starts[n] .. starts[n + 1] - 1] of node n, rising. */
typedef struct {
    int64_t nodes;
    const int64_t *starts, *neighbours;
    const ClassNumber *classes; /* of each link */
    Workspace *workspace;       /* for scratch memory */
} Graph;

/* The lines of ranks along one dimension of a grid, each with switches of its own. Places of a line
   are its ranks, then its switches; those of all lines follow one another. */
typedef struct {
    int64_t size, stride;           /* ranks of a line, and how far apart their numbers are */
    int64_t switches, first_switch; /* of a line; of the first line */
} GridLines;

/* The node at a place of the line on which `rank` is at place `at`. */
static inline int64_t grid_node(const GridLines *lines, int64_t rank, int64_t at, int64_t place)
{
    if (place < lines->size)
        return rank + (place - at) * lines->stride;
    const int64_t line =
        rank / (lines->size * lines->stride) * lines->stride + rank % lines->stride;
    return lines->first_switch + line * lines->switches + place - lines->size;
}

/* Nodes beyond which nothing is laid out or expanded: 2^22. */
extern const int64_t graph_largest;

/* What the expressions of a topology can name at one size. */
typedef struct {
    int64_t p;
    int64_t sizes[MOST_DIMENSIONS];
    int64_t uplinks, adapters;
    Frame frame;
} TopologyNames;

/* The number of a level of links, from 1; 0: no level, or none of these. */
int topology_level(const Topology *topology, const char *name);
void topology_names_fill(TopologyNames *names, const Topology *topology, const Shape *shape);

/* False after a report: ends that do not exist, a link to itself, two different links in one place,
   too many. New classes of links are added to the table. */
bool graph_create(Arena *arena, const Topology *topology, TopologyNames *names, ClassTable *classes,
                  Graph *graph, Diag *diag);
/* The grid of p ranks in whose lines along dimension i nodes are linked as in graphs[i]. Where the
   switches of the lines stand is set. */
bool graph_product(Arena *arena, const Graph *const *graphs, GridLines *const *lines, int count,
                   int64_t p, Graph *graph, Diag *diag);
/* Every link the other path round. */
Graph graph_reverse(Arena *arena, const Graph *graph);
/* The number of the link from -> to, or -1. */
int64_t graph_find(const Graph *graph, int64_t from, int64_t to);
/* Links on the shortest paths from `source`; -1: none. `queue` has room for all nodes. */
void graph_distances(const Graph *graph, int64_t source, int64_t *distances, int64_t *queue);
/* Lengths of the shortest paths from `source`, added up from lengths[i] >= 0 of link i; -1: none.
   `queue` and `waits` have room for all nodes; `waits` is false everywhere before and after. */
void graph_weighed_distances(const Graph *graph, const int64_t *lengths, int64_t source,
                             int64_t *distances, int64_t *queue, bool *waits);

#endif
