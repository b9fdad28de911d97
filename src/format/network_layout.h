/* Where the nodes of a network are in its picture.

   By what its links are like, so that networks of users have their layout too: a grid of ranks
   lies in its coordinates (a hypercube as cubes within one another), a tree hangs from its root or
   spreads around it, ranks with switches are in rows or rings by their distance from the ranks,
   and everything else is on a circle. */
#ifndef COLLCOST_FORMAT_NETWORK_LAYOUT_H
#define COLLCOST_FORMAT_NETWORK_LAYOUT_H

#include "format/drawing.h"
#include "net/network.h"

/* A link, or the two directions of one where both are of the same class. */
typedef struct {
    int64_t from, to;
    int class;
    bool both;
} NetworkLink;

ARRAY_TYPE(NetworkLinks, NetworkLink);

NetworkLinks network_links(Arena *arena, const Network *network);
/* The middle of every node; no two are nearer than `network_gap`. `in_rings`: ranks around their
   switches in any case, where links between rows would overlap; then NULL where there are no
   switches. */
Point *network_places(Arena *arena, const Network *network, const NetworkLinks *links,
                      bool in_rings);

/* Levels of switches above one another, and below each switch a block of the ranks that it is the
   first neighbour of, from y = 0 down. For large and irregular networks, whose links may lie on one
   another. NULL: there are no switches. */
Point *network_places_by_level(Arena *arena, const Network *network, const NetworkLinks *links);

extern const double network_gap;

#endif
