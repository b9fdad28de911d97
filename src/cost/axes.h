/* Port steps in which all ranks of a grid send alike, and each coordinate moves by itself.

       4 x 4, r xor 5:             (x, y) -> (x xor 1, y xor 1)
       4 x 4, (r + 5) mod 16:      (x, y) -> (x + 1, y + 1), and one further along y where x carries

   Messages go along one dimension after the other, so each line of the grid carries the same ones:
   one for each of its ranks. What the ranks of the first line along a dimension send there stands
   for all, and paths along some dimensions go on as each of those along the next one. */
#ifndef COLLCOST_COST_AXES_H
#define COLLCOST_COST_AXES_H

#include "cost/link_loads.h"

/* Appends the paths of which one may be the slowest where each rank r sends as many blocks to the
   rank at r + amount, modulo p, or at r xor amount. False where the network is no grid of lines, or
   its links are not plain; *failed after a report. O(size) of a line for each distance along it,
   the first time. */
bool axes_slowest(const LoadContext *context, Arena *scratch, Move move, int64_t amount,
                  int64_t blocks, PathList *slowest, bool *failed, Diag *diag);

#endif
