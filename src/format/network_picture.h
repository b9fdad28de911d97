/* Pictures of networks: ranks as circles, switches as squares, links in the style of their class.
 */
#ifndef COLLCOST_FORMAT_NETWORK_PICTURE_H
#define COLLCOST_FORMAT_NETWORK_PICTURE_H

#include "format/captions.h"
#include "net/network.h"

/* Nodes, and links in one or both directions, beyond which nobody could read it. */
enum { NETWORK_MOST_NODES = 256, NETWORK_MOST_LINKS = 1024 };

/* False: too large, and *what says what for. */
bool network_is_drawable(const Network *network, const char **what);
/* NULL: links would lie on one another, or on nodes that they do not join. */
Drawing *network_draw(Arena *arena, const Network *network, const Heading *heading);

#endif
