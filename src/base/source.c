#include "base/source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

ARRAY_TYPE(OffsetArray, size_t);

/* The offset behind the next end of a line, or `length` + 1; without CR the C library looks faster.
 */
static size_t behind_line(const char *text, size_t at, size_t length, bool has_returns)
{
    if (!has_returns) {
        const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
        return end ? (size_t)(end - text) + 1 : length + 1;
    }
    while (at < length && text[at] != '\n' &&
           (text[at] != '\r' || (at + 1 < length && text[at + 1] == '\n')))
        at++;
    return at + 1;
}

const Source *source_from_text(Arena *arena, const char *name, const char *text, size_t length)
{
    OffsetArray starts = {0};
    bool has_returns = length > 0 && memchr(text, '\r', length) != NULL;
    ARRAY_RESERVE(arena, &starts, 1 + length / 64);
    for (size_t at = 0; at <= length; at = behind_line(text, at, length, has_returns))
        *ARRAY_PUSH(arena, &starts) = at;
    Source *source = ARENA_NEW(arena, Source);
    *source = (Source){name, text, length, starts.items, starts.count, false, false};
    return source;
}

Text source_argument(Arena *arena, const char *name, const char *value)
{
    size_t length = strlen(value);
    Source *source = (Source *)source_from_text(arena, name, value, length);
    source->is_argument = true;
    return (Text){value, length, {source, 0, length}, true};
}

const Source *source_in_fences(Arena *arena, const Source *source)
{
    char *text = arena_copy(arena, source->text, source->length);
    bool is_inside = false, has_fence = false;
    for (size_t i = 0; i < source->line_count; i++) {
        size_t length;
        const char *line = source_line(source, source->line_starts[i], &length);
        const bool is_fence = length >= 3 && memcmp(line, "```", 3) == 0;
        has_fence |= is_fence;
        is_inside ^= is_fence;
        if (is_fence || !is_inside)
            memset(text + (line - source->text), ' ', length);
    }
    return has_fence ? source_from_text(arena, source->name, text, source->length) : source;
}

/* `expected`: bytes that the file says it has; it may have more or fewer. */
static char *read_all(Arena *arena, FILE *file, size_t expected, size_t limit, size_t *length,
                      const char **why)
{
    size_t capacity = (expected < limit ? expected : limit) + (1 << 16), count = 0;
    char *bytes = arena_alloc(arena, capacity + 1);
    for (;;) {
        count += fread(bytes + count, 1, capacity - count, file);
        if (count > limit) {
            *why = "the file is too large";
            return NULL;
        }
        if (ferror(file)) {
            *why = strerror(errno);
            return NULL;
        }
        if (count < capacity)
            break;
        bytes = array_grow(arena, bytes, count, &capacity, capacity, 1);
    }
    if (count >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0)) {
        *why = "it is in UTF-16 (iconv -f UTF-16 -t UTF-8 makes UTF-8 of it)";
        return NULL;
    }
    bytes[count] = '\0';
    *length = count;
    return bytes;
}

/* A file while it is read into an arena, where memory can run out. */
typedef struct {
    Resource resource;
    FILE *file;
} OpenFile;

static void close_file(Resource *resource)
{
    fclose(((OpenFile *)(void *)resource)->file); /* its first member */
}

const Source *source_read(Arena *arena, const char *path, size_t limit, const char **why)
{
    bool is_input = strcmp(path, "-") == 0;
    OpenFile open = {.file = fopen(is_input ? "/dev/stdin" : path, "rb")};
    if (!open.file && errno == ENOMEM)
        workspace_fail(arena_workspace(arena), 0);
    if (!open.file) {
        *why = strerror(errno);
        return NULL;
    }
    struct stat status;
    size_t length = 0;
    char *bytes = NULL;
    workspace_hold(arena_workspace(arena), &open.resource, close_file);
    bool is_known = fstat(fileno(open.file), &status) == 0;
    size_t expected = is_known && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
    if (is_known && S_ISDIR(status.st_mode))
        *why = strerror(EISDIR);
    else
        bytes = read_all(arena, open.file, expected, limit, &length, why);
    workspace_drop(&open.resource);
    fclose(open.file);
    const char *name = is_input ? "standard input" : path;
    return bytes ? source_from_text(arena, name, bytes, length) : NULL;
}

