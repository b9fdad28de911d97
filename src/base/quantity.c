#include "base/quantity.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    Dimension dimension;
    int ten, two;
} Unit;

static const Unit units[] = {
#define UNIT(name, time, bytes, ten, two) {name, {time, bytes}, ten, two},
#include "base/units.def"
#undef UNIT
};
static const char *const unit_names[] = {
#define UNIT(name, time, bytes, ten, two) name,
#include "base/units.def"
#undef UNIT
};
enum { UNIT_COUNT = COUNT_OF(units) };

bool dimension_equal(Dimension a, Dimension b)
{
    return a.time == b.time && a.bytes == b.bytes;
}

enum { LONGEST_NAME = 40 };

static void show_power(char *text, size_t room, const char *unit, int exponent)
{
    *text = '\0';
    if (exponent)
        snprintf(text, room, exponent == 1 ? "%s" : "%s^%d", unit, exponent);
}

/* The unit of output; `room` of LONGEST_NAME bytes is where unusual ones are put together. */
static const char *name_unit(char *room, Dimension dimension)
{
    static const struct {
        Dimension dimension;
        const char *unit;
    } usual[] = {{{0, 0}, ""}, {{1, 0}, "s"}, {{0, 1}, "B"}, {{-1, 1}, "B/s"}, {{1, -1}, "s/B"}};
    char time[16], bytes[16];
    for (size_t i = 0; i < COUNT_OF(usual); i++)
        if (dimension_equal(usual[i].dimension, dimension))
            return usual[i].unit;
    show_power(time, sizeof time, "s", dimension.time);
    show_power(bytes, sizeof bytes, "B", dimension.bytes);
    snprintf(room, LONGEST_NAME, "%s%s%s", time, *time && *bytes ? " " : "", bytes);
    return room;
}

static const char *name_dimension(char *room, Dimension dimension)
{
    static const struct {
        Dimension dimension;
        const char *name;
    } usual[] = {{{0, 0}, "a plain number"},
                 {{1, 0}, "a time"},
                 {{0, 1}, "a size in bytes"},
                 {{-1, 1}, "a bandwidth"}};
    char unit[LONGEST_NAME];
    for (size_t i = 0; i < COUNT_OF(usual); i++)
        if (dimension_equal(usual[i].dimension, dimension))
            return usual[i].name;
    snprintf(room, LONGEST_NAME, "a quantity in %s", name_unit(unit, dimension));
    return room;
}

const char *dimension_unit(Arena *arena, Dimension dimension)
{
    char room[LONGEST_NAME];
    const char *unit = name_unit(room, dimension);
    return unit == room ? arena_printf(arena, "%s", unit) : unit;
}

const char *dimension_name(Arena *arena, Dimension dimension)
{
    char room[LONGEST_NAME];
    const char *name = name_dimension(room, dimension);
    return name == room ? arena_printf(arena, "%s", name) : name;
}

static size_t scan_digits(Text text, size_t at)
{
    while (at < text.length && isdigit((unsigned char)text.chars[at]))
        at++;
    return at;
}

/* number = digits [ "." digits ] [ "e" [ sign ] digits ]; "0..7" is the number 0 before a range */
static size_t scan_number(Text text, bool *is_integer, size_t *mantissa_length)
{
    size_t at = scan_digits(text, 0);
    size_t whole = at;
    if (at + 1 < text.length && text.chars[at] == '.' && isdigit((unsigned char)text.chars[at + 1]))
        at = scan_digits(text, at + 1);
    *mantissa_length = at;
    *is_integer = at == whole;
    if (whole == 0 && at == 0)
        return 0;
    if (at < text.length && (text.chars[at] == 'e' || text.chars[at] == 'E')) {
        size_t sign = at + 1;
        if (sign < text.length && (text.chars[sign] == '+' || text.chars[sign] == '-'))
            sign++;
        size_t end = scan_digits(text, sign);
        if (end > sign) {
            *is_integer = false;
            return end;
        }
    }
    return at;
}

static bool is_unit_byte(char byte)
{
    return isalpha((unsigned char)byte) || (unsigned char)byte >= 0x80;
}

static size_t scan_word(Text text, size_t at)
{
    while (at < text.length && is_unit_byte(text.chars[at]))
        at++;
    return at;
}

