/* Open hash tables from numbers to places, such as indices of an array. */
#ifndef COLLCOST_BASE_PLACE_TABLE_H
#define COLLCOST_BASE_PLACE_TABLE_H

#include "base/arena.h"

/* All zeros: empty. */
typedef struct {
    uint64_t *keys; /* plus 1; 0: free */
    int32_t *places;
    size_t count, size;
} PlaceTable;

/* The place of this key, below 2^64 - 1, to be filled where it is -1. Valid until the next call. */
int32_t *place_table_find(Arena *arena, PlaceTable *table, uint64_t key);
/* The place of this key; -1: it has none. */
int32_t place_table_get(const PlaceTable *table, uint64_t key);
/* Forgets all keys; the room stays. */
void place_table_clear(PlaceTable *table);

#endif
