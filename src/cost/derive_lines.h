/* Loads of links on grids of lines, where a message crosses links side by side along one dimension
   after the other, as on rings, meshes and tori.

       torus:8x8, 6 -> 33      links of row 0 at x = 6, 7, 0, then of column 1 at y = 0 .. 3

   Its links are a few pieces of an array, which is shorter than the list of them by the length of
   lines: neither routes nor numbers of links are kept. */
#ifndef COLLCOST_COST_DERIVE_LINES_H
#define COLLCOST_COST_DERIVE_LINES_H

#include "cost/derive_plain.h"

typedef struct LineLoads LineLoads;

/* In O(ranks). `joins`: both directions of a link share their load. NULL: the network is no grid of
   lines, or too large. */
LineLoads *line_loads_open(Arena *arena, const Network *network, bool joins);
/* Lists what the messages of a port step cost over links that are alike, as plain_push keeps it.
   O(messages + links that they cross), the links in steps of a few bytes. False where a message
   turns around on a line. */
bool line_loads_list(LineLoads *loads, Arena *scratch, const PortStep *step, PlainList *list);

#endif
