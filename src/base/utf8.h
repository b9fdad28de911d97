/* Text that programs are to read must be UTF-8, wherever it came from. */
#ifndef COLLCOST_BASE_UTF8_H
#define COLLCOST_BASE_UTF8_H

#include "base/arena.h"

/* The length of the character at the start of `bytes`, or 0 where none stands there: bytes that are
   no UTF-8, longer than needed, a surrogate, or beyond the last character. */
size_t utf8_length(const char *bytes, size_t length);
/* How many characters begin in these bytes. */
size_t utf8_count(const char *bytes, size_t length);
/* The length of the control character at the start of `bytes`, or 0 where none stands there: those
   of ASCII but for newlines and tabs, and U+0080 to U+009F, which a terminal might obey; and those
   that end lines or turn the direction of writing, so that a text looks like another one. */
size_t utf8_control(const char *bytes, size_t length);
/* A copy with '?' in the place of each byte that is no text: also of control characters. */
char *utf8_clean(Arena *arena, const char *bytes, size_t length);
/* The same for a name or title, which is one line: newlines and tabs become blanks. */
char *utf8_clean_line(Arena *arena, const char *text);

#endif
