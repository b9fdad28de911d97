/* A text that grows in an arena.

       Buffer text = {.arena = arena};
       buffer_printf(&text, "round %d\n", 7);

   Growth leaves the old text in the arena, which must not be released to a mark meanwhile. */
#ifndef COLLCOST_BASE_BUFFER_H
#define COLLCOST_BASE_BUFFER_H

#include "base/array.h"

typedef struct {
    Arena *arena;
    char *items; /* NULL while it is empty; else with a NUL behind the last byte */
    size_t count, capacity;
} Buffer;

void buffer_printf(Buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds bytes as they are. */
void buffer_add(Buffer *buffer, const char *bytes, size_t length);
/* Takes off all behind the first `count` bytes. */
void buffer_cut(Buffer *buffer, size_t count);

#endif
