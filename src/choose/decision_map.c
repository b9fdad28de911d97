#include "choose/decision_map.h"

#include <math.h>
#include <string.h>

static size_t number_winner(Atlas *atlas, const Algorithm *algorithm)
{
    for (size_t i = 0; i < atlas->winners.count; i++)
        if (strcmp(atlas->winners.items[i].name, algorithm->head.name) == 0)
            return i;
    *ARRAY_PUSH(atlas->arena, &atlas->winners) =
        (AtlasWinner){algorithm->head.name, algorithm->free_chunks};
    return atlas->winners.count - 1;
}

static bool fill_second(Curve *const *curves, size_t curve_count, const Piece *piece,
                        double m_count, AtlasPiece *filled, Diag *diag)
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

bool atlas_add(Atlas *atlas, const Network *network, Curve *const *curves, size_t curve_count,
               const PieceArray *pieces, double m_count, Diag *diag)
{
    AtlasColumn *column = ARRAY_PUSH(atlas->arena, &atlas->columns);
    *column = (AtlasColumn){.p = network->p, .network = network->name};
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        const char **tied = ARENA_ARRAY(atlas->arena, const char *, curve_count + 1);
        AtlasPiece *added = ARRAY_PUSH(atlas->arena, &column->pieces);
        *added = (AtlasPiece){
            .from = piece->from * m_count,
            .to = piece->to * m_count,
            .winner = number_winner(atlas, curve_algorithm(curves[piece->curve])),
            .start = piece->start,
            .tied = tied,
            .tied_count = piece_tied(piece, curves, curve_count, tied),
        };
        if (atlas->has_seconds && !fill_second(curves, curve_count, piece, m_count, added, diag))
            return false;
    }
    return true;
}

const AtlasPiece *atlas_piece(const AtlasColumn *column, double bytes)
{
    const AtlasPiece *found = NULL;
    for (size_t i = 0; i < column->pieces.count; i++)
        if (i == 0 || column->pieces.items[i].from <= bytes)
            found = &column->pieces.items[i];
    return found;
}
