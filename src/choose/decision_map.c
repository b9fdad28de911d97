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

static bool fill_second(Curve *const *curves, size_t curve_count, const Piece *piece,
                        double m_count, MapPiece *filled, Diag *diag)
{
    Margin *second = &filled->second;
    if (!curve_at(curves[piece->curve], piece->to, curve_most_chunks(piece->to), &filled->end,
                  diag) ||
        !margin_of_second(curves, curve_count, piece, second, diag))
        return false;
    if (second->loss > -INFINITY)
        filled->runner = curve_algorithm(curves[second->curve])->head.name;
    second->at *= m_count;
    return true;
}

bool decision_map_add(DecisionMap *map, const Network *network, Curve *const *curves,
                      size_t curve_count, const PieceArray *pieces, double m_count, Diag *diag)
{
    MapColumn *column = ARRAY_PUSH(map->arena, &map->columns);
    *column = (MapColumn){.p = network->p, .network = network->name};
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        const char **tied = ARENA_ARRAY(map->arena, const char *, curve_count + 1);
        MapPiece *added = ARRAY_PUSH(map->arena, &column->pieces);
        *added = (MapPiece){
            .from = piece->from * m_count,
            .to = piece->to * m_count,
            .winner = number_winner(map, curve_algorithm(curves[piece->curve])),
            .start = piece->start,
            .tied = tied,
            .tied_count = piece_tied(piece, curves, curve_count, tied),
        };
        if (map->has_seconds && !fill_second(curves, curve_count, piece, m_count, added, diag))
            return false;
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
