#include "session/stage_words.h"

#include <string.h>

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

static Place step_on(Place place, Text word)
{
    for (int i = 0; i < STEP_COUNT; i++)
        if (steps[i].from == place && (!steps[i].word || text_equals(word, steps[i].word)))
            return steps[i].to;
    return NOWHERE_KNOWN;
}

static StageWords words_at(Place place)
{
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

/* Words that blanks end; the piece of a list behind the last one, "x," of "along x,y", is none. */
static StageWords follow(Place place, Text text)
{
    size_t from = 0;
    for (size_t at = 0; at < text.length; at++) {
        if (text.chars[at] != ' ' && text.chars[at] != '\t')
            continue;
        if (at > from)
            place = step_on(place, text_slice(text, from, at - from));
        from = at + 1;
    }
    return words_at(place);
}

StageWords stage_words(Text stages)
{
    size_t from = 0;
    int depth = 0;
    for (size_t at = 0; at < stages.length; at++) {
        depth += (stages.chars[at] == '(') - (stages.chars[at] == ')');
        from = stages.chars[at] == ',' && depth == 0 ? at + 1 : from;
    }
    return follow(from ? AT_STAGE : AT_FIRST, text_slice(stages, from, stages.length - from));
}

StageWords stage_words_of_part(Text part)
{
    return follow(AT_PART, part);
}