static const Unit *find_unit(const char *chars, size_t length)
{
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, chars, length) == 0)
            return &units[i];
    return NULL;
}

/* After a unit of bytes "/s", after a unit of time "/B": the word behind the slash, or NULL. */
static const Unit *scan_divisor(Text text, size_t slash, const Unit *unit, size_t *end)
{
    if (slash >= text.length || text.chars[slash] != '/')
        return NULL;
    *end = scan_word(text, slash + 1);
    if (*end < text.length && (isdigit((unsigned char)text.chars[*end]) || text.chars[*end] == '_'))
        return NULL;
    const Unit *divisor = find_unit(text.chars + slash + 1, *end - slash - 1);
    return divisor && divisor->dimension.time == unit->dimension.bytes ? divisor : NULL;
}

/* The decimal digits with another exponent, so that strtod rounds once. Most numbers are short and
   whole, and need no rounding. */
static double scale_decimal(Text text, size_t mantissa, long exponent)
{
    enum { LONGEST = 400, EXACT = 15 };
    char digits[LONGEST + 32];
    if (exponent == 0 && mantissa <= EXACT && !memchr(text.chars, '.', mantissa)) {
        int64_t whole = 0;
        for (size_t i = 0; i < mantissa; i++)
            whole = 10 * whole + (text.chars[i] - '0');
        return (double)whole;
    }
    size_t kept = mantissa < LONGEST ? mantissa : LONGEST;
    memcpy(digits, text.chars, kept);
    digits[kept] = '\0';
    if (mantissa > kept && !memchr(digits, '.', kept))
        exponent += (long)(mantissa - kept);
    snprintf(digits + kept, 32, "e%ld", exponent);
    return strtod(digits, NULL);
}

/* "Gb", "Gbps", "GBps": what they mean elsewhere. False: it is none of them. */
static bool suggest_bits(Text word, Diag *diag)
{
    if (word.length < 2 || !strchr("kKMGT", word.chars[0]))
        return false;
    char prefix = word.chars[0] == 'K' ? 'k' : word.chars[0];
    Text rest = text_behind(word, 1);
    if (text_equals(rest, "b"))
        diag_note(diag, NOWHERE, "did you mean '%cbit' or '%cB'?", prefix, prefix);
    else if (text_equals(rest, "bps"))
        diag_note(diag, NOWHERE, "did you mean '%cbit/s'?", prefix);
    else if (text_equals(rest, "Bps"))
        diag_note(diag, NOWHERE, "did you mean '%cB/s'?", prefix);
    else
        return false;
    return true;
}

/* "mb" */
static bool suggest_letters(Text word, Diag *diag)
{
    for (int i = 0; i < UNIT_COUNT; i++)
        if (text_like(word, unit_names[i])) {
            diag_note(diag, NOWHERE, "did you mean '%s'?", unit_names[i]);
            return true;
        }
    return false;
}

static bool report_unit(Text text, size_t start, size_t end, Diag *diag)
{
    Text word = text_slice(text, start, end - start);
    diag_error(diag, word.span, "unknown unit '%.*s'", TEXT_ARGS(word));
    if (text_equals(word, "KB") || text_equals(word, "K") || text_equals(word, "k"))
        diag_note(diag, NOWHERE, "did you mean 'kB' (1000 bytes) or 'KiB' (1024 bytes)?");
    else if (word.length == 1 && strchr("MGTmgt", word.chars[0]))
        diag_note(diag, NOWHERE, "did you mean '%cB' (powers of 1000) or '%ciB' (of 1024)?",
                  toupper((unsigned char)word.chars[0]), toupper((unsigned char)word.chars[0]));
    else if (!suggest_bits(word, diag) && !suggest_letters(word, diag) &&
             !diag_note_foreign(diag, FOREIGN_UNIT, word))
        diag_suggest(diag, word, unit_names, UNIT_COUNT);
    return false;
}

