#include "base/place_table.h"

#include <string.h>

enum { LEAST_SIZE = 64 };

static size_t slot_of(const PlaceTable *table, uint64_t key)
{
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15u >> 20) & (table->size - 1);
    while (table->keys[at] && table->keys[at] != key + 1)
        at = (at + 1) & (table->size - 1);
    return at;
}

static void grow(Arena *arena, PlaceTable *table)
{
    const PlaceTable old = *table;
    table->size = old.size ? 2 * old.size : LEAST_SIZE;
    table->keys = ARENA_ARRAY(arena, uint64_t, table->size);
    table->places = ARENA_ROOM(arena, int32_t, table->size);
    for (size_t i = 0; i < old.size; i++)
        if (old.keys[i]) {
            size_t at = slot_of(table, old.keys[i] - 1);
            table->keys[at] = old.keys[i];
            table->places[at] = old.places[i];
        }
    arena_discard(old.keys, old.size * sizeof *old.keys);
    arena_discard(old.places, old.size * sizeof *old.places);
}

int32_t *place_table_find(Arena *arena, PlaceTable *table, uint64_t key)
{
    if (2 * table->count >= table->size)
        grow(arena, table);
    size_t at = slot_of(table, key);
    if (!table->keys[at]) {
        table->keys[at] = key + 1;
        table->places[at] = -1;
        table->count++;
    }
    return &table->places[at];
}

int32_t place_table_get(const PlaceTable *table, uint64_t key)
{
    const size_t at = table->size ? slot_of(table, key) : 0;
    return table->size && table->keys[at] ? table->places[at] : -1;
}

void place_table_clear(PlaceTable *table)
{
    if (table->size)
        memset(table->keys, 0, table->size * sizeof *table->keys);
    table->count = 0;
}
