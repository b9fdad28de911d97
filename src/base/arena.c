#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arrays are aligned for vector code; small things, words above all, only for any scalar type. */
enum { ALIGNMENT = 64, SMALL_ALIGNMENT = 16, SMALL = 256, SMALLEST_CHUNK = 64 * 1024 };

/* newest chunk -> older -> ... -> NULL; each is header, padding, bytes */
typedef struct Chunk {
    struct Chunk *older;
    size_t size; /* bytes behind the header */
    size_t used;
    char *bytes;
} Chunk;

struct Arena {
    Arena *older, *newer; /* in the order in which they were made */
    Chunk *newest;
    Chunk *spare; /* released, for use again: the system takes long to give fresh pages */
};

static void fail_without_memory(size_t wanted)
{
    fprintf(stderr, "out of memory (%zu bytes wanted)\n", wanted);
    abort();
}

/* The one setting of the process: how to leave it when memory runs out. */
static ArenaFailure on_failure = fail_without_memory;

void arena_on_failure(ArenaFailure failure)
{
    on_failure = failure;
}

/* The arenas that live. */
static Arena *last_made;

static size_t round_up(size_t size, size_t alignment)
{
    if (size > SIZE_MAX / 2)
        on_failure(size);
    return (size + alignment - 1) & ~(alignment - 1);
}

static Chunk *chunk_create(size_t least, Chunk *older)
{
    size_t grown = older ? older->size * 2 : SMALLEST_CHUNK;
    size_t limit = (size_t)16 << 20;
    size_t size = grown < limit ? grown : limit;
    if (size < least)
        size = least;
    char *memory =
        aligned_alloc(ALIGNMENT, round_up(sizeof(Chunk), ALIGNMENT) + round_up(size, ALIGNMENT));
    if (!memory) {
        on_failure(size);
        abort();
    }
    Chunk *chunk = (Chunk *)memory;
    *chunk = (Chunk){older, size, 0, memory + round_up(sizeof(Chunk), ALIGNMENT)};
    return chunk;
}

Arena *arena_create(void)
{
    Arena *arena = malloc(sizeof *arena);
    if (!arena) {
        on_failure(sizeof *arena);
        abort();
    }
    *arena = (Arena){.older = last_made};
    if (last_made)
        last_made->newer = arena;
    return last_made = arena;
}

static void free_chunks(Chunk *chunk)
{
    while (chunk) {
        Chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
}

void arena_destroy(Arena *arena)
{
    if (!arena)
        return;
    if (arena->older)
        arena->older->newer = arena->newer;
    if (arena->newer)
        arena->newer->older = arena->older;
    else
        last_made = arena->older;
    free_chunks(arena->newest);
    free_chunks(arena->spare);
    free(arena);
}

Arena *arena_newest(void)
{
    return last_made;
}

void arena_destroy_since(const Arena *older)
{
    while (last_made && last_made != older)
        arena_destroy(last_made);
}

/* The first spare chunk with room for `least` bytes, or a new one. */
static Chunk *take_chunk(Arena *arena, size_t least)
{
    for (Chunk **link = &arena->spare; *link; link = &(*link)->older) {
        Chunk *chunk = *link;
        if (chunk->size < least)
            continue;
        *link = chunk->older;
        chunk->older = arena->newest;
        chunk->used = 0;
        return chunk;
    }
    return chunk_create(least, arena->newest);
}

void *arena_room(Arena *arena, size_t size)
{
    size_t alignment = size < SMALL ? SMALL_ALIGNMENT : ALIGNMENT;
    size_t rounded = round_up(size ? size : 1, alignment);
    Chunk *chunk = arena->newest;
    size_t start = chunk ? round_up(chunk->used, alignment) : 0;
    if (!chunk || start > chunk->size || chunk->size - start < rounded) {
        chunk = arena->newest = take_chunk(arena, rounded);
        start = 0;
    }
    chunk->used = start + rounded;
    return chunk->bytes + start;
}

void *arena_alloc(Arena *arena, size_t size)
{
    return memset(arena_room(arena, size), 0, size);
}

static size_t product(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        on_failure(SIZE_MAX);
        abort();
    }
    return total;
}

void *arena_calloc(Arena *arena, size_t count, size_t size)
{
    return arena_alloc(arena, product(count, size));
}

void *arena_room_for(Arena *arena, size_t count, size_t size)
{
    return arena_room(arena, product(count, size));
}

char *arena_copy(Arena *arena, const void *bytes, size_t size)
{
    char *copy = arena_room(arena, size + 1);
    if (size)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = arena_alloc(arena, (size_t)(length > 0 ? length : 0) + 1);
    vsnprintf(text, (size_t)(length > 0 ? length : 0) + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

ArenaMark arena_mark(Arena *arena)
{
    Chunk *chunk = arena->newest;
    return (ArenaMark){chunk, chunk ? chunk->used : 0};
}

void arena_release(Arena *arena, ArenaMark mark)
{
    while (arena->newest && arena->newest != mark.chunk) {
        Chunk *chunk = arena->newest;
        arena->newest = chunk->older;
        chunk->older = arena->spare;
        arena->spare = chunk;
    }
    if (arena->newest)
        arena->newest->used = mark.used;
}
