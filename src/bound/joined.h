/* Nodes joined to sets, as trees in which each node has a parent; roots are their own. */
#ifndef COLLCOST_BOUND_JOINED_H
#define COLLCOST_BOUND_JOINED_H

#include <stdint.h>

/* Which node stands for the set of a node; shortens the way there. */
static inline int64_t joined_root(int64_t *parents, int64_t node)
{
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

/* Makes one set of two. The lesser root stays, so that the least node stands for a set. */
static inline void joined_join(int64_t *parents, int64_t a, int64_t b)
{
    a = joined_root(parents, a), b = joined_root(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

#endif
