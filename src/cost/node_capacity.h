/* Switches, and memories of nodes, that pass so many bytes a second in all. */
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
    int64_t most_passes;
} NodeCapacities;

/* Messages that pass a node can be taken to cross a link from it to itself, of a class of its own,
   as often as they count there: this one for nodes of a level. */
static inline size_t node_class(const Network *network, int level)
{
    return network->class_count + (size_t)level;
}

/* Can they be taken so by these rules? */
bool node_capacities_are_links(const NodeCapacities *nodes, const Rules *rules,
                               const Network *network);

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
