/* Next hops where links have weights, or ranks do not pass on messages of others; and on trees. */
#ifndef COLLCOST_NET_WEIGHED_H
#define COLLCOST_NET_WEIGHED_H

#include "net/graph.h"

/* Of a line: what its links weigh, and which ones ranks hold messages of others back at. */
typedef struct {
    int64_t ranks;
    int64_t *weights; /* of a link, by its class; at least 1 */
    bool *held;
} LinkWeights;

/* `level_tw`: the time of a byte on links without a bandwidth of their own, by network_level of
   their level. NULL: not known, nor where it is not positive. */
const LinkWeights *weights_create(Arena *arena, const Topology *topology, int64_t ranks,
                                  const ClassTable *classes, const double *level_tw);
/* column[n]: the next node of a message at n for `to`, or -1; of several that are equally good
   number (to mod how many), in rising order. */
void weights_fill_column(const LinkWeights *weights, const Graph *graph, const Graph *reverse,
                         int64_t to, int32_t *column);

/* A network that is one tree: who is above a node, and which nodes are below it. */
typedef struct {
    int32_t *parents;
    int32_t *first, *last; /* the nodes below n were entered at first[n] .. last[n] */
} Branches;

/* NULL: the graph is no tree. */
const Branches *branches_create(Arena *arena, const Graph *graph);
int64_t branches_next(const Branches *branches, const Graph *graph, int64_t at, int64_t to);

#endif
