#include "exchange/reading.h"

#include "base/limits.h"
#include "base/quantity.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

bool log_number(Text text, double *number)
{
    Quantity quantity;
    if (!text.length || !isdigit((unsigned char)text.chars[0]) ||
        !quantity_starts(text, &quantity) || quantity.has_unit || quantity.length != text.length)
        return false;
    *number = quantity.value;
    return true;
}

bool log_is_numeric(Text text)
{
    size_t from = text.length > 1 && strchr("+-", text.chars[0]);
    return text.length > from && (isdigit((unsigned char)text.chars[from]) ||
                                  text_equals(text_slice(text, from, text.length - from), "nan") ||
                                  text_equals(text_slice(text, from, text.length - from), "inf") ||
                                  text_equals(text, "N/A"));
}

bool log_is_cell(Text text)
{
    size_t signs = 0;
    while (signs < text.length && text.chars[signs] == (text.length == 1 ? '-' : '*'))
        signs++;
    return signs == text.length || log_is_numeric(text);
}

bool log_starts_with(Text text, const char *start)
{
    size_t length = strlen(start);
    return text.length >= length && memcmp(text.chars, start, length) == 0;
}

bool log_begins(const LogLine *line, const char *const *words, Text *rest)
{
    int count = 0;
    for (; words[count]; count++)
        if (count >= line->count || !text_equals(line->words[count], words[count]))
            return false;
    size_t from = line->text.length;
    if (count < line->count)
        from = (size_t)(line->words[count].chars - line->text.chars);
    *rest = text_slice(line->text, from, line->text.length - from);
    return true;
}

enum { MOST_MARKS = 6, LONGEST_MARK = 64 };

static bool is_blank(char sign)
{
    return sign == ' ' || sign == '\t' || sign == '\r' || sign == '\0';
}

/* Escape sequences of terminals become blanks, so that all else keeps its place. */
static Text without_colours(Arena *arena, Text text)
{
    if (!memchr(text.chars, 0x1b, text.length))
        return text;
    char *copy = arena_copy(arena, text.chars, text.length);
    for (size_t i = 0; i < text.length; i++) {
        if (copy[i] != 0x1b)
            continue;
        copy[i] = ' ';
        if (i + 1 == text.length || copy[i + 1] != '[')
            continue;
        copy[++i] = ' ';
        while (++i < text.length && !isalpha((unsigned char)copy[i]))
            copy[i] = ' ';
        if (i < text.length)
            copy[i] = ' ';
    }
    text.chars = copy;
    return text;
}

/* How many signs follow a form: 9 is a digit, A a letter, any other sign itself. 0: they do not. */
static size_t match_form(Text text, size_t at, const char *form)
{
    size_t length = strlen(form);
    if (at + length > text.length)
        return 0;
    for (size_t i = 0; i < length; i++) {
        char sign = text.chars[at + i];
        if (form[i] == '9'   ? !isdigit((unsigned char)sign)
            : form[i] == 'A' ? !isalpha((unsigned char)sign)
                             : sign != form[i])
            return 0;
    }
    return length;
}

/* How long a time is that stands at the start: "15:41:05.123", "2024-07-18T15:41:05Z", "Thu Jul 18
 * 15:41:05 2024". */
static size_t length_of_time(Text text, size_t at)
{
    static const char *const dates[] = {"9999-99-99", "9999/99/99", "AAA AAA 99",
                                        "AAA AAA  9", "AAA 99",     "AAA  9"};
    size_t from = at, length = 0;
    for (size_t i = 0; i < COUNT_OF(dates) && !length; i++)
        length = match_form(text, at, dates[i]);
    at += length;
    if (length && at < text.length && strchr(" T", text.chars[at]))
        at++;
    length = match_form(text, at, "99:99:99");
    if (!length)
        return 0;
    at += length;
    size_t fraction = at;
    while (at < text.length && (isdigit((unsigned char)text.chars[at]) ||
                                (at == fraction && strchr(".,", text.chars[at]))))
        at++;
    at += at < text.length && text.chars[at] == 'Z';
    for (size_t sign = 0; sign < 2; sign++)
        at += match_form(text, at, sign ? "-99:99" : "+99:99");
    at += match_form(text, at, " 9999");
    at += match_form(text, at, " 99A"); /* GitLab: a stream, out or err */
    return at - from;
}

/* "[...]", by Ray "(...)", the last of a mark, behind which a blank or the text stands; 0: there is
   none. */
static size_t length_of_bracket(Text text)
{
    size_t end = 1;
    while (end < text.length && end < LONGEST_MARK && !strchr("[]()", text.chars[end]))
        end++;
    if (end >= text.length || text.chars[end] != (text.chars[0] == '(' ? ')' : ']'))
        return 0;
    end++;
    return end < text.length && (is_blank(text.chars[end]) || strchr("<#[", text.chars[end])) ? end
                                                                                              : 0;
}

/* "<stdout>:", "0: ", "node-7: ", "worker-1  | ": of a word with a digit, or of any before a
 * comment. "> ": quoted in a mail. "stdout F ": of Kubernetes. */
