#include "session/begun_line.h"

#include "cli/command.h"

#include <string.h>

static const char breaks[] = " \t\n\"'=(,<>+*^";

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
    size_t start = length; /* of the last word */
    while (start > 0 && !strchr(breaks, line[start - 1]))
        start--;
    BegunLine begun = {.word = arena_copy(arena, line + start, length - start),
                       .length = length - start,
                       .network = find_network(line, start)};
    begun.behind_sign = start > 0 && strchr("=(,<>+*^", line[start - 1]);
    for (size_t at = 0; at < start;) {
        /* Words before the one at the end; signs part words too, quotes mean nothing here. */
        const size_t from = at;
        while (at < start && !strchr(breaks, line[at]))
            at++;
        const bool is_listed = at < start && line[at] == ','; /* one more of a list follows */
        if (at > from && !is_listed)
            *ARRAY_PUSH(arena, &begun.before) = arena_copy(arena, line + from, at - from);
        at += at < start;
    }
    if (begun.before.count > 0 && strcmp(begun.before.items[0], "collcost") == 0) {
        begun.before.items++;
        begun.before.count--;
        begun.in_shell = true;
    }
    count_operands(line, start, &begun);
    return begun;
}

typedef enum {
    AT_FIRST,
    AT_STAGE,
    AT_ALGORITHM,
    BEHIND_ALGORITHM,
    BEHIND_ALONG,
    BEHIND_THEN,
    BEHIND_DIMENSION,
    BEHIND_EVERY,
    BEHIND_EVERY_ONE,
    BEHIND_BACKWARDS,
    IN_CHANNELS,
    IN_RENUMBER,
    AT_PART,
    BEHIND_PART,
    BEHIND_PART_ALONG,
    BEHIND_PART_WORD,
    NOWHERE_KNOWN
} Place;

/* Which word leads from where to where; NULL: any that is none of the others there. */
static const struct {
    Place from;
    const char *word;
    Place to;
    StageNames names; /* what NULL stands for */
} steps[] = {
    {AT_FIRST, "pipelined", AT_STAGE, NAMES_NONE},
    {AT_FIRST, "dual", AT_ALGORITHM, NAMES_NONE},
    {AT_FIRST, NULL, BEHIND_ALGORITHM, NAMES_ALGORITHMS},
    {AT_STAGE, "dual", AT_ALGORITHM, NAMES_NONE},
    {AT_STAGE, NULL, BEHIND_ALGORITHM, NAMES_ALGORITHMS},
    {AT_ALGORITHM, NULL, BEHIND_ALGORITHM, NAMES_ALGORITHMS},
    {BEHIND_ALGORITHM, "along", BEHIND_ALONG, NAMES_NONE},
    {BEHIND_ALGORITHM, "channels", IN_CHANNELS, NAMES_NONE},
    {BEHIND_ALGORITHM, "renumber", IN_RENUMBER, NAMES_NONE},
    {BEHIND_ALONG, "every", BEHIND_EVERY, NAMES_NONE},
    {BEHIND_ALONG, NULL, BEHIND_DIMENSION, NAMES_DIMENSIONS},
    {BEHIND_THEN, NULL, BEHIND_DIMENSION, NAMES_DIMENSIONS},
    {BEHIND_DIMENSION, "then", BEHIND_THEN, NAMES_NONE},
    {BEHIND_DIMENSION, "channels", IN_CHANNELS, NAMES_NONE},
    {BEHIND_DIMENSION, "renumber", IN_RENUMBER, NAMES_NONE},
    {BEHIND_EVERY, "dimension", BEHIND_EVERY_ONE, NAMES_NONE},
    {BEHIND_EVERY, "level", BEHIND_EVERY_ONE, NAMES_NONE},
    {BEHIND_EVERY_ONE, "backwards", BEHIND_BACKWARDS, NAMES_NONE},
    {BEHIND_EVERY_ONE, "channels", IN_CHANNELS, NAMES_NONE},
    {BEHIND_EVERY_ONE, "renumber", IN_RENUMBER, NAMES_NONE},
    {BEHIND_BACKWARDS, "channels", IN_CHANNELS, NAMES_NONE},
    {BEHIND_BACKWARDS, "renumber", IN_RENUMBER, NAMES_NONE},
    {IN_CHANNELS, "renumber", IN_RENUMBER, NAMES_NONE},
    {IN_CHANNELS, NULL, IN_CHANNELS, NAMES_NONE},
    {IN_RENUMBER, NULL, IN_RENUMBER, NAMES_NONE},
    {AT_PART, NULL, BEHIND_PART, NAMES_ALGORITHMS},
    {BEHIND_PART, "along", BEHIND_PART_ALONG, NAMES_NONE},
    {BEHIND_PART, "members", BEHIND_PART_WORD, NAMES_NONE},
    {BEHIND_PART, "of", BEHIND_PART_WORD, NAMES_NONE},
    {BEHIND_PART_ALONG, NULL, BEHIND_PART, NAMES_DIMENSIONS},
    {BEHIND_PART_WORD, NULL, BEHIND_PART, NAMES_NONE},
};
enum { STEP_COUNT = COUNT_OF(steps) };

/* Words that blanks end; the piece of a list behind the last one, "x," of "along x,y", is none. */
static StageWords follow(Place place, Text text)
{
    size_t from = 0;
    for (size_t at = 0; at < text.length; at++) {
        if (text.chars[at] != ' ' && text.chars[at] != '\t')
            continue;
        const Text word = text_slice(text, from, at - from);
        int i = 0;
        while (i < STEP_COUNT &&
               (steps[i].from != place || (steps[i].word && !text_equals(word, steps[i].word))))
            i++;
        if (word.length)
            place = i < STEP_COUNT ? steps[i].to : NOWHERE_KNOWN;
        from = at + 1;
    }
    StageWords found = {.count = 0};
    for (int i = 0; i < STEP_COUNT; i++) {
        if (steps[i].from != place)
            continue;
        if (steps[i].word)
            found.words[found.count++] = steps[i].word;
        else
            found.names = steps[i].names;
    }
    return found;
}

StageWords stage_words(Text stages)
{
    size_t from = 0;
    int depth = 0;
    for (size_t at = 0; at < stages.length; at++) {
        depth += (stages.chars[at] == '(') - (stages.chars[at] == ')');
        from = stages.chars[at] == ',' && depth == 0 ? at + 1 : from;
    }
    return follow(from ? AT_STAGE : AT_FIRST, text_behind(stages, from));
}

StageWords stage_words_of_part(Text part)
{
    return follow(AT_PART, part);
}
