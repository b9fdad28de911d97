/* The map of a collective: the fastest algorithm over ranks and sizes. Plain data, which text, CSV,
   JSON and pictures show alike.

   A column is one network of some ranks; its pieces are those of the lower envelope, so their ends
   are exact. Algorithms that win somewhere have a number, in the order of their first piece. */
#ifndef COLLCOST_FORMAT_DECISION_MAP_H
#define COLLCOST_FORMAT_DECISION_MAP_H

#include "collcost.h"
#include "format/captions.h"

typedef struct {
    double from, to; /* bytes, in the convention of --sizes; pieces follow one another */
    size_t winner;   /* in DecisionMap.winners */
    const collcost_piece *found;
} MapPiece;
ARRAY_TYPE(MapPieceArray, MapPiece);

typedef struct {
    int64_t p;
    const char *network;  /* "torus:4x8" */
    double m_count;       /* by which sizes are multiplied in the convention of --sizes */
    MapPieceArray pieces; /* none: no algorithm runs there */
} MapColumn;
ARRAY_TYPE(MapColumnArray, MapColumn);
ARRAY_TYPE(MapWinnerArray, const char *);

typedef struct {
    Arena *arena;
    const char *collective, *topology;
    double from, to; /* bytes */
    MapColumnArray columns;
    MapWinnerArray winners; /* names */
} DecisionMap;

/* Adds a column with the pieces of a network, which must live on. */
void decision_map_add(DecisionMap *map, const char *network, int64_t p,
                      const collcost_piece *pieces, size_t count, double m_count);
/* The piece of a column in which a size lies, or NULL where no algorithm runs. */
const MapPiece *decision_map_piece(const MapColumn *column, double bytes);

/* Pictures of maps: where over ranks and message sizes which algorithm is the fastest. A row for
   each number of ranks, in regions whose ends are the switch points. */

enum { WINNER_MAP_MOST_ROWS = 256 };

/* The map has columns, and sizes that are not all the same. */
Drawing *winner_map_draw(Arena *arena, const DecisionMap *map, const Heading *heading,
                         const char *size_title);

#endif
