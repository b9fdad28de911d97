/* Memory that is freed all at once.

   Everything that one command reads or computes lives in one arena, so no
   function needs a cleanup ladder. A temporary arena (or a mark and release)
   serves loops that would otherwise pile up memory. */
#ifndef COLLCOST_BASE_ARENA_H
#define COLLCOST_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

/* A place in an arena to which arena_release can return. */
typedef struct {
    void *chunk;
    size_t used;
} ArenaMark;

/* What to do when the system has no memory left. It must not return; the
   program's main sets it, and nothing below main needs to check for NULL. */
typedef void (*ArenaFailure)(size_t wanted);
void arena_on_failure(ArenaFailure failure);

Arena *arena_create(void);
void arena_destroy(Arena *arena);

/* The arena that was made last of those that live, or NULL; and the end of all that were made after
   one: for work that is ended half-way, whose own arenas nobody else knows. */
Arena *arena_newest(void);
void arena_destroy_since(const Arena *older);

/* `size` zeroed bytes; from 256 on aligned to 64 for vector code. */
void *arena_alloc(Arena *arena, size_t size);
/* `count` zeroed elements of `size` bytes; a product that overflows counts as memory running out.
 */
void *arena_calloc(Arena *arena, size_t count, size_t size);
/* The same without zeroing: for large arrays that are filled at once. */
void *arena_room(Arena *arena, size_t size);
void *arena_room_for(Arena *arena, size_t count, size_t size);
/* A copy of `size` bytes, with a NUL behind them. */
char *arena_copy(Arena *arena, const void *bytes, size_t size);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

ArenaMark arena_mark(Arena *arena);
/* Takes back all that was allocated after `mark`, for use by later allocations. */
void arena_release(Arena *arena, ArenaMark mark);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))
#define ARENA_ROOM(arena, type, count) ((type *)arena_room_for((arena), (count), sizeof(type)))
/* A copy of `count` items of an array. */
#define ARENA_COPY(arena, type, items, count)                                                      \
    ((type *)(void *)arena_copy((arena), (items), (count) * sizeof(type)))

#endif
