#include "format/decision_map.h"

#include <string.h>

static size_t number_winner(DecisionMap *map, const char *name)
{
    for (size_t i = 0; i < map->winners.count; i++)
        if (strcmp(map->winners.items[i], name) == 0)
            return i;
    *ARRAY_PUSH(map->arena, &map->winners) = name;
    return map->winners.count - 1;
}

void decision_map_add(DecisionMap *map, const char *network, int64_t p,
                      const collcost_piece *pieces, size_t count, double m_count)
{
    MapColumn *column = ARRAY_PUSH(map->arena, &map->columns);
    *column = (MapColumn){.p = p, .network = network, .m_count = m_count};
    for (size_t i = 0; i < count; i++)
        *ARRAY_PUSH(map->arena, &column->pieces) =
            (MapPiece){.from = pieces[i].from_bytes * m_count,
                       .to = pieces[i].to_bytes * m_count,
                       .winner = number_winner(map, pieces[i].algorithm),
                       .found = &pieces[i]};
}

const MapPiece *decision_map_piece(const MapColumn *column, double bytes)
{
    const MapPiece *found = NULL;
    for (size_t i = 0; i < column->pieces.count; i++)
        if (i == 0 || column->pieces.items[i].from <= bytes)
            found = &column->pieces.items[i];
    return found;
}
