/* Which of many numbered things is the first: a binary heap of their numbers. What orders them lies
   with the caller, who says when it changed. */
#ifndef COLLCOST_BASE_HEAP_H
#define COLLCOST_BASE_HEAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    bool (*is_before)(void *context, int32_t a, int32_t b); /* never both ways, and transitive */
    void *context;
    int32_t *places; /* of each number in `items`; -1: it is not in the heap; several heaps can
                        share them where no number is in two */
    int32_t *items;
    size_t count, capacity;
} Heap;

/* For the numbers 0 .. count - 1, none of them in a heap. */
int32_t *heap_places(Arena *arena, size_t count);
/* Puts a number in, or moves it where its order changed. O(log count) */
void heap_set(Arena *arena, Heap *heap, int32_t which);
/* Takes the first one out; -1: there is none. O(log count) */
int32_t heap_take(Heap *heap);

#endif