/* A unit stands directly behind the number, or behind blanks if the word there is one. */
static bool scan_unit(Text text, Quantity *quantity, int *ten, int *two, Diag *diag)
{
    size_t start = quantity->length;
    while (start < text.length && text.chars[start] == ' ')
        start++;
    size_t end = scan_word(text, start);
    const Unit *unit = find_unit(text.chars + start, end - start);
    bool part_of_name =
        end < text.length && (isdigit((unsigned char)text.chars[end]) || text.chars[end] == '_');
    if (!unit || part_of_name)
        return start > quantity->length || end == start || report_unit(text, start, end, diag);
    *ten = unit->ten, *two = unit->two;
    quantity->dimension = unit->dimension;
    quantity->has_unit = true;
    quantity->is_integer = false;
    quantity->length = end;
    size_t divisor_end;
    const Unit *divisor = scan_divisor(text, end, unit, &divisor_end);
    if (divisor) {
        *ten -= divisor->ten, *two -= divisor->two;
        quantity->dimension.time = (int8_t)(quantity->dimension.time - divisor->dimension.time);
        quantity->dimension.bytes = (int8_t)(quantity->dimension.bytes - divisor->dimension.bytes);
        quantity->length = divisor_end;
    }
    return true;
}

/* Is one of the digits of the mantissa not 0? */
static bool has_digits(Text text, size_t mantissa)
{
    bool has = false;
    for (size_t i = 0; i < mantissa; i++)
        has |= text.chars[i] >= '1' && text.chars[i] <= '9';
    return has;
}

/* Whole numbers from 2^53 on are not all doubles. */
static bool is_rounded(Text text, size_t mantissa, size_t end, double value)
{
    int64_t whole = 0;
    bool fits = mantissa == end && value < 0x1p63;
    for (size_t i = 0; i < mantissa && fits; i++)
        fits = isdigit((unsigned char)text.chars[i]) &&
               !__builtin_mul_overflow(whole, 10, &whole) &&
               !__builtin_add_overflow(whole, text.chars[i] - '0', &whole);
    return fits && (int64_t)value != whole;
}

bool quantity_scan(Text text, Quantity *quantity, Diag *diag)
{
    size_t mantissa;
    *quantity = (Quantity){0};
    size_t end = scan_number(text, &quantity->is_integer, &mantissa);
    if (end == 0)
        return diag_error(diag, text_span(text, 0, text.length ? 1 : 0), "expected a number");
    quantity->length = end;
    int ten = 0, two = 0;
    if (!scan_unit(text, quantity, &ten, &two, diag))
        return false;
    const long exponent = mantissa < end ? strtol(text.chars + mantissa + 1, NULL, 10) : 0;
    quantity->mantissa = mantissa;
    quantity->ten = (int)(exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : exponent);
    quantity->ten += ten;
    quantity->two = two;
    quantity->value = ldexp(scale_decimal(text, mantissa, quantity->ten), two);
    if (!isfinite(quantity->value) || (quantity->value < DBL_MIN && has_digits(text, mantissa)))
        return diag_error(diag, text_span(text, 0, quantity->length), "this number is too %s",
                          isfinite(quantity->value) ? "small" : "large");
    quantity->is_rounded = ten == 0 && two == 0 && is_rounded(text, mantissa, end, quantity->value);
    if (quantity->is_integer) {
        for (size_t i = 0; i < end; i++)
            if (__builtin_mul_overflow(quantity->integer, 10, &quantity->integer) ||
                __builtin_add_overflow(quantity->integer, text.chars[i] - '0', &quantity->integer))
                return diag_error(diag, text_span(text, 0, end), "this integer is too large");
    }
    return true;
}

/* A whole text that is one unsigned quantity; a sign gets a message of its own. */
static bool scan_whole(Text text, Quantity *quantity, const char *what, Diag *diag)
{
    if (text.length && (text.chars[0] == '-' || text.chars[0] == '+'))
        return diag_error(diag, text.span, "%s cannot have a sign", what);
    if (!text.length || !isdigit((unsigned char)text.chars[0]))
        return diag_error(diag, text.span, "expected %s", what);
    if (!quantity_scan(text, quantity, diag))
        return false;
    if (quantity->length != text.length) {
        size_t rest = quantity->length;
        while (text.chars[rest] == ' ')
            rest++;
        if (!quantity->has_unit && is_unit_byte(text.chars[rest]))
            return report_unit(text, rest, scan_word(text, rest), diag);
        return diag_error(diag, text_span(text, rest, text.length - rest),
                          "unexpected text after %s", what);
    }
    return true;
}

