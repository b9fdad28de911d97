#include "base/heap.h"

#include "base/array.h"

#include <string.h>

int32_t *heap_places(Arena *arena, size_t count)
{
    int32_t *places = ARENA_ROOM(arena, int32_t, count);
    memset(places, -1, count * sizeof *places);
    return places;
}

static void put(Heap *heap, size_t place, int32_t which)
{
    heap->items[place] = which;
    heap->places[which] = (int32_t)place;
}

static void sift_up(Heap *heap, size_t place)
{
    const int32_t which = heap->items[place];
    for (; place > 0; place = (place - 1) / 2) {
        const int32_t above = heap->items[(place - 1) / 2];
        if (!heap->is_before(heap->context, which, above))
            break;
        put(heap, place, above);
    }
    put(heap, place, which);
}

static void sift_down(Heap *heap, size_t place)
{
    const int32_t which = heap->items[place];
    for (size_t below; (below = 2 * place + 1) < heap->count; place = below) {
        if (below + 1 < heap->count &&
            heap->is_before(heap->context, heap->items[below + 1], heap->items[below]))
            below++;
        if (!heap->is_before(heap->context, heap->items[below], which))
            break;
        put(heap, place, heap->items[below]);
    }
    put(heap, place, which);
}

void heap_set(Arena *arena, Heap *heap, int32_t which)
{
    if (heap->places[which] < 0) {
        *ARRAY_PUSH(arena, heap) = which;
        sift_up(heap, heap->count - 1);
    } else {
        sift_up(heap, (size_t)heap->places[which]);
        sift_down(heap, (size_t)heap->places[which]);
    }
}

int32_t heap_take(Heap *heap)
{
    if (heap->count == 0)
        return -1;
    const int32_t first = heap->items[0];
    heap->places[first] = -1;
    if (--heap->count > 0) {
        put(heap, 0, heap->items[heap->count]);
        sift_down(heap, 0);
    }
    return first;
}
