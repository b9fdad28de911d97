#include "exchange/reading.h"

#include "base/limits.h"
#include "base/quantity.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

bool log_number(Text text, double *number)
{
    Diag silent = diag_silent();
    Quantity quantity;
    if (!text.length || !isdigit((unsigned char)text.chars[0]) ||
        !quantity_scan(text, &quantity, &silent) || quantity.has_unit ||
        quantity.length != text.length)
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
    if (log_number(text, number) && *number > 0 && *number <= LARGEST_QUANTITY)
        return true;
    diag_error(reading->diag, text.span, "expected a number above 0");
    return false;
}

bool log_whole(LogReading *reading, Text text, int64_t *number)
{
    double value;
    if (log_number(text, &value) && value >= 1 && value == floor(value) && value <= 1e9) {
        *number = (int64_t)value;
        return true;
    }
    diag_error(reading->diag, text.span, "expected a whole number above 0");
    return false;
}

bool log_size(LogReading *reading, LogColumns *columns, Text text, double *bytes)
{
    if (!log_number(text, bytes) || *bytes != floor(*bytes) || *bytes > 0x1p53) {
        diag_error(reading->diag, text.span, "expected a size in bytes, a whole number");
        return false;
    }
    if (*bytes <= columns->last_size) {
        diag_error(reading->diag, text.span,
                   "the sizes of a table rise, but %.0f follows %.0f: are lines of several runs "
                   "mixed here, or is a title missing?",
                   *bytes, columns->last_size);
        return false;
    }
    columns->last_size = *bytes;
    return true;
}

static int count_decimals(Text text)
{
    const char *point = memchr(text.chars, '.', text.length);
    return point ? (int)(text.chars + text.length - point) - 1 : 0;
}

static bool check_decimals(LogReading *reading, LogColumns *columns, Text text)
{
    int decimals = count_decimals(text);
    double number;
    if (!memchr(text.chars, '.', text.length) && log_number(text, &number)) {
        diag_error(reading->diag, text.span, "this time has no digits after the decimal point");
        return false;
    }
    if (columns->decimals >= 0 && decimals != columns->decimals) {
        diag_error(reading->diag, text.span,
                   "this time has %d digit%s after the decimal point, those above it have %d: is "
                   "it cut off?",
                   decimals, decimals == 1 ? "" : "s", columns->decimals);
        return false;
    }
    columns->decimals = decimals;
    return true;
}

bool log_time(LogReading *reading, LogColumns *columns, Text text, double *seconds)
{
    const bool has_digits = isdigit((unsigned char)text.chars[0]);
    if ((has_digits && !check_decimals(reading, columns, text)) ||
        !log_positive(reading, text, seconds))
        return false;
    *seconds /= 1e6;
    return true;
}

bool log_slowest(LogReading *reading, LogColumns *columns, Text least, Text mean, Text most,
                 double *seconds)
{
    double least_us, mean_s;
    if (!log_time(reading, columns, mean, &mean_s) || !log_time(reading, columns, most, seconds) ||
        !check_decimals(reading, columns, least))
        return false;
    if (log_number(least, &least_us) && least_us / 1e6 <= mean_s && mean_s <= *seconds)
        return true;
    diag_error(reading->diag, mean.span, "the mean is not between the minimum and the maximum");
    return false;
}

bool log_add(LogReading *reading, const Measurement *row)
{
    if (row->bytes == 0 && !operation_can_be_empty(row->collective))
        return true;
    if (reading->rows->count >= LIMIT_MEASUREMENTS) {
        diag_error(reading->diag, row->place, "too many rows of measurements");
        return false;
    }
    *ARRAY_PUSH(reading->arena, reading->rows) = *row;
    return true;
}
