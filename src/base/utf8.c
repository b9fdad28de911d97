#include "base/utf8.h"

#include "base/array.h"

#include <string.h>

/* By the first byte: how many follow, the bits of the first, the least code that needs them. */
static const struct {
    unsigned char mask, start;
    size_t following;
    uint32_t least;
} forms[] = {
    {0x80, 0x00, 0, 0}, {0xE0, 0xC0, 1, 0x80}, {0xF0, 0xE0, 2, 0x800}, {0xF8, 0xF0, 3, 0x10000}};

size_t utf8_length(const char *bytes, size_t length)
{
    for (size_t i = 0; length > 0 && i < COUNT_OF(forms); i++) {
        unsigned char first = (unsigned char)bytes[0];
        if ((first & forms[i].mask) != forms[i].start)
            continue;
        uint32_t code = first & (unsigned char)~forms[i].mask;
        bool good = length > forms[i].following;
        for (size_t n = 1; good && n <= forms[i].following; n++) {
            unsigned char next = (unsigned char)bytes[n];
            good = (next & 0xC0) == 0x80;
            code = code << 6 | (next & 0x3F);
        }
        good &= code >= forms[i].least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
        return good ? forms[i].following + 1 : 0;
    }
    return 0;
}

size_t utf8_count(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
    return count;
}

/* Signs that end a line, or turn the direction of writing. */
static const char turning[] = "\u061C\u200E\u200F\u2028\u2029\u202A\u202B\u202C\u202D\u202E"
                              "\u2066\u2067\u2068\u2069";

size_t utf8_control(const char *bytes, size_t length)
{
    if (length == 0)
        return 0;
    unsigned char first = (unsigned char)bytes[0];
    if (first < ' ' || first == 0x7F)
        return first != '\n' && first != '\t';
    if (first == 0xC2 && utf8_length(bytes, length) == 2 && (unsigned char)bytes[1] < 0xA0)
        return 2;
    const size_t here = first < 0x80 ? 0 : utf8_length(bytes, length);
    return here && memmem(turning, sizeof turning - 1, bytes, here) ? here : 0;
}

char *utf8_clean(Arena *arena, const char *bytes, size_t length)
{
    char *copy = arena_copy(arena, bytes, length);
    for (size_t i = 0; i < length;) {
        size_t here = utf8_length(copy + i, length - i);
        size_t bad = here == 0 ? 1 : utf8_control(copy + i, length - i);
        memset(copy + i, '?', bad);
        i += bad ? bad : here;
    }
    return copy;
}

char *utf8_clean_line(Arena *arena, const char *text)
{
    char *line = utf8_clean(arena, text, strlen(text));
    for (char *at = line; (at = strpbrk(at, "\n\t"));)
        *at = ' ';
    return line;
}
