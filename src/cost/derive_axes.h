/* Port steps in which each coordinate of a grid moves by itself.

       4 x 4, r xor 5:   (x, y) -> (x xor 1, y xor 1)     0 <-> 1, 2 <-> 3 in each row,
                                                          and then in each column

   Where all ranks send as much, and each receives from one, each line of the grid carries the same
   messages: one for each of its ranks, since messages go along one dimension after the other. So
   what the ranks on the axes, with at most one coordinate that is not 0, send along their axis
   stands for all. */
#ifndef COLLCOST_COST_DERIVE_AXES_H
#define COLLCOST_COST_DERIVE_AXES_H

#include "cost/derive_step.h"

/* Along dimension i: messages starts[i] .. starts[i + 1] - 1, between different ranks. */
typedef struct {
    int64_t *from, *to;
    size_t starts[MOST_DIMENSIONS + 1];
    bool rests[MOST_DIMENSIONS]; /* some ranks send to one with the same coordinate */
} AxisMessages;

/* Is the network a grid of lines, through which messages go in one dimension after the other? */
bool axes_are_lines(const Network *network);
/* Looks at each message, in O(p). False where they are not so, or the network is no grid of lines.
 */
bool axis_messages_find(const Network *network, Arena *arena, const PortStep *step,
                        AxisMessages *messages);

#endif
