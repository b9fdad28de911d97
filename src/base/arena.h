/* Memory that is freed all at once.

   Everything that one question reads or computes lives in one arena, so no
   function needs a cleanup ladder. A temporary arena (or a mark and release)
   serves loops that would otherwise pile up memory.

   No function here returns without the memory that it was to give: where there
   is none, the work ends as workspace.h says. A size that overflows counts as
   memory running out. An arena is used by one thread at a time. */
#ifndef COLLCOST_BASE_ARENA_H
#define COLLCOST_BASE_ARENA_H

#include "base/workspace.h"

#include <stdarg.h>

typedef struct Arena Arena;

/* A place in an arena to which arena_release can return. */
typedef struct {
    void *chunk;
    size_t used;
} ArenaMark;

/* An arena of a workspace. NULL: it has none; then the process traps where memory runs out, and
   nothing that uses this arena only can be cancelled. */
Arena *arena_create(Workspace *workspace);
/* A further arena of the same workspace, for work whose memory is to be freed before `other` is. */
Arena *arena_scratch(const Arena *other);
void arena_destroy(Arena *arena);
/* May be NULL. */
Workspace *arena_workspace(const Arena *arena);

/* `size` zeroed bytes; from 256 on aligned to 64 for vector code. */
void *arena_alloc(Arena *arena, size_t size);
/* `count` zeroed elements of `size` bytes. */
void *arena_calloc(Arena *arena, size_t count, size_t size);
/* Without zeroing: for large arrays that are filled at once. */
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

/* Nobody needs these bytes of the arena any more: the pages of a large block go back to the system
   now, all else when the arena does. */
void arena_discard(void *block, size_t size);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))
#define ARENA_ROOM(arena, type, count) ((type *)arena_room_for((arena), (count), sizeof(type)))
/* A copy of `count` items of an array. */
#define ARENA_COPY(arena, type, items, count)                                                      \
    ((type *)(void *)arena_copy((arena), (items), (count) * sizeof(type)))

#endif
