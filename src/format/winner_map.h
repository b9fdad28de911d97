/* Pictures of maps: where over ranks and message sizes which algorithm is the fastest. A row for
   each number of ranks, in regions whose ends are the switch points. */
#ifndef COLLCOST_FORMAT_WINNER_MAP_H
#define COLLCOST_FORMAT_WINNER_MAP_H

#include "format/captions.h"
#include "format/decision_map.h"

enum { WINNER_MAP_MOST_ROWS = 256 };

/* The map has columns, and sizes that are not all the same. */
Drawing *winner_map_draw(Arena *arena, const DecisionMap *map, const Heading *heading,
                         const char *size_title);

#endif
