/* Growable arrays in an arena.

   An array is a struct of items, count and capacity:

       ARRAY_TYPE(IntArray, int64_t);
       IntArray ranks = {0};
       *ARRAY_PUSH(arena, &ranks) = 7;

   Growth leaves the old items in the arena: at most as much again as the
   array itself. */
#ifndef COLLCOST_BASE_ARRAY_H
#define COLLCOST_BASE_ARRAY_H

#include "base/arena.h"

#define ARRAY_TYPE(name, type)                                                                     \
    typedef struct {                                                                               \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    } name

/* Makes room for `extra` more items; the count stays. */
#define ARRAY_RESERVE(arena, array, extra)                                                         \
    ((array)->capacity - (array)->count >= (extra)                                                 \
         ? (void)0                                                                                 \
         : (void)((array)->items =                                                                 \
                      array_grow((arena), (array)->items, (array)->count, &(array)->capacity,      \
                                 (extra), sizeof *(array)->items)))

/* The address of a new last item; not zeroed where memory was reused. */
#define ARRAY_PUSH(arena, array)                                                                   \
    (ARRAY_RESERVE((arena), (array), 1), &(array)->items[(array)->count++])

/* ARRAY_PUSH for large arrays: when they grow, the old items are given back, so that no pointer to
   them and no copy of the array may be used then. */
#define ARRAY_PUSH_ALONE(arena, array)                                                             \
    (ARRAY_RESERVE_ALONE((arena), (array), 1), &(array)->items[(array)->count++])
#define ARRAY_RESERVE_ALONE(arena, array, extra)                                                   \
    ((array)->capacity - (array)->count >= (extra)                                                 \
         ? (void)0                                                                                 \
         : (void)((array)->items =                                                                 \
                      array_grow_alone((arena), (array)->items, (array)->count,                    \
                                       &(array)->capacity, (extra), sizeof *(array)->items)))

/* `to` becomes a copy of another array of its type. */
#define ARRAY_COPY(arena, to, from)                                                                \
    ((to)->items =                                                                                 \
         (void *)arena_copy((arena), (from)->items, (from)->count * sizeof *(from)->items),        \
     (to)->count = (to)->capacity = (from)->count)

void *array_grow_alone(Arena *arena, void *items, size_t count, size_t *capacity, size_t extra,
                       size_t item_size);
void *array_grow(Arena *arena, void *items, size_t count, size_t *capacity, size_t extra,
                 size_t item_size);

ARRAY_TYPE(IntArray, int64_t);

/* Numbers in rising order; `numbers` may be NULL where there are none. */
void sort_doubles(double *numbers, size_t count);
/* Sorts, and keeps of equal numbers one; how many remain. */
size_t sort_doubles_once(double *numbers, size_t count);
void sort_whole(int64_t *numbers, size_t count);

/* How many items an array of C has. */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
