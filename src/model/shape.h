/* The shape of a network: how its ranks lie on a grid.

   The dimensions are in the order in which they vary, the fastest first: with sizes (X, Y, Z)
   rank x + X y + X Y z has the coordinates x, y and z. A network without a grid is one line. */
#ifndef COLLCOST_MODEL_SHAPE_H
#define COLLCOST_MODEL_SHAPE_H

#include "base/limits.h"
#include "base/source.h"

enum { MOST_DIMENSIONS = LIMIT_DIMENSIONS };

typedef struct {
    int64_t p; /* the product of the sizes */
    int count;
    int64_t sizes[MOST_DIMENSIONS];
    const char *names[MOST_DIMENSIONS]; /* "x", "y", "z", or the topology's own: "device" */
    int64_t
        taper; /* above the tapered dimension there is a link for so many below; 0: not tapered */
    int64_t devices_per_adapter; /* by the machine: so many devices share one; 0: none have any */
} Shape;

/* p ranks in one line, called x. */
Shape shape_line(int64_t p);
/* Appends a dimension that varies slower than all others. False if there are too many dimensions or
   ranks. `name` NULL: the usual one (x, y, z, w, then x4, x5, ...). */
bool shape_add(Shape *shape, const char *name, int64_t size);
/* The dimension of that name, or -1. In two dimensions a row is the line of a rank along the first,
   a column along the second. */
int shape_find(const Shape *shape, Text name);
/* Are its dimensions levels, as nodes and their devices are? They have names of their own. */
bool shape_has_levels(const Shape *shape);
/* The nodes that the ranks are on: those along a dimension `device` share one; without it all do.
 */
int64_t shape_node_count(const Shape *shape);
/* How far apart two neighbours along a dimension are numbered. */
int64_t shape_stride(const Shape *shape, int dimension);
int64_t shape_coordinate(const Shape *shape, int64_t rank, int dimension);

#endif
