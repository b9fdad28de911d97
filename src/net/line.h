/* Lines of nodes, along which messages find their path, in one dimension after the other.

   A network that is no product is one line. Where `next` of a line is needed often, its answers
   are kept:

       columns[to][at] = the next node of a message at `at` for `to`, or -1 if there is none     */
#ifndef COLLCOST_NET_LINE_H
#define COLLCOST_NET_LINE_H

#include "net/ties.h"
#include "net/weighed.h"

/* Messages at places of a line, and where they go on. */
typedef struct {
    size_t count;
    int64_t *at, *to;
    int64_t *ups; /* what the rule may ask for */
    int64_t *next;
} Hops;

typedef struct {
    const Topology *topology; /* whose rules hold in the line */
    TopologyNames names;
    Graph graph, reverse;       /* `reverse` for shortest paths only */
    const LinkWeights *weights; /* of shortest paths that do not count links only; or NULL */
    const Branches *branches;   /* of shortest paths on a tree, which take no table; or NULL */
    GridLines grid;             /* where the line and those beside it stand in the network */
    Ties ties;
    int32_t **columns; /* NULL: not known yet; absent if the line is too long */
    int32_t *room;     /* for columns */
    size_t room_count, room_used;
    int64_t evaluated; /* hops for which `next` was computed */
    Hops hops;         /* what a column is computed from: from each node */
} Line;

/* How nodes go on in one turn of a network (net/turn.h). */
enum { MOST_TURNING_KINDS = 8 };

/* Nodes first .. first + count - 1 go on by `by` modulo count; 0: they stay. */
typedef struct {
    int64_t first, count, by;
} TurningNodes;

typedef struct {
    int64_t p, by, turns; /* t, and p / t */
    TurningNodes kinds[MOST_TURNING_KINDS];
    int kind_count;
} NetworkTurn;

typedef struct Router {
    Line lines[MOST_DIMENSIONS];
    int count;
    NetworkTurn turn; /* of the whole network; p is 0 as long as nobody asked for it */
} Router;

/* Does the line look up its next nodes, all of one destination together? */
static inline bool line_has_table(const Line *line)
{
    return !line->topology->next.program && !line->branches;
}

/* Prepares a line whose topology, names, graph, grid, ties and weights are set. */
void line_prepare(Arena *arena, Line *line);
/* Room for so many. */
Hops hops_room(Arena *arena, size_t count);
/* Computes `next` by the rule. False after a report; where `diag` is NULL without one. */
bool line_next(Line *line, Hops *hops, Diag *diag);
/* All next nodes of messages for `to`. NULL where they are not kept: a rule must be computed then,
   and for shortest paths there is no more room. */
const int32_t *line_column(Line *line, int64_t to);

#endif
