#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ERROR_LIMIT = 20, LONGEST_MESSAGE = 2000 };

Diag diag_create(DiagHandler *handler, void *user)
{
    return (Diag){.handler = handler, .user = user, .error_limit = ERROR_LIMIT};
}

void diag_renew_limit(Diag *diag)
{
    diag->error_limit = diag->error_count + ERROR_LIMIT;
}

Diag diag_silent(void)
{
    return (Diag){0};
}

static void keep_first(void *user, const Diagnostic *diagnostic)
{
    FirstError *first = user;
    if (diagnostic->severity == SEVERITY_ERROR && !first->message)
        first->message = arena_copy(first->arena, diagnostic->message, strlen(diagnostic->message));
}

Diag diag_keep_first(FirstError *first)
{
    return diag_create(keep_first, first);
}

bool diag_hears_warnings(const Diag *diag)
{
    return diag->handler && diag->handler != keep_first;
}

/* One that quotes a word of megabytes is cut. `sentence` has room for "..." and NUL behind
   LONGEST_MESSAGE bytes. */
__attribute__((format(printf, 2, 0))) static void write_sentence(char *sentence, const char *format,
                                                                 va_list arguments)
{
    int length = vsnprintf(sentence, LONGEST_MESSAGE + 1, format, arguments);
    if (length <= LONGEST_MESSAGE)
        return;
    size_t end = LONGEST_MESSAGE;
    while (end > 0 && ((unsigned char)sentence[end - 1] & 0x80))
        end--;
    memcpy(sentence + end, "...", sizeof "...");
}

/* The line of a span, and which of its bytes are marked: what lies on further lines is not. */
static void find_line(Diagnostic *diagnostic, Span span)
{
    size_t length;
    const char *line = source_line(span.source, span.offset, &length);
    size_t before = (size_t)(span.source->text + span.offset - line);
    if (before > length)
        before = length;
    diagnostic->line = line;
    diagnostic->line_length = length;
    diagnostic->caret = before;
    diagnostic->caret_length = span.length < length - before ? span.length : length - before;
}

__attribute__((format(printf, 4, 0))) static void
hand_over(Diag *diag, Severity severity, Span span, const char *format, va_list arguments)
{
    char sentence[LONGEST_MESSAGE + sizeof "..."];
    if (!diag->handler || diag->error_count > diag->error_limit)
        return;
    if (!span.source && severity != SEVERITY_NOTE)
        span = diag->line;
    write_sentence(sentence, format, arguments);
    Diagnostic diagnostic = {.severity = severity, .message = sentence, .source = span.source};
    if (span.source)
        diagnostic.position = source_position(span.source, span.offset);
    if (span.source && span.source->length)
        find_line(&diagnostic, span);
    diag->handler(diag->user, &diagnostic);
}

__attribute__((format(printf, 3, 0))) static void count_error(Diag *diag, Span span,
                                                              const char *format, va_list arguments)
{
    const Diagnostic last = {.severity = SEVERITY_ERROR,
                             .message = "too many errors; further errors are not shown"};
    diag->error_count++;
    hand_over(diag, SEVERITY_ERROR, span, format, arguments);
    if (diag->handler && diag->error_count == diag->error_limit + 1)
        diag->handler(diag->user, &last);
}

bool diag_error(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag->fault_count += diag->is_trial;
    count_error(diag, span, format, arguments);
    va_end(arguments);
    return false;
}

bool diag_begin_trial(Diag *diag)
{
    const bool outer = diag->is_trial;
    diag->is_trial = true;
    return outer;
}

void diag_end_trial(Diag *diag, bool outer)
{
    diag->is_trial = outer;
}

bool diag_has_faults_only(const Diag *diag)
{
    return diag->error_count > 0 && diag->fault_count == diag->error_count;
}

bool diag_limit(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag->limit_count++;
    count_error(diag, span, format, arguments);
    va_end(arguments);
    return false;
}

bool diag_refuse(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag->refusal_count++;
    count_error(diag, span, format, arguments);
    va_end(arguments);
    return false;
}

bool diag_warning(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hand_over(diag, SEVERITY_WARNING, span, format, arguments);
    va_end(arguments);
    return true;
}

bool diag_note(Diag *diag, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hand_over(diag, SEVERITY_NOTE, span, format, arguments);
    va_end(arguments);
    return false;
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
            const size_t above = row[j], before = row[j - 1];
            const size_t longer = (above < before ? above : before) + 1;
            const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
            row[j] = longer < changed ? longer : changed;
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

bool diag_suggest(Diag *diag, Text word, const char *const *candidates, size_t count)
{
    const char *nearest = diag_nearest(word.chars, word.length, candidates, count);
    if (nearest)
        diag_note(diag, NOWHERE, "did you mean '%s'?", nearest);
    return false;
}

bool diag_note_foreign(Diag *diag, ForeignPlace place, Text word)
{
    const char *meaning = diag->foreign ? diag->foreign(place, word) : NULL;
    if (meaning)
        diag_note(diag, NOWHERE, "%s", meaning);
    return meaning != NULL;
}