/* So that no product of costs, sizes and numbers of ranks can overflow: what is told of an overflow
   would blame a formula for it. */
static bool check_range(Text text, const Quantity *quantity, Dimension dimension, const char *what,
                        Diag *diag)
{
    const double least = dimension_equal(dimension, DIMENSION_BANDWIDTH) ? 1 / LARGEST_QUANTITY : 0;
    char room[LONGEST_NAME];
    const char *unit = name_unit(room, dimension);
    if (dimension_equal(dimension, DIMENSION_BYTES) &&
        (quantity->is_rounded || quantity->value > LARGEST_QUANTITY))
        return diag_error(diag, text.span, "a size is at most 2^53 bytes");
    if (quantity->value > LARGEST_QUANTITY)
        return diag_error(diag, text.span, "%s is at most 1e30%s%s", what, *unit ? " " : "", unit);
    if (quantity->value > 0 && quantity->value < least)
        return diag_error(diag, text.span, "%s is at least 1e-30 %s", what, unit);
    return true;
}

bool quantity_parse(Text text, Dimension dimension, double *value, Diag *diag)
{
    char name[LONGEST_NAME], other[LONGEST_NAME];
    const char *what = name_dimension(name, dimension);
    Quantity quantity = {0};
    text = text_trim(text);
    bool good = scan_whole(text, &quantity, what, diag);
    bool bare_is_good = quantity.value == 0 || dimension_equal(dimension, DIMENSION_BYTES);
    if (good && !dimension_equal(quantity.dimension, dimension) &&
        !(bare_is_good && !quantity.has_unit)) {
        good = false;
        if (quantity.has_unit)
            diag_error(diag, text.span, "this is %s, but %s is needed",
                       name_dimension(other, quantity.dimension), what);
        else
            diag_error(diag, text.span, "%s needs a unit, such as %s", what,
                       dimension.time == 1 && !dimension.bytes ? "us"
                       : dimension.time == -1                  ? "GB/s"
                                                               : "s/B");
    }
    good = good && check_range(text, &quantity, dimension, what, diag);
    if (good)
        *value = quantity.value;
    return good;
}

bool quantity_parse_share(Text text, double *share, Diag *diag)
{
    text = text_trim(text);
    bool is_percent = text.length > 0 && text.chars[text.length - 1] == '%';
    Text number = text_slice(text, 0, text.length - is_percent);
    if (!quantity_parse(number, DIMENSION_NONE, share, diag))
        return false;
    if (is_percent)
        *share /= 100;
    return is_percent || *share <= 1 ||
           diag_error(diag, text.span, "a share above 1 needs a %% sign, as in %.6g%%", *share);
}

bool quantity_parse_integer(Text text, int64_t least, int64_t most, int64_t *value, Diag *diag)
{
    Quantity quantity = {0};
    text = text_trim(text);
    if (!scan_whole(text, &quantity, "an integer", diag))
        return false;
    if (!quantity.is_integer || quantity.integer < least || quantity.integer > most)
        return diag_error(diag, text.span, "expected an integer from %lld to %lld",
                          (long long)least, (long long)most);
    *value = quantity.integer;
    return true;
}

/* Equal times that were added up in another order are off by less. Where they lie halfway between
   two numbers of four digits, all are shown as the upper one. */
static const double halfway = 4e-13;

/* The largest of `scales` (falling) that is not above `value`, else the last. */
static const char *show_scaled(Arena *arena, double value, const double *scales,
                               const char *const *names, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && fabs(value) < scales[i] * (1 - 5e-5))
        i++;
    return arena_printf(arena, "%.4g %s", value / scales[i] * (1 + halfway), names[i]);
}

const char *quantity_show_time(Arena *arena, double seconds)
{
    static const double scales[] = {1, 1e-3, 1e-6, 1e-9, 1e-12};
    static const char *const names[] = {"s", "ms", "us", "ns", "ps"};
    if (seconds == 0)
        return "0 s";
    return show_scaled(arena, seconds, scales, names, 5);
}

static const double si_scales[] = {1e18, 1e15, 1e12, 1e9, 1e6, 1e3, 1};
enum { SI_COUNT = COUNT_OF(si_scales) };

