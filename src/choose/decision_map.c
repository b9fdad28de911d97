#include "choose/decision_map.h"

#include <math.h>
#include <string.h>

static size_t number_winner(DecisionMap *map, const Algorithm *algorithm)
{
    for (size_t i = 0; i < map->winners.count; i++)
        if (strcmp(map->winners.items[i].name, algorithm->head.name) == 0)
            return i;
    *ARRAY_PUSH(map->arena, &map->winners) =
        (MapWinner){algorithm->head.name, algorithm->free_chunks};
    return map->winners.count - 1;
}

bool decision_map_add(DecisionMap *map, const Network *network, Curve *const *curves,
                      size_t curve_count, const PieceArray *pieces, double m_count, Diag *diag)
{
    MapColumn *column = ARRAY_PUSH(map->arena, &map->columns);
    *column = (MapColumn){.p = network->p, .network = network->name};
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        MapPiece *added = ARRAY_PUSH(map->arena, &column->pieces);
        *added = (MapPiece){
            .from = piece->from * m_count,
            .to = piece->to * m_count,
            .winner = number_winner(map, curve_algorithm(curves[piece->curve])),
            .start = piece->start,
        };
        if (map->has_details &&
            !piece_details(map->arena, curves, curve_count, piece, &added->details, diag))
            return false;
        added->details.second.at *= m_count;
    }
    return true;
}

const MapPiece *decision_map_piece(const MapColumn *column, double bytes)
{
    const MapPiece *found = NULL;
    for (size_t i = 0; i < column->pieces.count; i++)
        if (i == 0 || column->pieces.items[i].from <= bytes)
            found = &column->pieces.items[i];
    return found;
}
