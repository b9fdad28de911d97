#include "base/array.h"

#include <stdlib.h>
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

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static int compare_whole(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* qsort is not to be called without an array. */
void sort_doubles(double *numbers, size_t count)
{
    if (count > 1)
        qsort(numbers, count, sizeof *numbers, compare_doubles);
}

void sort_whole(int64_t *numbers, size_t count)
{
    if (count > 1)
        qsort(numbers, count, sizeof *numbers, compare_whole);
}

size_t sort_doubles_once(double *numbers, size_t count)
{
    size_t kept = 0;
    sort_doubles(numbers, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[i] > numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}
