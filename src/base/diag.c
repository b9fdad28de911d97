#include "base/diag.h"

#include "base/watch.h"

#include <stdarg.h>
#include <string.h>

enum { ERROR_LIMIT = 20, LONGEST_LINE = 160, LONGEST_WORD = 40, LONGEST_MESSAGE = 2000 };

Diag diag_create(FILE *stream)
{
    return (Diag){.stream = stream, .error_limit = ERROR_LIMIT};
}

Diag diag_silent(void)
{
    return (Diag){0};
}

/* Bytes that would disturb a terminal are shown as '?'; a tab keeps its width of one. */
static void write_plain(FILE *stream, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        fputc(byte == '\t' ? ' ' : byte < 0x20 || byte == 0x7F ? '?' : byte, stream);
    }
}

static size_t count_characters(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
    return count;
}

/* The source line and, under it, ^~~~ below the span. A long line is cut around the caret. */
static void write_excerpt(FILE *stream, Span span)
{
    size_t length;
    const char *line = source_line(span.source, span.offset, &length);
    size_t before = (size_t)(span.source->text + span.offset - line);
    if (before > length)
        before = length;
    size_t skipped = before > LONGEST_LINE / 2 ? before - LONGEST_LINE / 2 : 0;
    while (skipped && skipped < length && ((unsigned char)line[skipped] & 0xC0) == 0x80)
        skipped++;
    line += skipped, length -= skipped, before -= skipped;
    size_t shown = length < LONGEST_LINE ? length : LONGEST_LINE;
    while (shown < length && ((unsigned char)line[shown] & 0xC0) == 0x80)
        shown++;
    fputs("  ", stream);
    write_plain(stream, line, shown);
    fprintf(stream, "\n  %*s^", (int)count_characters(line, before), "");
    size_t marked = span.length < shown - before ? span.length : shown - before;
    for (size_t i = count_characters(line + before, marked); i > 1; i--)
        fputc('~', stream);
    fputc('\n', stream);
}

static void write_place(FILE *stream, Span span)
{
    Position position = source_position(span.source, span.offset);
    if (span.source->is_argument && *span.source->name)
        fprintf(stream, "%s: ", span.source->name);
    else if (span.source->is_argument) /* what was typed stands right above */
        return;
    else
        fprintf(stream, "%s:%zu:%zu: ", span.source->name, position.line, position.column);
}

/* One that quotes a word of megabytes is cut. */
static void write_sentence(FILE *stream, const char *format, va_list arguments)
{
    char sentence[LONGEST_MESSAGE + 1];
    int length = vsnprintf(sentence, sizeof sentence, format, arguments);
    size_t end = strlen(sentence);
    bool is_cut = length > LONGEST_MESSAGE;
    while (is_cut && end > 0 && ((unsigned char)sentence[end - 1] & 0x80))
        end--;
    fprintf(stream, "%.*s%s\n", (int)end, sentence, is_cut ? "..." : "");
}

static void write_message(Diag *diag, Span span, const char *kind, const char *format,
                          va_list arguments)
{
    if (!diag->stream || diag->error_count > diag->error_limit)
        return;
    watch_erase();
    bool is_note = strcmp(kind, "note") == 0;
    if (!span.source && !is_note)
        span = diag->line;
    if (span.source)
        write_place(diag->stream, span);
    else if (!is_note)
        fputs("collcost: ", diag->stream);
    fprintf(diag->stream, "%s: ", kind);
    write_sentence(diag->stream, format, arguments);
    if (span.source && span.source->length)
        write_excerpt(diag->stream, span);
}

static void count_error(Diag *diag, Span span, const char *format, va_list arguments)
{
    diag->error_count++;
    write_message(diag, span, "error", format, arguments);
    if (diag->stream && diag->error_count == diag->error_limit + 1)
        fputs("collcost: error: too many errors; the rest is not shown\n", diag->stream);
}

void diag_error(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    count_error(diag, span, format, arguments);
    va_end(arguments);
}

void diag_limit(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag->limit_count++;
    count_error(diag, span, format, arguments);
    va_end(arguments);
}

void diag_warning(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_message(diag, span, "warning", format, arguments);
    va_end(arguments);
}

void diag_note(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_message(diag, span, "note", format, arguments);
    va_end(arguments);
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein distance by rows, O(|a| |b|); words are short. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[b_length];
}

const char *diag_nearest(const char *word, size_t length, const char *const *candidates,
                         size_t count)
{
    if (length > LONGEST_WORD)
        return NULL;
    const char *nearest = NULL;
    size_t least = length / 3 + 1; /* one slip in a short word, more in a long one */
    for (size_t i = 0; i < count; i++) {
        size_t candidate_length = strlen(candidates[i]);
        if (candidate_length > LONGEST_WORD)
            continue;
        size_t distance = edit_distance(word, length, candidates[i], candidate_length);
        if (distance <= least && distance < length && (distance < least || !nearest)) {
            least = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

void diag_suggest(Diag *diag, Text word, const char *const *candidates, size_t count)
{
    const char *nearest = diag_nearest(word.chars, word.length, candidates, count);
    if (nearest)
        diag_note(diag, NOWHERE, "did you mean '%s'?", nearest);
}
