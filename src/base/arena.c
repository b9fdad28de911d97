#include "base/arena.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#elif defined __SANITIZE_ADDRESS__
#define HAS_ADDRESS_SANITIZER
#endif

/* AddressSanitizer knows what malloc gives. It is told which bytes of a chunk are in use, and some
   that never are lie behind each piece, so that it sees what reads or writes beyond one, or after
   it was released. */
#ifdef HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
enum { GUARD = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(bytes, size) ((void)(bytes), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(bytes, size) ((void)(bytes), (void)(size))
enum { GUARD = 0 };
#endif

/* Arrays are aligned for vector code; small things, words above all, only for any scalar type. */
enum { ALIGNMENT = 64, SMALL_ALIGNMENT = 16, SMALL = 256, SMALLEST_CHUNK = 64 * 1024 };

/* Pages are asked for this many bytes ahead; fewer are not worth a call of the system either when
   they are given back. */
enum { AHEAD = 128 * 1024 };

/* newest chunk -> older -> ... -> NULL; each is header, padding, bytes */
typedef struct Chunk {
    struct Chunk *older;
    size_t size; /* bytes behind the header */
    size_t used;
    size_t backed; /* bytes that have pages, as far as we know */
    char *bytes;
} Chunk;

struct Arena {
    Resource resource;
    Chunk *newest;
    Chunk *spare; /* released, for use again: the system takes long to give fresh pages */
};

/* In front of the bytes. */
enum { HEADER = (sizeof(Chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

/* `size` is at most SIZE_MAX / 2. */
static size_t round_up(size_t size, size_t alignment)
{
    return (size + alignment - 1) & ~(alignment - 1);
}

static void free_chunks(Workspace *workspace, Chunk *chunk)
{
    while (chunk) {
        Chunk *older = chunk->older;
        ASAN_UNPOISON_MEMORY_REGION(chunk->bytes, chunk->size);
        workspace_free(workspace, chunk, HEADER + chunk->size);
        chunk = older;
    }
}

static void free_arena(Resource *resource)
{
    Arena *arena = (Arena *)(void *)resource; /* its first member */
    Workspace *workspace = resource->workspace;
    free_chunks(workspace, arena->newest);
    free_chunks(workspace, arena->spare);
    workspace_free(workspace, arena, round_up(sizeof(Arena), ALIGNMENT));
}

/* Of all arenas: what was kept for use again must not count where the limit is near, or what is
   refused would depend on what was done before. */
static void free_spares(Workspace *workspace)
{
    for (Resource *resource = workspace->newest; resource; resource = resource->older) {
        if (resource->end != free_arena)
            continue;
        Arena *arena = (Arena *)(void *)resource; /* its first member */
        free_chunks(workspace, arena->spare);
        arena->spare = NULL;
    }
}

static Chunk *chunk_create(Arena *arena, size_t least)
{
    Workspace *workspace = arena->resource.workspace;
    size_t grown = arena->newest ? arena->newest->size * 2 : SMALLEST_CHUNK;
    size_t limit = (size_t)16 << 20;
    size_t size = grown < limit ? grown : limit;
    if (size < least)
        size = least;
    size = round_up(size, ALIGNMENT);
    if (!workspace_has_room(workspace, HEADER + size))
        free_spares(workspace);
    /* memory that was given back before has its pages still, most likely: asking again costs time
     */
    const bool is_fresh = workspace && workspace_is_fuller(workspace, HEADER + size);
    Chunk *chunk = workspace_allocate(workspace, ALIGNMENT, HEADER + size);
    *chunk = (Chunk){arena->newest, size, 0, is_fresh ? 0 : size, (char *)chunk + HEADER};
    ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->size);
    return chunk;
}

Arena *arena_create(Workspace *workspace)
{
    Arena *arena = workspace_allocate(workspace, ALIGNMENT, round_up(sizeof(Arena), ALIGNMENT));
    *arena = (Arena){.newest = NULL};
    workspace_hold(workspace, &arena->resource, free_arena);
    return arena;
}

Arena *arena_scratch(const Arena *other)
{
    return arena_create(other->resource.workspace);
}

void arena_destroy(Arena *arena)
{
    if (!arena)
        return;
    workspace_drop(&arena->resource);
    free_arena(&arena->resource);
}

Workspace *arena_workspace(const Arena *arena)
{
    return arena->resource.workspace;
}

/* Asks the system for the pages up to what is used, and some more. One call for many pages takes
   less time than their page faults, a tenth of it on virtual machines. Where the system knows no
   such call, or has no memory, the faults do it. */
static void back(Chunk *chunk)
{
    size_t end = chunk->used + AHEAD < chunk->size ? chunk->used + AHEAD : chunk->size;
#ifdef MADV_POPULATE_WRITE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)chunk->bytes + chunk->backed) / page * page;
    uintptr_t last = (uintptr_t)(chunk->bytes + end) / page * page;
    if (last > first)
        madvise((void *)first, last - first, MADV_POPULATE_WRITE);
#endif
    chunk->backed = end;
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
    return chunk_create(arena, least);
}

void *arena_room(Arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        workspace_fail(arena->resource.workspace, size);
    size_t alignment = size < SMALL ? SMALL_ALIGNMENT : ALIGNMENT;
    size_t rounded = round_up((size ? size : 1) + GUARD, alignment);
    Chunk *chunk = arena->newest;
    size_t start = chunk ? round_up(chunk->used, alignment) : 0;
    if (!chunk || start > chunk->size || chunk->size - start < rounded) {
        chunk = arena->newest = take_chunk(arena, rounded);
        start = 0;
    }
    chunk->used = start + rounded;
    if (chunk->used > chunk->backed)
        back(chunk);
    ASAN_UNPOISON_MEMORY_REGION(chunk->bytes + start, size);
    return chunk->bytes + start;
}

void *arena_alloc(Arena *arena, size_t size)
{
    return memset(arena_room(arena, size), 0, size);
}

static size_t product(const Arena *arena, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        workspace_fail(arena->resource.workspace, SIZE_MAX);
    return total;
}

void *arena_calloc(Arena *arena, size_t count, size_t size)
{
    return arena_alloc(arena, product(arena, count, size));
}

void *arena_room_for(Arena *arena, size_t count, size_t size)
{
    return arena_room(arena, product(arena, count, size));
}

char *arena_copy(Arena *arena, const void *bytes, size_t size)
{
    char *copy = arena_room(arena, size < SIZE_MAX ? size + 1 : size);
    if (size)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list arguments)
{
    char usual[256]; /* most texts fit, and are laid out once */
    va_list again;
    va_copy(again, arguments);
    int wanted = vsnprintf(usual, sizeof usual, format, arguments);
    size_t length = wanted > 0 ? (size_t)wanted : 0;
    char *text =
        length < sizeof usual ? arena_copy(arena, usual, length) : arena_room(arena, length + 1);
    if (length >= sizeof usual)
        vsnprintf(text, length + 1, format, again);
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
        ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->used);
    }
    if (arena->newest) {
        ASAN_POISON_MEMORY_REGION(arena->newest->bytes + mark.used,
                                  arena->newest->used - mark.used);
        arena->newest->used = mark.used;
    }
}

void arena_discard(void *block, size_t size)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)block;
    const uintptr_t first = (start + page - 1) / page * page, last = (start + size) / page * page;
    if (size < AHEAD)
        return;
#ifdef MADV_DONTNEED
    madvise((void *)first, last - first, MADV_DONTNEED);
#endif
    ASAN_POISON_MEMORY_REGION(block, size);
}
