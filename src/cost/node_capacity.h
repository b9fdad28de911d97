/* Switches, and memories of nodes, that pass a limited number of bytes a second in all. */
#ifndef COLLCOST_COST_NODE_CAPACITY_H
#define COLLCOST_COST_NODE_CAPACITY_H

#include "cost/rules.h"

/* Of each node of the network. A switch is of the level of the lowest links that leave it. */
typedef struct {
    const double *capacities; /* bytes/s; 0: endless */
    const int *levels;        /* network_level */
    const int64_t *passes;   /* a message between two links of this level counts so often, any other
                                once */
    const double *of_levels; /* capacities by level */
    const int64_t *passes_of_levels; /* and passes */
    int varied;                      /* the level whose capacity rules vary; -1: none */
} NodeCapacities;

/* Messages that pass a node cross a link from it to itself, of a class of its own: this one for
   nodes of a level, or where such a message counts more than once. */
static inline size_t node_class(const Network *network, const NodeCapacities *nodes, int64_t node,
                                int64_t weight)
{
    return network->class_count + (size_t)nodes->levels[node] + (weight > 1 ? LIMIT_LEVELS + 1 : 0);
}

/* Of nodes of which level a link of this class stands for one. */
static inline int node_class_level(const Network *network, size_t class)
{
    return (int)((class - network->class_count) % (LIMIT_LEVELS + 1));
}

/* How often a message counts that crosses a link of this class. */
static inline int64_t node_class_weight(const Network *network, const NodeCapacities *nodes,
                                        size_t class)
{
    const int level = node_class_level(network, class);
    return class - network->class_count > LIMIT_LEVELS ? nodes->passes_of_levels[level] : 1;
}

/* What the machine says of the level of a switch; NULL: nothing. */
const Level *node_level(const Rules *rules, const Network *network, int64_t node);
/* NULL where no switch of the network has a capacity. O(nodes). */
const NodeCapacities *node_capacities_find(Arena *arena, const Rules *rules,
                                           const Network *network);
/* weights[i]: how often a message counts at the node to which it goes by crossing i of its route; 0
   where that is endless. */
const int64_t *node_capacities_weigh(const NodeCapacities *nodes, const Network *network,
                                     Arena *arena, const Routes *routes, size_t messages);

#endif
