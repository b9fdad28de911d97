/* Topologies: which ranks are neighbours, and which way a message goes.

   `neighbours` is a set of ranks for every rank r; `next` is the neighbour to which rank r passes
   a message for rank `to`. Both are rules that hold for every p. */
#ifndef COLLCOST_MODEL_TOPOLOGY_H
#define COLLCOST_MODEL_TOPOLOGY_H

#include "model/reader.h"

enum { TOPOLOGY_P, TOPOLOGY_R, TOPOLOGY_TO, TOPOLOGY_SLOTS };

typedef struct {
    Head head;
    SetList neighbours; /* of r, as ranks; r itself does not count */
    Formula next;
    bool direct; /* all ranks are neighbours and `next` is `to`: nothing has to be laid out */
} Topology;

Topology *topology_read(Arena *arena, const Node *map, Diag *diag);

#endif