size_t source_mark(const Source *source)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t length = sizeof mark - 1;
    return source->length >= length && memcmp(source->text, mark, length) == 0 ? length : 0;
}

static size_t line_index(const Source *source, size_t offset)
{
    size_t low = 0, high = source->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

Position source_position(const Source *source, size_t offset)
{
    size_t line = line_index(source, offset);
    size_t column = 1;
    for (size_t i = source->line_starts[line]; i < offset && i < source->length; i++)
        column += ((unsigned char)source->text[i] & 0xC0) != 0x80;
    return (Position){line + 1, column};
}

const char *source_line(const Source *source, size_t offset, size_t *length)
{
    size_t start = source->line_starts[line_index(source, offset)];
    size_t end = start;
    while (end < source->length && source->text[end] != '\n' && source->text[end] != '\r')
        end++;
    *length = end - start;
    return source->text + start;
}

Span text_span(Text text, size_t offset, size_t length)
{
    if (!text.verbatim)
        return text.span;
    return (Span){text.span.source, text.span.offset + offset, length};
}

Text text_slice(Text text, size_t offset, size_t length)
{
    const char *chars = offset ? text.chars + offset : text.chars; /* which may be NULL */
    return (Text){chars, length, text_span(text, offset, length), text.verbatim};
}

static bool is_blank(char sign)
{
    return isspace((unsigned char)sign) || sign == '\0';
}

Text text_trim(Text text)
{
    size_t from = 0, to = text.length;
    while (from < to && is_blank(text.chars[from]))
        from++;
    while (to > from && is_blank(text.chars[to - 1]))
        to--;
    return text_slice(text, from, to - from);
}

bool text_same(Text a, Text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.chars, b.chars, a.length) == 0);
}

bool text_begins(Text text, const char *with)
{
    const size_t length = strlen(with);
    return text.length >= length && memcmp(text.chars, with, length) == 0;
}

bool text_ends(Text text, const char *with)
{
    const size_t length = strlen(with);
    return text.length >= length && memcmp(text.chars + text.length - length, with, length) == 0;
}

bool text_holds(Text text, const char *what)
{
    return text.length && memmem(text.chars, text.length, what, strlen(what)) != NULL;
}

bool text_range(Text text, Text *from, Text *to)
{
    for (size_t i = 0; i + 1 < text.length; i++)
        if (text.chars[i] == '.' && text.chars[i + 1] == '.') {
            *from = text_slice(text, 0, i);
            *to = text_slice(text, i + 2, text.length - i - 2);
            return true;
        }
    return false;
}

bool text_split(Text text, char sign, Text *before, Text *after)
{
    const char *at = text.length > 0 ? memchr(text.chars, sign, text.length) : NULL;
    if (!at)
        return false;
    size_t length = (size_t)(at - text.chars);
    *before = text_slice(text, 0, length);
    *after = text_slice(text, length + 1, text.length - length - 1);
    return true;
}

size_t text_among(Text text, const char *const *words, size_t count)
{
    size_t i = 0;
    while (i < count && !text_equals(text, words[i]))
        i++;
    return i;
}

bool text_like(Text text, const char *string)
{
    return text.length == strlen(string) && strncasecmp(text.chars, string, text.length) == 0;
}

bool text_next(Text *rest, char sign, Text *piece)
{
    const Text whole = *rest;
    if (whole.chars && !text_split(whole, sign, piece, rest)) {
        *piece = whole;
        *rest = (Text){0};
    }
    return whole.chars != NULL;
}
