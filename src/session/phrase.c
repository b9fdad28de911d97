#include "session/phrase.h"

#include <string.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == '\v' ||
           byte == '\f';
}

/* The length of "\\\n" or "\\\r\n" at `at`, or 0. */
static size_t continuation_at(const char *text, size_t length, size_t at)
{
    if (text[at] != '\\')
        return 0;
    if (at + 1 < length && text[at + 1] == '\n')
        return 2;
    return at + 2 < length && text[at + 1] == '\r' && text[at + 2] == '\n' ? 3 : 0;
}

bool phrase_is_open(const char *text, size_t length)
{
    size_t slashes = 0;
    while (slashes < length && text[length - 1 - slashes] == '\\')
        slashes++;
    return slashes % 2 == 1;
}

/* Where a comment begins: a `#` at the start of a word, outside of quotes. */
static size_t find_comment(const char *chars, size_t length)
{
    char quote = '\0';
    bool at_start = true;
    for (size_t i = 0; i < length; i++) {
        char byte = chars[i];
        if (!quote && at_start && byte == '#')
            return i;
        if (byte == '\\' && quote != '\'' && i + 1 < length)
            i++;
        else if (quote ? byte == quote : byte == '\'' || byte == '"')
            quote = quote ? '\0' : byte;
        at_start = !quote && is_blank(byte);
    }
    return length;
}

bool phrase_next(Arena *arena, const Source *source, size_t *offset, Text *line, Text *raw)
{
    const char *text = source->text;
    size_t start = *offset, end = start;
    if (start >= source->length)
        return false;
    while (end < source->length && text[end] != '\n') {
        size_t joined = continuation_at(text, source->length, end);
        end += joined ? joined : 1;
    }
    *offset = end < source->length ? end + 1 : end;
    *raw = (Text){text + start, end - start, {source, start, end - start}, true};
    char *chars = arena_copy(arena, text + start, end - start);
    for (size_t i = 0; i < end - start; i++)
        for (size_t n = continuation_at(chars, end - start, i); n > 0; n--)
            chars[i + n - 1] = ' ';
    size_t length = find_comment(chars, end - start);
    chars[length] = '\0';
    *line = phrase_trim((Text){chars, length, {source, start, length}, true});
    return true;
}

Text phrase_trim(Text text)
{
    size_t start = 0, end = text.length;
    while (start < end && is_blank(text.chars[start]))
        start++;
    while (end > start && is_blank(text.chars[end - 1]))
        end--;
    return text_slice(text, start, end - start);
}

Text phrase_first(Text line, Text *rest)
{
    size_t end = 0;
    while (end < line.length && !is_blank(line.chars[end]))
        end++;
    *rest = phrase_trim(text_behind(line, end));
    return text_slice(line, 0, end);
}

/* A word while it is read. */
typedef struct {
    Text line;
    size_t at;
    char *chars;
    size_t length;
    size_t start;     /* of what stands in the line just as in the word */
    bool is_verbatim; /* one piece without quotes or backslashes, or all of it in one pair of quotes
                       */
} WordReader;

static void take_byte(WordReader *reader)
{
    reader->chars[reader->length++] = reader->line.chars[reader->at++];
}

/* Up to the closing quote; false if there is none. */
static bool read_quoted(WordReader *reader, char quote)
{
    reader->at++;
    while (reader->at < reader->line.length && reader->line.chars[reader->at] != quote) {
        char next =
            reader->at + 1 < reader->line.length ? reader->line.chars[reader->at + 1] : '\0';
        if (quote == '"' && reader->line.chars[reader->at] == '\\' &&
            (next == '"' || next == '\\')) {
            reader->at++;
            reader->is_verbatim = false;
        }
        take_byte(reader);
    }
    return reader->at++ < reader->line.length;
}

static bool read_word(WordReader *reader, Diag *diag)
{
    const Text *line = &reader->line;
    size_t first = reader->at;
    reader->start = first;
    while (reader->at < line->length && !is_blank(line->chars[reader->at])) {
        size_t at = reader->at;
        char byte = line->chars[at];
        if (byte == '\0')
            return diag_error(diag, text_span(*line, at, 1), "an unexpected character (byte 0x00)");
        if (byte == '\'' || byte == '"') {
            reader->is_verbatim &= at == first;
            reader->start = at == first ? at + 1 : reader->start;
            if (!read_quoted(reader, byte))
                return diag_error(diag, text_span(*line, at, 1), "this quote is not closed");
            bool ends = reader->at == line->length || is_blank(line->chars[reader->at]);
            reader->is_verbatim &= ends;
        } else if (byte == '\\' && at + 1 < line->length) {
            reader->at++;
            reader->is_verbatim = false;
            take_byte(reader);
        } else {
            take_byte(reader);
        }
    }
    return true;
}

/* The words lie behind one another in one piece of memory, each with its NUL. */
bool phrase_words(Arena *arena, Text line, TextArray *words, Diag *diag)
{
    WordReader reader = {.line = line, .chars = arena_room(arena, 2 * line.length + 2)};
    for (;; reader.chars += reader.length + 1) {
        while (reader.at < line.length && is_blank(line.chars[reader.at]))
            reader.at++;
        if (reader.at >= line.length)
            return true;
        size_t first = reader.at;
        reader.length = 0;
        reader.is_verbatim = true;
        if (!read_word(&reader, diag))
            return false;
        reader.chars[reader.length] = '\0';
        Span span = reader.is_verbatim ? text_span(line, reader.start, reader.length)
                                       : text_span(line, first, reader.at - first);
        *ARRAY_PUSH(arena, words) = (Text){reader.chars, reader.length, span, reader.is_verbatim};
    }
}

const char *phrase_quote(Arena *arena, const char *word)
{
    bool is_plain = *word != '\0' && !strpbrk(word, " \t\n\r\v\f'\"\\#");
    if (is_plain)
        return word;
    const char *text = "'";
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1)
        text = arena_printf(arena, "%s%.*s'\"'\"'", text, (int)(quote - word), word);
    return arena_printf(arena, "%s%s'", text, word);
}

const StatementInfo statement_info[STATEMENT_COUNT] = {
#define STATEMENT(id, name, operands, summary) {name, operands, summary},
#include "session/statement_names.def"
#undef STATEMENT
};

/* `show context` is one, `show ring` is a command; "set = 3" is neither. */
int statement_find(Text line, Text *operand)
{
    Text rest, behind;
    const Text first = phrase_first(line, &rest), second = phrase_first(rest, &behind);
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        const char *name = statement_info[i].name, *blank = strchr(name, ' ');
        *operand = blank ? behind : rest;
        if (blank ? text_equals(first, "show") && text_equals(second, blank + 1)
                  : text_equals(first, name))
            return i;
    }
    return -1;
}
