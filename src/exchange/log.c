#include "exchange/log.h"

#include "base/watch.h"
#include "exchange/reading.h"

#include <ctype.h>
#include <string.h>

static const LogReader *const readers[] = {
#define READER(name, what) &log_##name,
#include "exchange/readers.def"
};

enum { READER_COUNT = sizeof readers / sizeof *readers };

/* What programs, libraries and launchers print when a run has failed. */
static const char *const failures[] = {
    "Test failure",    "NCCL failure",  "MPI_ABORT",        "MPI_Abort",
    "Segmentation",    "Out of memory", "CANCELLED AT",     "DUE TO TIME LIMIT",
    "BAD TERMINATION", "FAILED",        "Assertion failed", "srun: error:",
};

static bool is_blank(char sign)
{
    return sign == ' ' || sign == '\t' || sign == '\r' || sign == '\0';
}

/* Launchers can put before a line which rank printed it: "[1,0]<stdout>:" or "0: ". */
static Text without_mark(Text text)
{
    size_t end = 0;
    if (text.length && text.chars[0] == '[') {
        const char *mark = memchr(text.chars, '>', text.length);
        const char *stream = memchr(text.chars, '<', text.length);
        bool is_mark = mark && stream && stream < mark && stream[-1] == ']' &&
                       mark + 1 < text.chars + text.length && mark[1] == ':';
        end = is_mark ? (size_t)(mark - text.chars) + 2 : 0;
    } else {
        while (end < text.length && isdigit((unsigned char)text.chars[end]))
            end++;
        bool is_mark = end > 0 && end + 1 < text.length && text.chars[end] == ':' &&
                       text.chars[end + 1] == ' ';
        end = is_mark ? end + 2 : 0;
    }
    return text_trim(text_slice(text, end, text.length - end));
}

static void split_line(Text text, LogLine *line)
{
    line->text = without_mark(text_trim(text));
    line->count = 0;
    for (size_t i = 0; i < line->text.length && line->count < MOST_LOG_WORDS;) {
        size_t from = i;
        while (i < line->text.length && !is_blank(line->text.chars[i]))
            i++;
        line->words[line->count++] = text_slice(line->text, from, i - from);
        while (i < line->text.length && is_blank(line->text.chars[i]))
            i++;
    }
}

static bool has_failed(LogReading *reading, const LogLine *line)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const char *found =
            memmem(line->text.chars, line->text.length, failures[i], strlen(failures[i]));
        if (!found)
            continue;
        size_t offset = (size_t)(found - line->text.chars);
        diag_error(reading->diag, text_span(line->text, offset, strlen(failures[i])),
                   "the run that wrote this log failed");
        return true;
    }
    return false;
}

static bool read_line(LogReading *reading, const LogLine *line)
{
    LineFate fate = LINE_FOREIGN;
    if (line->count == 0)
        return true;
    if (has_failed(reading, line))
        return false;
    for (int i = 0; i < READER_COUNT && fate == LINE_FOREIGN; i++) {
        fate = readers[i]->open(reading, line);
        if (fate == LINE_TAKEN)
            reading->reader = readers[i];
    }
    if (fate == LINE_FOREIGN && reading->reader)
        fate = reading->reader->take(reading, line);
    return fate != LINE_WRONG;
}

static void report_nothing(const LogReading *reading)
{
    const char *names = "";
    for (int i = 0; i < READER_COUNT; i++)
        names = arena_printf(reading->arena, "%s%s%s", names,
                             i == 0                  ? ""
                             : i + 1 == READER_COUNT ? " and "
                                                     : ", ",
                             readers[i]->what);
    Span all = {reading->source, 0, 0};
    if (reading->unread)
        diag_error(reading->diag, all, "nothing in this log is read: it measures %s",
                   reading->unread);
    else
        diag_error(reading->diag, all, "this log has no rows of a benchmark");
    diag_note(reading->diag, NOWHERE, "logs of these are read: %s", names);
}

/* A last line without an end can be cut off, and then its row may be wrong. Behind a newline the
   last line is empty. */
static bool is_cut_off(const LogReading *reading, size_t rows_before)
{
    const Source *source = reading->source;
    if (reading->rows->count == rows_before || reading->reader->may_lack_newline ||
        source->text[source->length - 1] == '\r')
        return false;
    diag_error(reading->diag, reading->rows->items[reading->rows->count - 1].place,
               "the last line has no end, so this log may be cut off here");
    diag_note(reading->diag, NOWHERE, "if it is complete, add a newline");
    return true;
}

static bool read_lines(LogReading *reading)
{
    const Source *source = reading->source;
    LogLine line;
    for (size_t i = 0; i < source->line_count; i++) {
        if (i % 1024 == 0)
            watch_step(reading->arena, "lines of a log", (int64_t)i, (int64_t)source->line_count);
        size_t from = source->line_starts[i], length, rows = reading->rows->count;
        const char *chars = source_line(source, from, &length);
        const size_t mark = i == 0 ? source_mark(source) : 0;
        split_line((Text){chars + mark, length - mark, {source, from + mark, length - mark}, true},
                   &line);
        if (!read_line(reading, &line) ||
            (i + 1 == source->line_count && is_cut_off(reading, rows)))
            return false;
    }
    return true;
}

bool log_read(Arena *arena, const Source *source, const LogFacts *facts, MeasurementArray *rows,
              Diag *diag)
{
    LogReading reading = {
        .arena = arena, .source = source, .facts = facts, .rows = rows, .diag = diag};
    size_t before = rows->count;
    if (!read_lines(&reading))
        rows->count = before;
    else if (rows->count == before)
        report_nothing(&reading);
    return rows->count > before;
}
