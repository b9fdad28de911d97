/* How the links of a picture are led, so that every link can be followed: past all nodes but its
   own two, and not along another link. They may cross. */
#ifndef COLLCOST_FORMAT_LINK_WAYS_H
#define COLLCOST_FORMAT_LINK_WAYS_H

#include "format/network_layout.h"

/* Half as wide as a node. */
extern const double node_radius;

/* From the middle of one node to that of another: a line; a curve with its control point between;
   or, of four points, a path beside the line. */
typedef struct {
    Point points[4];
    size_t count;
} LinkWay;

/* The way of every link, bent as little as possible. NULL: one at least has none. */
const LinkWay *link_ways_find(Arena *arena, const Network *network, const NetworkLinks *links,
                              const Point *places);
/* Half way. */
Point link_way_middle(const LinkWay *way);
/* So far from where it ends, along its last part. */
Point link_way_before_end(const LinkWay *way, double distance);

#endif
