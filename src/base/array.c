#include "base/array.h"

#include <string.h>

void *array_grow(Arena *arena, void *items, size_t count, size_t *capacity, size_t extra,
                 size_t item_size)
{
    if (*capacity - count >= extra)
        return items;
    size_t wanted = *capacity ? *capacity * 2 : 16;
    while (wanted - count < extra)
        wanted *= 2;
    void *grown = arena_room_for(arena, wanted, item_size);
    if (count)
        memcpy(grown, items, count * item_size);
    *capacity = wanted;
    return grown;
}
