#include "base/array.h"

#include <string.h>

void *array_grow(Arena *arena, void *items, size_t count, size_t *capacity, size_t extra,
                 size_t item_size)
{
    size_t least, wanted = *capacity ? *capacity : 2;
    if (__builtin_add_overflow(count, extra, &least) || least > SIZE_MAX / 4)
        workspace_fail(arena_workspace(arena), SIZE_MAX);
    do
        wanted *= 2;
    while (wanted < least);
    void *grown = arena_room_for(arena, wanted, item_size);
    if (count)
        memcpy(grown, items, count * item_size);
    *capacity = wanted;
    return grown;
}

void *array_grow_alone(Arena *arena, void *items, size_t count, size_t *capacity, size_t extra,
                       size_t item_size)
{
    const size_t old = *capacity * item_size;
    void *grown = array_grow(arena, items, count, capacity, extra, item_size);
    arena_discard(items, old);
    return grown;
}
