#include "cli/messages.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

/* In bytes; a character has so many behind its first one, but a line that is no UTF-8 may have any
   number of them. */
enum { LONGEST_LINE = 160 };

/* What would disturb a terminal is shown as '?'; a tab keeps its width of one, and nothing ends a
   line. */
static void write_plain(FILE *stream, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t control = utf8_control(bytes + i, length - i);
        fputc(control ? '?' : strchr("\t\n", bytes[i]) ? ' ' : bytes[i], stream);
        i += control ? control - 1 : 0;
    }
}

static void write_words(FILE *stream, const char *words)
{
    write_plain(stream, words, strlen(words));
}

void messages_write(FILE *stream, const Diagnostic *diagnostic)
{
    static const char *const severities[] = {"error", "warning", "note"};
    const Source *source = diagnostic->source;
    const bool is_right_above = source && source->is_argument && !*source->name; /* as typed */
    if (source && !is_right_above) {
        write_words(stream, source->name);
        if (!source->is_argument)
            fprintf(stream, ":%zu:%zu", diagnostic->position.line, diagnostic->position.column);
        fputs(": ", stream);
    } else if (!source && diagnostic->severity != SEVERITY_NOTE)
        fputs("collcost: ", stream);
    fprintf(stream, "%s: ", severities[diagnostic->severity]);
    write_words(stream, diagnostic->message);
    fputc('\n', stream);
    if (!diagnostic->line)
        return;
    /* The source line and, under it, ^~~~ below what is meant. A long line is cut around the
       caret. */
    const char *line = diagnostic->line;
    size_t length = diagnostic->line_length, before = diagnostic->caret;
    size_t skipped = before > LONGEST_LINE / 2 ? before - LONGEST_LINE / 2 : 0;
    while (skipped && skipped < before && ((unsigned char)line[skipped] & 0xC0) == 0x80)
        skipped++;
    line += skipped, length -= skipped, before -= skipped;
    size_t shown = length < LONGEST_LINE ? length : LONGEST_LINE;
    while (shown < length && shown > before && ((unsigned char)line[shown] & 0xC0) == 0x80)
        shown--;
    fputs("  ", stream);
    write_plain(stream, line, shown);
    fprintf(stream, "\n  %*s^", (int)utf8_count(line, before), "");
    size_t room = shown - before;
    size_t marked = diagnostic->caret_length < room ? diagnostic->caret_length : room;
    for (size_t i = utf8_count(line + before, marked); i > 1; i--)
        fputc('~', stream);
    fputc('\n', stream);
}

void messages_write_exhausted(FILE *stream, size_t wanted)
{
    fputs("collcost: error: out of memory", stream);
    if (wanted > 0)
        fprintf(stream, " (%zu bytes wanted)", wanted);
    fputc('\n', stream);
}

static void write_to_stream(void *stream, const Diagnostic *diagnostic)
{
    messages_write(stream, diagnostic);
}

static const struct {
    ForeignPlace place;
    const char *words, *meaning;
} foreign_words[] = {
#define FOREIGN(place, words, meaning) {FOREIGN_##place, words, meaning},
#include "cli/foreign.def"
#undef FOREIGN
};

const char *messages_foreign(ForeignPlace place, Text word)
{
    for (size_t i = 0; i < COUNT_OF(foreign_words); i++) {
        Text known, rest = text_plain(foreign_words[i].words);
        while (foreign_words[i].place == place && text_next(&rest, ' ', &known)) {
            /* "nproc_per_node" and "NPROC-per-node" are the same word; "g" and "G" are two. */
            bool same = known.length == word.length;
            for (size_t n = 0; same && n < word.length; n++) {
                const char typed = word.chars[n] == '_' ? '-' : word.chars[n];
                const char own = known.chars[n] == '_' ? '-' : known.chars[n];
                same = typed == own || (word.length > 1 && tolower((unsigned char)typed) ==
                                                               tolower((unsigned char)own));
            }
            if (same)
                return foreign_words[i].meaning;
        }
    }
    return NULL;
}

Diag messages_to(FILE *stream)
{
    Diag diag = diag_create(write_to_stream, stream);
    diag.foreign = messages_foreign;
    return diag;
}
