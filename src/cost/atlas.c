#include "cost/atlas.h"

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

void atlas_add(Atlas *atlas, const Network *network, Curve *const *curves, size_t curve_count,
               const PieceArray *pieces, double m_count)
{
    AtlasColumn *column = ARRAY_PUSH(atlas->arena, &atlas->columns);
    *column = (AtlasColumn){.p = network->p, .network = network->name};
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        const char **tied = ARENA_ARRAY(atlas->arena, const char *, curve_count + 1);
        *ARRAY_PUSH(atlas->arena, &column->pieces) = (AtlasPiece){
            .from = piece->from * m_count,
            .to = piece->to * m_count,
            .winner = number_winner(atlas, curve_algorithm(curves[piece->curve])),
            .start = piece->start,
            .tied = tied,
            .tied_count = piece_tied(piece, curves, curve_count, tied),
        };
    }
}

const AtlasPiece *atlas_piece(const AtlasColumn *column, double bytes)
{
    const AtlasPiece *found = NULL;
    for (size_t i = 0; i < column->pieces.count; i++)
        if (i == 0 || column->pieces.items[i].from <= bytes)
            found = &column->pieces.items[i];
    return found;
}