static size_t length_of_name(Text text)
{
    static const char *const fixed[] = {"> ", "stdout F ", "stderr F "};
    size_t end = 0, digits = 0;
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (match_form(text, 0, fixed[i]))
            return strlen(fixed[i]) - 1;
    if (text.length > 8 && text.chars[0] == '<' && memchr(text.chars, ':', 10) &&
        (log_starts_with(text, "<stdout>:") || log_starts_with(text, "<stderr>:")))
        return 9;
    while (end < text.length && end < LONGEST_MARK &&
           (isalnum((unsigned char)text.chars[end]) || strchr("._-/", text.chars[end])))
        digits += isdigit((unsigned char)text.chars[end++]) != 0;
    if (end == 0 || end == text.length)
        return 0;
    size_t behind = end + 1;
    if (text.chars[end] == ' ' && digits < end) { /* a column of names */
        while (behind < text.length && text.chars[behind] == ' ')
            behind++;
        if (behind >= text.length || text.chars[behind] != '|')
            return 0;
        behind++;
    } else if (text.chars[end] != ':') {
        return 0;
    }
    bool is_comment = behind < text.length &&
                      text_trim(text_slice(text, behind, text.length - behind)).length &&
                      text_trim(text_slice(text, behind, text.length - behind)).chars[0] == '#';
    return behind < text.length && (is_comment || (digits && is_blank(text.chars[behind]))) ? behind
                                                                                            : 0;
}

/* Cuts one mark off; a time is none that counts. */
static bool cut_mark(Text *text, Text *mark)
{
    size_t length = length_of_time(*text, 0);
    bool is_time = length > 0 && length < text->length && strchr(" \t<[|:", text->chars[length]);
    length = is_time ? length : 0;
    if (!length && text->length && strchr("[(", text->chars[0])) {
        length = length_of_bracket(*text);
        is_time = length && length_of_time(*text, 1) > 0;
    }
    length = length ? length : length_of_name(*text);
    if (!length || length == text->length)
        return false;
    if (!is_time && !(mark->length && text->chars[0] == '<'))
        *mark = text_slice(*text, 0, length);
    *text = text_trim(text_slice(*text, length, text->length - length));
    return true;
}

void log_split_line(Arena *arena, Text text, LogLine *line)
{
    *line = (LogLine){.text = text_trim(without_colours(arena, text))};
    for (int i = 0; i < MOST_MARKS && cut_mark(&line->text, &line->mark); i++)
        ;
    for (size_t i = 0; i < line->text.length && line->count < MOST_LOG_WORDS;) {
        size_t from = i;
        while (i < line->text.length && !is_blank(line->text.chars[i]))
            i++;
        line->words[line->count++] = text_slice(line->text, from, i - from);
        while (i < line->text.length && is_blank(line->text.chars[i]))
            i++;
    }
}

int64_t log_ranks(LogReading *reading, int64_t stated, Span place, const char *what)
{
    const LogFacts *facts = reading->facts;
    if (stated > 0 && facts->p > 0 && stated != facts->p) {
        diag_error(reading->diag, place, "this log is one of p = %lld, not of %lld",
                   (long long)stated, (long long)facts->p);
        diag_note(reading->diag, facts->p_place, "the number of ranks is given here");
        return 0;
    }
    if (stated == 0 && facts->p == 0)
        diag_error(reading->diag, place,
                   "this log does not say on how many ranks %s was measured: give -p", what);
    return stated ? stated : facts->p;
}

bool log_positive(LogReading *reading, Text text, double *number)
{
    return (log_number(text, number) && *number > 0 && *number <= LARGEST_QUANTITY) ||
           diag_error(reading->diag, text.span, "expected a number above 0");
}

bool log_whole(LogReading *reading, Text text, int64_t *number)
{
    double value;
    if (log_number(text, &value) && value >= 1 && value == floor(value) && value <= 1e9) {
        *number = (int64_t)value;
        return true;
    }
    return diag_error(reading->diag, text.span, "expected a whole number above 0");
}

bool log_size(LogReading *reading, Text text, double *bytes)
{
    return (log_number(text, bytes) && *bytes == floor(*bytes) && *bytes <= 0x1p53) ||
           diag_error(reading->diag, text.span, "expected a size in bytes, a whole number");
}

double log_bus_factor(const Operation *operation, int64_t p)
{
    double others = (double)(p - 1) / (double)p;
    return strcmp(operation->name, "allreduce") == 0 ? 2 * others
           : operation->is_per_rank                  ? others
                                                     : 1;
}

bool log_add(LogReading *reading, const Measurement *row)
{
    if (row->bytes == 0 && !operation_can_be_empty(row->collective))
        return true;
    if (reading->rows->count >= LIMIT_MEASUREMENTS)
        return diag_error(reading->diag, row->place, "too many rows of measurements");
    *ARRAY_PUSH(reading->arena, reading->rows) = *row;
    return true;
}
