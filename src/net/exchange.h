/* Exchanges of ranks by bits of their numbers, r with r xor c, behind which a network is the same:
   links land on links, and paths on paths.

       cluster:4x8     all bits: those of the device leave switches in place, those of the node
                       exchange the switches of nodes
       dragonfly       those of the host

   So a message stands for as many as such c there are, and a link for those on which it lands. */
#ifndef COLLCOST_NET_EXCHANGE_H
#define COLLCOST_NET_EXCHANGE_H

#include "net/network.h"

typedef struct {
    int64_t bits;     /* of c: any of these; 0: none */
    int64_t images;   /* of each rank, itself included */
    int32_t *links;   /* of each link: the one that stands for it */
    int32_t *landing; /* of a link that stands for others: how many, itself included */
} Exchange;

/* That paths land on paths is proven from the rule `next`, that links do is seen. O(p + links) for
   each bit. False: there are none, or the network is no single line of a power of two ranks. */
bool exchange_find(const Network *network, Arena *arena, Exchange *exchange);

#endif
