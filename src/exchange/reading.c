#include "exchange/reading.h"

#include "base/limits.h"
#include "base/quantity.h"
#include "base/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
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
    size_t from = text.length > 1 && strchr("+-.", text.chars[0]);
    return text.length > from &&
           (isdigit((unsigned char)text.chars[from]) ||
            text_equals(text_behind(text, from), "nan") ||
            text_equals(text_behind(text, from), "inf") || text_equals(text, "N/A"));
}

bool log_is_cell(Text text)
{
    size_t signs = 0;
    double number;
    while (signs < text.length && text.chars[signs] == (text.length == 1 ? '-' : '*'))
        signs++;
    if (signs == text.length || !log_is_numeric(text))
        return signs == text.length;
    const size_t from = text.length > 1 && strchr("+-", text.chars[0]),
                 cut = text.chars[text.length - 1] == '.';
    return isalpha((unsigned char)text.chars[from]) ||
           log_number(text_slice(text, from, text.length - from - cut), &number);
}

int log_decimals(Text text)
{
    const char *point =
        memchr(text.chars, memchr(text.chars, '.', text.length) ? '.' : ',', text.length);
    return point ? (int)(text.chars + text.length - point) - 1 : 0;
}

bool log_begins(const LogLine *line, const char *words, Text *rest)
{
    int count = 0;
    for (Text all = text_plain(words), word; text_next(&all, ' ', &word); count++)
        if (count >= line->count || !text_same(line->words[count], word))
            return false;
    size_t from = line->text.length;
    if (count < line->count)
        from = (size_t)(line->words[count].chars - line->text.chars);
    *rest = text_behind(line->text, from);
    return true;
}

enum { LONGEST_FRAME = 128 };

static bool is_blank(char sign)
{
    return sign == ' ' || sign == '\t' || sign == '\r' || sign == '\0';
}

#define QUOTE "<span class=\"quotelev"
/* How pages and mails write blanks, brackets, and what is around text that was printed. */
static const char *const page_words[][2] = {
    {"&nbsp;", " "}, {"&#160;", " "}, {"\xc2\xa0", " "}, {"&lt;", "<"},      {"&gt;", ">"},
    {"&amp;", "&"},  {"<p>", ""},     {"</p>", ""},      {"<pre>", ""},      {"</pre>", ""},
    {"<br>", ""},    {"<br/>", ""},   {"<br />", ""},    {"<code>", ""},     {"</code>", ""},
    {"\\#", "#"},    {"\\_", "_"},    {"</span>", ""},   {QUOTE "1\">", ""}, {QUOTE "2\">", ""},
};

