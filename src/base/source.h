/* Source text and places in it.

   A Source is a file, a built-in model or an argument of the command line. A
   Span is a piece of it, from which a diagnostic finds line, column and the
   text to show. A Text is a string that came out of a source, perhaps through
   an escape or a folded line, and still knows where it stood. */
#ifndef COLLCOST_BASE_SOURCE_H
#define COLLCOST_BASE_SOURCE_H

#include "base/array.h"

#include <string.h>

typedef struct Source {
    const char *name;
    const char *text;
    size_t length;
    const size_t *line_starts; /* offset of each line's first byte; LF, CR LF or CR ends one */
    size_t line_count;
    bool is_argument; /* an argument of the command line: a line number would say nothing */
    bool is_builtin;  /* a model that was built in */
} Source;

typedef struct {
    const Source *source; /* NULL: no place */
    size_t offset, length;
} Span;

typedef struct {
    const char *chars;
    size_t length;
    Span span;
    bool verbatim; /* chars stand in the source as they are, from span.offset on */
} Text;
ARRAY_TYPE(TextArray, Text);

/* For "%.*s". */
#define TEXT_ARGS(text) (int)(text).length, (text).chars
/* For "%zu item%s". */
#define PLURAL_END(count) ((count) == 1 ? "" : "s")

typedef struct {
    size_t line, column; /* from 1; columns count characters, not bytes */
} Position;

/* Keeps `text`; the caller keeps it alive. */
const Source *source_from_text(Arena *arena, const char *name, const char *text, size_t length);
/* The value of option or argument `name` as a source of its own. */
Text source_argument(Arena *arena, const char *name, const char *value);
/* Reads a whole file of at most `limit` bytes, "-" being the standard input; NULL and `*why` if
   that fails. */
const Source *source_read(Arena *arena, const char *path, size_t limit, const char **why);

/* With blanks for all that stands outside of fences of code, lines that begin with ```; without
   any: the source itself. */
const Source *source_in_fences(Arena *arena, const Source *source);

/* The length of the byte order mark that it begins with, as spreadsheets write it; 0: of none. */
size_t source_mark(const Source *source);

Position source_position(const Source *source, size_t offset);
/* The line that holds `offset`, without its newline; `*length` is its length in bytes. */
const char *source_line(const Source *source, size_t offset, size_t *length);

/* A text that stands in no source. */
static inline Text text_plain(const char *chars)
{
    return (Text){.chars = chars, .length = strlen(chars)};
}
/* The span of bytes [offset, offset + length) of a text. */
Span text_span(Text text, size_t offset, size_t length);
Text text_slice(Text text, size_t offset, size_t length);
/* From `offset` on. */
static inline Text text_behind(Text text, size_t offset)
{
    return text_slice(text, offset, text.length - offset);
}
static inline char *text_string(Arena *arena, Text text)
{
    return arena_copy(arena, text.chars, text.length);
}
/* Without white space at both ends, nor NUL bytes, which logs of broken file systems have there. */
Text text_trim(Text text);
/* Here, since most comparisons end at the first character: words are looked for in lists. */
static inline bool text_equals(Text text, const char *string)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.chars[i] != string[i] || !string[i])
            return false;
    return !string[text.length];
}
/* The same, but for small and capital letters. */
bool text_like(Text text, const char *string);
bool text_same(Text a, Text b);
bool text_begins(Text text, const char *with);
bool text_ends(Text text, const char *with);
bool text_holds(Text text, const char *what);
/* The place of the text among words; their count: it is none of them. */
size_t text_among(Text text, const char *const *words, size_t count);
/* The next piece of a list between signs, `while (text_next(&rest, ',', &piece))`. */
bool text_next(Text *rest, char sign, Text *piece);
/* "LO" and "HI" of "LO..HI"; false where it is no range, and nothing is set. */
bool text_range(Text text, Text *from, Text *to);
/* "name" and "rest" of "name:rest", cut at the first `sign`; false if there is none. */
bool text_split(Text text, char sign, Text *before, Text *after);

#endif
