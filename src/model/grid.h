/* Grids of ranks: `grid: {i: q, j: q}` gives each rank coordinates, the first of which varies
   fastest:

       q = 3       j = 0    j = 1    j = 2
                   0 1 2    3 4 5    6 7 8         i = 0 1 2, 0 1 2, ...

   Sizes depend on p and d alone, so that one can tell which p a grid allows; names of the model's
   `let` that occur in them are written out. In the program, coordinates come before `let`.

   `grid: network` is that of the network: coordinates x, y and z, sizes X, Y and Z, 1 where there
   are fewer dimensions, and their number, dims. */
#ifndef COLLCOST_MODEL_GRID_H
#define COLLCOST_MODEL_GRID_H

#include "model/reader.h"
#include "model/shape.h"

/* The variables of a schedule program; coordinates and the names of `let` and `repeat` follow. */
enum {
    SCHEDULE_P,
    SCHEDULE_R,
    SCHEDULE_ROOT,
    SCHEDULE_K,
    SCHEDULE_D,
    SCHEDULE_TARGET,
    SCHEDULE_BRANCHES, /* named radix or fanout */
    SCHEDULE_DIMS,     /* of the network, with `grid: network`; then the sizes of the first three */
    SCHEDULE_SIZES,
    SCHEDULE_SLOTS = SCHEDULE_SIZES + 3
};

enum { MOST_NETWORK_GRID = SCHEDULE_SLOTS - SCHEDULE_SIZES };

/* In `renumber`, behind the others: which of the copies that run side by side. */
enum { SCHEDULE_CHANNEL = SCHEDULE_SLOTS };

typedef struct {
    const char *name;
    Formula size;
    int slot,
        size_slot; /* of the coordinate, and of its size, which has a name for messages only */
} GridDimension;

typedef struct {
    Span span;
    int count;        /* 0: no grid */
    bool is_network;  /* it is that of the network, with MOST_NETWORK_GRID dimensions */
    bool reads_ports; /* its sizes depend on d */
    GridDimension dimensions[MOST_PARAMETERS];
} RankGrid;

/* Is it `grid: network`? */
bool grid_is_network(const Node *map);
/* What programs call the number of dimensions of the network and their sizes, by slot; "" for
   other slots. */
const char *grid_network_name(int slot);
/* The names that sizes can use: p, d, and those of the model's `let`, which are written out. */
bool grid_scope(Arena *arena, const Node *map, Scope *scope, Diag *diag);
/* Reads the key `grid` of an algorithm, if it is there; coordinates and the function `rank` become
   names of `scope`. */
bool grid_read(Arena *arena, const Node *map, Scope *scope, RankGrid *grid, Diag *diag);
/* The sizes for the ranks of a network with d ports. False if they are not that many together, or
   after a report: a size has no value. */
bool grid_sizes(const RankGrid *grid, const Shape *shape, int64_t ports, int64_t *sizes,
                Diag *diag);
/* The same without a report. */
bool grid_try_sizes(const RankGrid *grid, const Shape *shape, int64_t ports, int64_t *sizes);
/* "q * q == p": what a grid requires. */
const char *grid_requirement(Arena *arena, const RankGrid *grid);
/* Puts the coordinates of ranks 0 .. p-1 into the frame. False after a report. */
bool grid_lay(const RankGrid *grid, Arena *arena, const Shape *shape, int64_t ports, Frame *frame,
              Diag *diag);

#endif
