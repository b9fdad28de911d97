#include "session/begun_line.h"

#include "cli/command.h"

#include <string.h>

static const char breaks[] = " \t\n\"'=(,<>+*^";

/* Where the last word of the line begins: the part that a completion takes the place of. */
static size_t word_start(const char *line, size_t length)
{
    while (length > 0 && !strchr(breaks, line[length - 1]))
        length--;
    return length;
}

/* Words before the one at the end; signs part words too, quotes mean nothing here. */
static void split(Arena *arena, const char *line, size_t length, BegunLine *begun)
{
    size_t at = 0;
    begun->behind_sign = length > 0 && strchr("=(,<>+*^", line[length - 1]);
    while (at < length) {
        size_t start = at;
        while (at < length && !strchr(breaks, line[at]))
            at++;
        bool is_listed = at < length && line[at] == ','; /* one more of a list follows */
        if (at > start && !is_listed)
            *ARRAY_PUSH(arena, &begun->before) = arena_copy(arena, line + start, at - start);
        at += at < length;
    }
}

/* The operands of a command in front of the word, which no option takes, and a quote that is open.
 */
static void count_operands(const char *line, size_t length, BegunLine *begun)
{
    char quote = '\0';
    int words = 0, before = -1, value_of = -1; /* options: in front of a word, and which has it */
    bool in_word = false;
    size_t open = 0;
    for (size_t at = 0; at < length; at++) {
        const char sign = line[at];
        const bool is_blank = !quote && (sign == ' ' || sign == '\t');
        if (!in_word && !is_blank) {
            size_t end = at + strcspn(line + at, " \t=");
            const size_t dashes = strspn(line + at, "-");
            const Text name = {.chars = line + at + dashes, .length = end - at - dashes};
            const int option = dashes ? option_find(name) : -1;
            value_of = dashes ? -1 : before;
            words += !dashes && value_of < 0;
            before =
                option >= 0 && !option_is_flag((OptionId)option) && line[end] != '=' ? option : -1;
        }
        if (quote ? sign == quote : sign == '\'' || sign == '"') {
            quote = quote ? '\0' : sign;
            open = at + 1;
        }
        in_word = !is_blank;
    }
    begun->in_quotes = quote != '\0';
    begun->quoted_for = quote ? value_of : -1;
    begun->quoted = quote ? (Text){.chars = line + open, .length = length - open} : (Text){0};
    begun->operands = words - 1 - begun->in_shell - in_word;
}

/* Of a list the first one. */
static Text find_network(const char *line, size_t length)
{
    Text found = {0}, last = {0};
    for (size_t at = 0; at < length;) {
        const size_t end = at + strcspn(line + at, " \t='\"");
        const Text word = {.chars = line + at, .length = (end < length ? end : length) - at};
        Text others;
        if ((text_equals(last, "-t") || text_equals(last, "--topology")) && word.length &&
            !text_split(word, ',', &found, &others))
            found = word;
        if (word.length)
            last = word;
        at = end + 1;
    }
    return found;
}

BegunLine begun_line_read(Arena *arena, const char *line, size_t length)
{
    const size_t start = word_start(line, length);
    BegunLine begun = {.word = arena_copy(arena, line + start, length - start),
                       .length = length - start,
                       .network = find_network(line, start)};
    split(arena, line, start, &begun);
    if (begun.before.count > 0 && strcmp(begun.before.items[0], "collcost") == 0) {
        begun.before.items++;
        begun.before.count--;
        begun.in_shell = true;
    }
    count_operands(line, start, &begun);
    return begun;
}
