/* Pictures of networks: ranks as circles, switches as squares, links in the style of their class.
 */
#ifndef COLLCOST_FORMAT_NETWORK_PICTURE_H
#define COLLCOST_FORMAT_NETWORK_PICTURE_H

#include "format/captions.h"
#include "format/network_layout.h"

/* False: too large; *what says of what there are too many, and how many there could be. */
bool network_is_drawable(Arena *arena, const Network *network, const char **what);
/* Two sides of a network, and what crosses from the inner one to the other. Of a rank, what it
   holds and its node may be on different sides: then its ports are crossed. */
typedef struct {
    const bool *memories, *nodes; /* of each rank, and of each node: is it inside? */
    bool both;                    /* what crosses to the inner side counts too */
} NetworkSides;

/* With `sides` (or NULL) these are told apart, in place of the classes of links. NULL: links would
   lie on one another, or on nodes that they do not join. */
Drawing *network_draw(Arena *arena, const Network *network, const Heading *heading,
                      const NetworkSides *sides);

/* How the links of a picture are led, so that every link can be followed: past all nodes but its
   own two, and not along another link. They may cross. */

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

#endif
