/* Groups of ranks of a network, each of which runs a collective of its own, all at the same time.

   Nodes have other numbers: rank i of group g is node g n + i, with n ranks to a group. Behind all
   members come the other ranks, then the switches, both in their order:

       cluster:2x3 along node     groups  0 3 | 1 4 | 2 5     nodes 0 .. 5 are ranks 0 3 1 4 2 5

   Messages go as they do in the whole network, past other ranks too. */
#ifndef COLLCOST_NET_GROUP_H
#define COLLCOST_NET_GROUP_H

#include "net/network.h"

/* The network of one group of `shape`, which stands for all of them: members[g n + i] is rank i of
   group g in `whole`, each at most once. Lives in `arena`, `whole` must live as long. */
void network_group(Arena *arena, const Network *whole, const Shape *shape, const int64_t *members,
                   int64_t groups, const char *name, Network *grouped);

#endif
