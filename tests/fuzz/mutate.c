#include "mutate.h"

#include "base/random.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t times[] = {2, 3, 5, 17, 33, 41, 64, 65, 201, 300, 1025, 3000};
enum { TIMES = sizeof times / sizeof *times, MOST_PIECE = 4096 };

typedef struct {
    size_t start, end;
} Piece;

typedef struct {
    const uint8_t *bytes;
    size_t length;
    uint64_t random;
} Text;

/* A text that grows in memory of its own. */
typedef struct {
    uint8_t *bytes;
    size_t length, most;
} Growing;

static size_t below(Text *text, size_t limit)
{
    return limit ? (size_t)(random_next(&text->random) % limit) : 0;
}

static size_t line_end(const Text *text, size_t at)
{
    while (at < text->length && text->bytes[at] != '\n')
        at++;
    return at < text->length ? at + 1 : at;
}

static size_t line_start(const Text *text, size_t at)
{
    while (at > 0 && text->bytes[at - 1] != '\n')
        at--;
    return at;
}

static size_t indentation(const Text *text, size_t at)
{
    size_t start = at;
    while (at < text->length && text->bytes[at] == ' ')
        at++;
    return at - start;
}

static bool is_separator(const Text *text, size_t at)
{
    return text->length - at >= 3 && memcmp(text->bytes + at, "---", 3) == 0;
}

static Piece choose_line(Text *text)
{
    size_t start = line_start(text, below(text, text->length));
    return (Piece){start, line_end(text, start)};
}

static Piece choose_block(Text *text)
{
    Piece piece = choose_line(text);
    size_t depth = indentation(text, piece.start);
    while (piece.end < text->length && indentation(text, piece.end) > depth)
        piece.end = line_end(text, piece.end);
    return piece;
}

static Piece choose_document(Text *text)
{
    Piece piece = choose_line(text);
    while (piece.start > 0 && !is_separator(text, piece.start))
        piece.start = line_start(text, piece.start - 1);
    while (piece.end < text->length && !is_separator(text, piece.end))
        piece.end = line_end(text, piece.end);
    return piece;
}

static Piece choose_run(Text *text)
{
    size_t start = below(text, text->length), end = start + 1 + below(text, 24);
    size_t stop = line_end(text, start);
    return (Piece){start, end < stop ? end : stop};
}

static void append(Growing *out, const void *bytes, size_t length)
{
    size_t room = out->most - out->length, taken = length < room ? length : room;
    memcpy(out->bytes + out->length, bytes, taken);
    out->length += taken;
}

/* The name that is numbered: the first one of the piece from a random place on. */
static Piece choose_name(Text *text, Piece piece)
{
    size_t start = piece.start + below(text, piece.end - piece.start);
    while (start < piece.end && !isalpha(text->bytes[start]))
        start++;
    size_t end = start;
    while (end < piece.end && (isalnum(text->bytes[end]) || text->bytes[end] == '-'))
        end++;
    return (Piece){start, end};
}

static bool is_name_at(const Text *text, size_t at, Piece name)
{
    size_t length = name.end - name.start;
    return text->length - at >= length &&
           memcmp(text->bytes + at, text->bytes + name.start, length) == 0;
}

/* One copy; the name gets a number behind it, the next one where it stands again if `chains`. */
static void append_copy(Growing *out, const Text *text, Piece piece, Piece name, size_t number,
                        bool chains)
{
    bool is_first = true;
    size_t length = name.end - name.start;
    for (size_t at = piece.start; at < piece.end;) {
        if (length == 0 || !is_name_at(text, at, name)) {
            append(out, &text->bytes[at++], 1);
            continue;
        }
        char digits[24];
        snprintf(digits, sizeof digits, "%zu", number + (chains && !is_first));
        append(out, text->bytes + at, length);
        append(out, digits, strlen(digits));
        at += length;
        is_first = false;
    }
}

static void append_brackets(Growing *out, const char *bracket, size_t count)
{
    for (size_t i = 0; i < count; i++)
        append(out, bracket, strlen(bracket));
}

static void append_nested(Growing *out, Text *text, Piece piece, size_t count)
{
    static const char *const pairs[][2] = {
        {"(", ")"}, {"[", "]"}, {"{", "}"}, {"-", ""}, {"'", "'"}};
    const char *const *pair = pairs[below(text, sizeof pairs / sizeof *pairs)];
    append_brackets(out, pair[0], count);
    append(out, text->bytes + piece.start, piece.end - piece.start);
    append_brackets(out, pair[1], *pair[1] ? count : 0);
}

size_t mutate_repeat(uint8_t *bytes, size_t length, size_t most, uint64_t seed)
{
    static Piece (*const choices[])(Text *) = {choose_line, choose_block, choose_document,
                                               choose_run};
    Text text = {bytes, length, seed};
    uint8_t *room = length ? malloc(most) : NULL;
    if (!room)
        return length;
    Growing out = {room, 0, most};
    size_t choice = below(&text, sizeof choices / sizeof *choices + 1);
    bool nests = choice == sizeof choices / sizeof *choices;
    Piece piece = nests ? choose_run(&text) : choices[choice](&text);
    Piece name = below(&text, 3) ? choose_name(&text, piece) : (Piece){0, 0};
    bool chains = below(&text, 2) == 0;
    size_t count = times[below(&text, TIMES)];
    if (piece.end - piece.start > MOST_PIECE)
        piece.end = piece.start + MOST_PIECE;
    append(&out, bytes, piece.start);
    if (nests)
        append_nested(&out, &text, piece, count);
    for (size_t i = 0; i < count && !nests && out.length < most; i++)
        append_copy(&out, &text, piece, name, i, chains);
    append(&out, bytes + piece.end, length - piece.end);
    memcpy(bytes, room, out.length);
    free(room);
    return out.length;
}
