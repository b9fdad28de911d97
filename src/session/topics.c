#include "session/topics.h"

#include "session/manual.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The section that begins at or behind *at, which moves on; false at the end. */
static bool next_section(const char **at, Section *section)
{
    const char *start = strchr(*at, '\f');
    if (!start)
        return false;
    const char *title = start + strlen("\f1 ");
    size_t length = strcspn(title, "\n");
    section->title = (Text){.chars = title, .length = length};
    section->text = title + length + 1;
    section->length = strcspn(section->text, "\f");
    *at = section->text;
    return true;
}

static bool begins_with(Text text, Text start)
{
    return text.length >= start.length && strncasecmp(text.chars, start.chars, start.length) == 0;
}

/* "cost" is the first word of "cost collective[/algorithm]". */
static bool is_about(const Section *section, Text topic)
{
    char next =
        section->title
            .chars[topic.length < section->title.length ? topic.length : section->title.length];
    return begins_with(section->title, topic) &&
           (topic.length == section->title.length || next == ' ');
}

bool topic_find(Text topic, Section *found)
{
    const char *at = manual_text;
    Section section = {0};
    bool is_found = false;
    while (next_section(&at, &section)) {
        if (is_about(&section, topic)) {
            *found = section;
            return true;
        }
        if (!is_found && begins_with(section.title, topic))
            *found = section, is_found = true;
    }
    return is_found;
}

static bool holds(const WordArray *topics, const char *name)
{
    for (size_t i = 0; i < topics->count; i++)
        if (strcmp(topics->items[i], name) == 0)
            return true;
    return false;
}

void topics_list(Arena *arena, WordArray *topics)
{
    const char *at = manual_text;
    Section section = {0};
    while (next_section(&at, &section)) {
        char *name = arena_copy(arena, section.title.chars, section.title.length);
        if (!isupper((unsigned char)name[0]))
            continue; /* a command */
        for (char *letter = name; *letter; letter++)
            *letter = (char)tolower((unsigned char)*letter);
        if (!holds(topics, name)) /* pages have sections of the same name */
            *ARRAY_PUSH(arena, topics) = name;
    }
}
