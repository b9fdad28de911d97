#include "exchange/tuning_words.h"

#include "base/whole.h"

#include <ctype.h>
#include <string.h>

const char *chars_of(Span span)
{
    return span.source->text + span.offset;
}

bool next_part(Span whole, char delimiter, size_t *at, Span *part)
{
    const char *text = chars_of(whole);
    while (*at < whole.length && text[*at] == delimiter)
        ++*at;
    *part = (Span){whole.source, whole.offset + *at, 0};
    while (*at < whole.length && text[*at] != delimiter)
        ++*at;
    part->length = whole.offset + *at - part->offset;
    return part->length > 0;
}

bool is_word(Span span, const char *word)
{
    if (span.length != strlen(word))
        return false;
    for (size_t i = 0; i < span.length; i++)
        if (tolower((unsigned char)chars_of(span)[i]) != word[i])
            return false;
    return true;
}

bool is_number(Span span, int64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < span.length; i++) {
        const int c = (unsigned char)chars_of(span)[i];
        if (!isdigit(c))
            return false;
        *value = whole_append_digit(*value, c - '0');
    }
    return true;
}

bool take_span(Span text, const char *endless, int64_t *from, int64_t *below)
{
    Span ends[3];
    size_t count = 0, at = 0;
    while (count < 3 && next_part(text, '-', &at, &ends[count]))
        count++;
    if (count < 1 || count > 2 || !is_number(ends[0], from))
        return false;
    *below = *from;
    if (count == 2 && is_word(ends[1], endless))
        *below = INT64_MAX;
    else if (count == 2 && !is_number(ends[1], below))
        return false;
    *below += *below < INT64_MAX;
    return true;
}

Span trim_span(Span span, const char *set)
{
    while (span.length && strchr(set, chars_of(span)[0]) && chars_of(span)[0]) {
        span.offset++;
        span.length--;
    }
    while (span.length && strchr(set, chars_of(span)[span.length - 1]) &&
           chars_of(span)[span.length - 1])
        span.length--;
    return span;
}

bool split_assignment(Span line, Span *name, Span *value)
{
    static const char exported[] = "export ";
    const char *equals = memchr(chars_of(line), '=', line.length);
    if (!equals)
        return false;
    const size_t length = (size_t)(equals - chars_of(line));
    *name = (Span){line.source, line.offset, length};
    if (length > sizeof exported - 1 && memcmp(chars_of(line), exported, sizeof exported - 1) == 0)
        *name =
            (Span){line.source, line.offset + sizeof exported - 1, length - sizeof exported + 1};
    *name = trim_span(*name, " \t");
    *value = trim_span((Span){line.source, line.offset + length + 1, line.length - length - 1},
                       " \t\"'");
    return true;
}

bool ends_with(Span name, const char *end)
{
    const size_t length = strlen(end);
    return name.length > length && memcmp(chars_of(name) + name.length - length, end, length) == 0;
}

const LibraryAlgorithm *find_named(const Implementation *library, const char *version,
                                   const TunedCollective *collective, LibraryBlocks blocks,
                                   Span word)
{
    const LibraryAlgorithm *one;
    int64_t number;
    size_t at = 0;
    const bool by_number = is_number(word, &number);
    while (*collective->collective &&
           (one = implementation_next_for(library, version, collective->collective, blocks, &at)))
        if (strcmp(one->variant, collective->variant) == 0 &&
            (by_number ? one->number == number : is_word(word, one->name)))
            return one;
    return NULL;
}