/* Escape sequences of terminals become blanks, what pages write what it means. */
static Text without_colours(Arena *arena, Text text)
{
    char *copy = NULL, *to = NULL;
    for (size_t i = 0, length = 1; i < text.length; i += length, length = 1) {
        if (!copy && !memchr("\x1b&<\\\xc2\xe2", text.chars[i], 6))
            continue;
        const Text rest = text_behind(text, i);
        const char *means = *rest.chars == 0x1b ? " " : NULL;
        if (means && rest.length > 1 && rest.chars[1] == '[') {
            length = 2;
            while (length < rest.length && !isalpha((unsigned char)rest.chars[length]))
                length++;
            length += length < rest.length;
        }
        for (size_t word = 0; word < COUNT_OF(page_words) && !means; word++)
            if (text_begins(rest, page_words[word][0])) {
                length = strlen(page_words[word][0]);
                means = page_words[word][1];
            }
        if (means && !copy)
            to = (copy = text_string(arena, text)) + i;
        if (copy)
            to = means ? stpcpy(to, means) : (*to = *rest.chars, to + 1);
        text.verbatim &= !means;
    }
    return copy ? (Text){copy, (size_t)(to - copy), text.span, text.verbatim} : text;
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

/* How long a time is that stands there: "15:41:05.123", "2024-07-18T15:41:05Z", "Thu Jul 18
 * 15:41:05 2024", "1716200000.123". */
static size_t length_of_time(Text text, size_t at)
{
    static const char *const dates[] = {"AAA AAA 99", "AAA AAA  9", "9999-99-99",
                                        "9999/99/99", "AAA 99",     "AAA  9"};
    size_t from = at, length = 0, form = 0;
    while (form < COUNT_OF(dates) && !length)
        length = match_form(text, at, dates[form++]);
    at += length;
    if (length && at < text.length && strchr(" T", text.chars[at]))
        at++;
    const bool has_year_last = length && form <= 2;
    length = match_form(text, at, "99:99:99");
    if (!length && from == at && match_form(text, at, "1999999999") && text.chars[at + 1] > '1')
        length = match_form(text, at, "1999999999"); /* seconds since 1970, of 2008 to 2033 */
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
    return at - from + (has_year_last ? match_form(text, at, " 9999") : 0);
}

/* How much of a line is what stood before a title: the same, but for the time. 0: the line begins
   otherwise. */
static size_t length_of_frame(Text frame, Text text)
{
    size_t at = 0;
    for (size_t i = 0; i < frame.length;) {
        const size_t time = length_of_time(frame, i), other = time ? length_of_time(text, at) : 0;
        if (at == text.length)
            return is_blank(frame.chars[i]) ? at : 0;
        if (time ? !other : frame.chars[i] != text.chars[at])
            return 0;
        i += time ? time : 1;
        at += time ? other : 1;
    }
    return at;
}

/* Can that stand before all lines? It is not the row of a table, nor IMB's first column. */
static bool is_frame(Text text)
{
    double number;
    bool is_good = text.length > 0 && text.length <= LONGEST_FRAME && text.chars[0] != '#' &&
                   strchr(" \t:|])>\"", text.chars[text.length - 1]) &&
                   !text_equals(text_trim(text), "Group");
    size_t words = 0;
    for (Text rest = text, word; is_good && text_next(&rest, ' ', &word); words++)
        is_good = !log_number(word, &number) || length_of_time(word, 0) ||
                  (words > 0 && !memchr(word.chars, '.', word.length));
    return is_good;
}

/* Where a title, or the names of columns, begin in a line behind what may be a frame; its length:
   nowhere. */
static size_t find_title(Text text)
{
    enum { BARE = 4 }; /* of them stand without '#' */
    static const char *const titles[] = {
        "Collective: ", "RDMA_",    "Send ",        "START mpiBench",    "@nprocs", "begin result",
        "Collective ",  "OSU ",     "Benchmarking", "nThread",           "size ",   "Size ",
        "nccl-tests",   "minBytes", "in-place ",    "bytes #repetitions"};
    for (size_t at = 0; at < text.length && at <= LONGEST_FRAME; at++) {
        const bool is_comment = text.chars[at] == '#';
        Text rest = text_behind(text, at + is_comment);
        rest = is_comment ? text_trim(rest) : rest;
        for (size_t i = 0; i < (is_comment ? COUNT_OF(titles) : BARE); i++)
            if (*rest.chars == *titles[i] && text_begins(rest, titles[i]))
                return at;
    }
    return text.length;
}

void log_split_line(LogReading *reading, Text text, LogLine *line)
{
    *line = (LogLine){.text = text_trim(without_colours(reading->arena, text))};
    size_t length = length_of_frame(reading->frame, line->text);
    if (!length) {
        /* What launchers and services put before each line is learnt from a line with a title. */
        size_t title = find_title(line->text);
        if (title < line->text.length && is_frame(text_slice(line->text, 0, title))) {
            while (title > 1 && is_blank(line->text.chars[title - 1]) &&
                   is_blank(line->text.chars[title - 2]))
                title--;
            reading->frame = text_slice(line->text, 0, title);
            length = length_of_frame(reading->frame, line->text);
        }
    }
    if (length)
        line->mark = reading->frame;
    else if ((length = length_of_time(line->text, 0)) < line->text.length &&
             !is_blank(line->text.chars[length]))
        length = 0;
    if (!memchr(line->text.chars, ':', length) && !memchr(line->text.chars, '.', length) &&
        !line->mark.length)
        length = 0; /* seconds alone can be a size */
    line->text = text_trim(text_behind(line->text, length));
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

const char *log_clean(const LogReading *reading, Text text)
{
    return utf8_clean(reading->arena, text.chars, text.length);
}

const char *log_join(const LogReading *reading, const char *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *more = arena_vprintf(reading->arena, format, arguments);
    va_end(arguments);
    words = words ? words : "";
    return *more ? arena_printf(reading->arena, "%s%s%s", words, *words ? ", " : "", more) : words;
}

void log_pass_over(LogReading *reading, Text name, Span place)
{
    const char *text = log_clean(reading, name);
    if (!reading->unread) {
        reading->unread = text;
        reading->unread_place = place;
    } else if (!strstr(reading->unread, text)) {
        reading->unread = log_join(reading, reading->unread, "%s", text);
    }
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

bool log_size(LogReading *reading, Text text, double unit, double *bytes)
{
    enum { BITS = 10 };
    static const char prefixes[] = "KMG";
    double size;
    bool is_read;
    if (memmem(text.chars, text.length, "iB", 2)) {
        is_read = quantity_is(text, DIMENSION_BYTES, &size);
    } else { /* "64k", "1MB": of benchmarks K, M and G are powers of 1024 */
        size_t end = text.length - text_ends(text, "B");
        const char *prefix =
            end ? strchr(prefixes, toupper((unsigned char)text.chars[end - 1])) : NULL;
        is_read = log_number(text_trim(text_slice(text, 0, end - (prefix != NULL))), &size);
        unit = prefix ? ldexp(unit, BITS * (int)(prefix - prefixes + 1)) : unit;
    }
    *bytes = is_read ? size * unit : 0;
    return (is_read && *bytes == floor(*bytes) && *bytes <= 0x1p53) ||
           diag_error(reading->diag, text.span,
                      "expected a size in bytes, a whole number, or one as 4KiB");
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