static const double iec_scales[SI_COUNT] = {0x1p60, 0x1p50, 0x1p40, 0x1p30, 0x1p20, 0x1p10, 1};
static const char *const si[SI_COUNT] = {"EB", "PB", "TB", "GB", "MB", "kB", "B"};
static const char *const iec[SI_COUNT] = {"EiB", "PiB", "TiB", "GiB", "MiB", "KiB", "B"};

const char *quantity_show_bytes(Arena *arena, double bytes)
{
    const Workspace *workspace = arena_workspace(arena);
    const SizeUnits wanted = workspace ? workspace->size_units : SIZES_MIXED;
    const bool is_decimal = wanted == SIZES_DECIMAL;
    const double *scales = is_decimal ? si_scales : iec_scales;
    for (int i = 0; i < SI_COUNT - 1; i++) {
        double count = bytes / scales[i];
        if (count >= 1 && count < scales[SI_COUNT - 2] && count == floor(count))
            return arena_printf(arena, "%.15g %s", count, is_decimal ? si[i] : iec[i]);
    }
    if (bytes < 1e4 && bytes == floor(bytes))
        return arena_printf(arena, "%.0f B", bytes);
    return wanted == SIZES_BINARY ? show_scaled(arena, bytes, iec_scales, iec, SI_COUNT)
                                  : show_scaled(arena, bytes, si_scales, si, SI_COUNT);
}

const char *quantity_show_bandwidth(Arena *arena, double bytes_per_second)
{
    static const char *const names[SI_COUNT] = {"EB/s", "PB/s", "TB/s", "GB/s",
                                                "MB/s", "kB/s", "B/s"};
    return show_scaled(arena, bytes_per_second, si_scales, names, SI_COUNT);
}

const char *quantity_show_share(Arena *arena, double share)
{
    if (fabs(share) < 1e-9)
        return "0%";
    return share < 10 ? arena_printf(arena, "%.3g%%", 100 * share)
                      : arena_printf(arena, "%.4g-fold", 1 + share);
}

const char *number_exactly(double number, char text[LONGEST_NUMBER])
{
    bool is_whole =
        fabs(number) < 1e15 && number == floor(number) && !(number == 0 && signbit(number));
    if (is_whole) {
        snprintf(text, LONGEST_NUMBER, "%lld", (long long)number);
        return text;
    }
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, LONGEST_NUMBER, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

double number_inverse(double number)
{
    for (int digits = 1; digits <= DBL_DECIMAL_DIG; digits++) {
        char text[LONGEST_NUMBER];
        snprintf(text, sizeof text, "%.*g", digits, 1 / number);
        double inverse = strtod(text, NULL);
        if (1 / inverse == number)
            return inverse;
    }
    return 1 / number;
}

/* The convergents of its continued fraction. Two fractions of denominators up to `most` are further
   apart than twice what rounding may have done. */
const char *number_as_fraction(Arena *arena, double number)
{
    const double rounding = 32 * DBL_EPSILON * fabs(number);
    const double most = fmin(0x1p20, sqrt(1 / (2 * rounding)));
    double above = 1, below = 0, last_above = 0, last_below = 1, rest = number;
    if (number == floor(number) && fabs(number) < 0x1p53)
        return arena_printf(arena, "%.0f", number);
    while (fabs(rest) < 0x1p53) {
        double whole = floor(rest), next_above = whole * above + last_above;
        double next_below = whole * below + last_below;
        if (next_below > most)
            break;
        last_above = above, above = next_above;
        last_below = below, below = next_below;
        if (fabs(above / below - number) <= rounding)
            return arena_printf(arena, below == 1 ? "%.0f" : "%.0f/%.0f", above, below);
        rest = 1 / (rest - whole);
    }
    return arena_printf(arena, "%.10g", number);
}

bool quantity_is(Text text, Dimension dimension, double *value)
{
    Diag silent = diag_silent();
    return quantity_parse(text, dimension, value, &silent);
}

bool quantity_starts(Text text, Quantity *quantity)
{
    Diag silent = diag_silent();
    return quantity_scan(text, quantity, &silent);
}

bool quantity_is_integer(Text text, int64_t least, int64_t most, int64_t *value)
{
    Diag silent = diag_silent();
    return quantity_parse_integer(text, least, most, value, &silent);
}
