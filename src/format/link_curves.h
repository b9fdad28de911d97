/* How the links of a picture are led, so that every link can be followed: past all nodes but its
   own two, and not along another link. They may cross. */
#ifndef COLLCOST_FORMAT_LINK_CURVES_H
#define COLLCOST_FORMAT_LINK_CURVES_H

#include "format/network_layout.h"

/* Half as wide as a node. */
extern const double node_radius;

/* From the middle of one node to that of another: a line; a curve with its control point between;
   or, of four points, a path beside the line. */
typedef struct {
    Point points[4];
    size_t count;
} LinkCurve;

/* The curve of every link, bent as little as possible. NULL: one at least has none. */
const LinkCurve *link_curves_find(Arena *arena, const Network *network, const NetworkLinks *links,
                                  const Point *places);
/* Half curve. */
Point link_curve_middle(const LinkCurve *curve);
/* So far from where it ends, along its last part. */
Point link_curve_before_end(const LinkCurve *curve, double distance);

#endif
