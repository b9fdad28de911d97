/* The map of a collective: the fastest algorithm over ranks and sizes. Plain data, which text, CSV,
   JSON and pictures show alike.

   A column is one network, so many ranks; its pieces are those of the lower envelope, so their ends
   are exact. Algorithms that win somewhere have a number, in the order of their first piece. */
#ifndef COLLCOST_CHOOSE_DECISION_MAP_H
#define COLLCOST_CHOOSE_DECISION_MAP_H

#include "choose/margin.h"

typedef struct {
    double from, to; /* bytes, in the convention of --sizes; pieces follow one another */
    size_t winner;   /* in DecisionMap.winners */
    CurvePoint start;
    PieceDetails details; /* only with DecisionMap.has_details; second.at as from and to */
} MapPiece;
ARRAY_TYPE(MapPieceArray, MapPiece);

typedef struct {
    int64_t p;
    const char *network;  /* "torus:4x8" */
    MapPieceArray pieces; /* none: no algorithm runs there */
} MapColumn;
ARRAY_TYPE(MapColumnArray, MapColumn);

typedef struct {
    const char *name; /* "swing" */
    bool has_chunks;  /* k is free to be chosen, so pieces have one */
} MapWinner;
ARRAY_TYPE(MapWinnerArray, MapWinner);

typedef struct {
    Arena *arena;
    const char *collective, *topology;
    double from, to; /* bytes */
    MapColumnArray columns;
    MapWinnerArray winners;
    bool has_details;
} DecisionMap;

/* Adds a column. Sizes of pieces are multiplied by `m_count`, as --sizes counts them. False
   after a report. */
bool decision_map_add(DecisionMap *map, const Network *network, Curve *const *curves,
                      size_t curve_count, const PieceArray *pieces, double m_count, Diag *diag);
/* The piece of a column in which a size lies, or NULL where no algorithm runs. */
const MapPiece *decision_map_piece(const MapColumn *column, double bytes);

#endif
