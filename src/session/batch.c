#include "session/batch.h"

#include "base/utf8.h"
#include "cli/kept.h"
#include "session/phrase.h"
#include "session/session.h"

#include <string.h>

/* A batch while it runs. */
typedef struct {
    Session *session;
    Arena *arena; /* of the report */
    const Source *source;
    ReportFormat format;
    BatchReport report;
} Batch;

/* A line of the batch file on one line, however it is broken there. */
static const char *join_words(Arena *arena, Text line)
{
    char *chars = utf8_clean(arena, line.chars, line.length);
    size_t length = 0;
    for (size_t i = 0; i < line.length; i++) {
        bool is_space = chars[i] == ' ' || chars[i] == '\t' || chars[i] == '\n';
        if (!is_space || (length > 0 && chars[length - 1] != ' '))
            chars[length++] = is_space ? ' ' : chars[i];
    }
    chars[length] = '\0';
    return chars;
}

/* Runs a line with its output in memory, for the report. */
static void run_captured(Batch *batch, Text line, Text raw, LineResult *result)
{
    Session *session = batch->session;
    FILE *out = session->out, *err = session->err;
    Kept output, messages;
    if (!kept_open(&output, session->workspace) || !kept_open(&messages, session->workspace))
        workspace_fail(session->workspace, 0);
    session->out = output.stream, session->err = messages.stream;
    result->outcome = session_run(session, line, raw);
    session->out = out, session->err = err;
    if (!kept_close(&output) || !kept_close(&messages))
        workspace_fail(session->workspace, 0);
    result->output = utf8_clean(batch->arena, output.text, output.length);
    result->messages = utf8_clean(batch->arena, messages.text, messages.length);
    kept_free(&messages);
    kept_free(&output);
}

static Outcome run_line(Batch *batch, Text line, Text raw)
{
    Text rest;
    bool is_text = batch->format == REPORT_TEXT;
    bool is_definition = batch->session->is_defining;
    LineResult result = {.number = source_position(batch->source, line.span.offset).line,
                         .output = "",
                         .messages = ""};
    result.is_expectation = !is_definition && text_equals(phrase_first(line, &rest), "expect");
    if (is_text)
        result.outcome = session_run(batch->session, line, raw);
    else
        run_captured(batch, line, raw, &result);
    if (is_definition ? result.outcome.status != STATUS_FINE : line.length > 0) {
        bool is_kept = !is_text || result.outcome.status != STATUS_FINE;
        result.text = is_definition ? "define" : is_kept ? join_words(batch->arena, line) : "";
        report_add(batch->arena, &batch->report, batch->format, &result);
    }
    return result.outcome;
}

/* Behind a line that the system has ended, others would run in a context that it has not set. */
static bool goes_on(const Batch *batch, Outcome outcome, bool stop)
{
    return !outcome.interrupted && !batch->session->is_over && outcome.status != STATUS_SYSTEM &&
           !(stop && outcome.status != STATUS_FINE);
}

Status batch_run(Session *session, const Source *source, ReportFormat format, bool stop)
{
    Batch batch = {.session = session,
                   .arena = arena_scratch(session->arena),
                   .source = source,
                   .format = format};
    Outcome outcome = {0};
    Text line, raw;
    size_t offset = 0;
    bool more = true;
    Arena *lines = arena_scratch(batch.arena);
    const ArenaMark start = arena_mark(lines);
    batch.report.arena = batch.arena;
    batch.report.file = utf8_clean(batch.arena, source->name, strlen(source->name));
    while (more && phrase_next(lines, source, &offset, &line, &raw)) {
        outcome = run_line(&batch, line, raw);
        more = goes_on(&batch, outcome, stop);
        arena_release(lines, start);
    }
    batch.report.stopped = !more && !session->is_over;
    outcome = session_finish(session, source);
    batch.report.wrong += outcome.status != STATUS_FINE;
    fflush(session->out);
    report_write(session->out, format, &batch.report);
    Status status = report_status(&batch.report);
    arena_destroy(lines);
    arena_destroy(batch.arena);
    return status;
}
