/* Where claims are judged, and schedules run: shapes, roots, numbers of chunks, ports. */
#ifndef COLLCOST_CLAIMS_GRID_H
#define COLLCOST_CLAIMS_GRID_H

#include "claims/verdict.h"
#include "sched/branching.h"
#include "sched/shapes.h"

enum { VERDICT_ORDERS = 7 };

/* The roots tried for p ranks: 0, 1, the middle, the last; 0 alone if not `rooted`. Returns how
   many. The same for targets. */
int verdict_roots(bool rooted, int64_t p, int64_t roots[4]);
/* The orders n of a problem that are tried on data; for a collective 0, which counts for nothing.
 */
int verdict_orders(bool is_problem, int64_t orders[VERDICT_ORDERS]);
/* The numbers of chunks tried. */
int verdict_chunks(bool free_chunks, int64_t chunks[5]);
/* Numbers of chunks with radices or fan-outs. */
enum { VERDICT_CHOICES = 5 };
typedef struct {
    int64_t k, branches;
} VerdictChoice;
/* Those tried on one shape: each number of chunks, and of radices or fan-outs the first three and
   the last, but not all pairs of them; other pairs for other numbers of ranks. Returns how many. */
int verdict_choices(Arena *arena, const Algorithm *algorithm, const Shape *shape, int64_t ports,
                    VerdictChoice choices[VERDICT_CHOICES]);
/* Appends the shapes of the topology, the fewest ranks first: p = 1 .. largest in a line, or as
   many as the topology allows; with `largest` ranks at most, grids of up to 8 x 8 and 4 x 4 x 4;
   hypercubes of four times as many. Those along whose dimensions an algorithm runs (NULL: none) on
   a network without links along them. */
void verdict_shapes(Arena *arena, const Topology *topology, const Algorithm *algorithm,
                    int64_t largest, ShapeArray *shapes);
/* Those of the grid, or all of these up to its largest number of ranks. */
ShapeArray verdict_grid_shapes(Arena *arena, const VerdictGrid *grid, const Topology *topology,
                               const Algorithm *algorithm);

#endif
