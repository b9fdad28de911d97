#include "session/help.h"

#include "cli/measures.h"
#include "session/phrase.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static void write_aligned(FILE *out, const char *name, const char *operands, const char *summary)
{
    enum { COLUMN = 26 };
    int width = fprintf(out, "  %s%s%s", name, *operands ? " " : "", operands);
    if (width >= COLUMN) { /* the summary has no room beside it */
        fputc('\n', out);
        width = 0;
    }
    fprintf(out, "%*s%s\n", COLUMN - width, "", summary);
}

void help_list_topics(Run *run)
{
    StringArray topics = {0};
    size_t column = 0;
    topics_list(run->arena, &topics);
    fputs("\n'help TOPIC' describes any of these, an option, or\n ", run->out);
    for (size_t i = 0; i < topics.count; i++) {
        size_t length = strlen(topics.items[i]) + 2;
        if (column + length > 74) {
            fputs("\n ", run->out);
            column = 0;
        }
        fprintf(run->out, " %s%s", topics.items[i], i + 1 < topics.count ? "," : "\n");
        column += length;
    }
}

/* "--ports", "ports" or "p": its line, and who takes it. */
static bool write_option(Run *run, Text topic)
{
    FILE *out = run->out;
    const CommandTable *commands = run->session->commands;
    while (topic.length > 0 && topic.chars[0] == '-')
        topic = text_behind(topic, 1);
    int option = option_find(topic);
    if (option < 0)
        return false;
    option_write(run->arena, out, (OptionId)option);
    fputs("taken by", out);
    for (size_t i = 0; i < commands->count; i++)
        if (commands->items[i]->options >> option & 1)
            fprintf(out, " %s", commands->items[i]->name);
    fputs("\n", out);
    return true;
}

static Status report_topic(Run *run, Text topic)
{
    StringArray topics = {0};
    const CommandTable *commands = run->session->commands;
    for (size_t i = 0; i < commands->count; i++)
        *ARRAY_PUSH(run->arena, &topics) = commands->items[i]->name;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        *ARRAY_PUSH(run->arena, &topics) = statement_info[i].name;
    topics_list(run->arena, &topics);
    diag_error(run->diag, topic.span, "unknown topic '%.*s'", TEXT_ARGS(topic));
    const ModelEntry *model = library_find(library_open(run->arena), topic);
    if (model)
        diag_note(run->diag, NOWHERE, "%s is a %s: 'show %s'", model->name, kind_keys[model->kind],
                  model->name);
    else
        diag_suggest(run->diag, topic, topics.items, topics.count);
    diag_note(run->diag, NOWHERE, "'help' lists them");
    return STATUS_BAD_INPUT;
}

typedef struct {
    Text title;
    const char *text;
    size_t length;
} Section;

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

/* The section of that title, else the first that begins so; false where there is none. */
static bool topic_find(Text topic, Section *found)
{
    const char *at = manual_text;
    Section section = {0};
    bool is_found = false;
    while (next_section(&at, &section)) {
        /* "cost" is the first word of "cost collective[/algorithm]". */
        char next =
            section.title
                .chars[topic.length < section.title.length ? topic.length : section.title.length];
        if (begins_with(section.title, topic) &&
            (topic.length == section.title.length || next == ' ')) {
            *found = section;
            return true;
        }
        if (!is_found && begins_with(section.title, topic))
            *found = section, is_found = true;
    }
    return is_found;
}

Status help_write(Run *run)
{
    Section section = {0};
    FILE *out = run->out;
    const Text topic = run->operand;
    const bool is_overview = topic.length == 0;
    const bool is_command = command_find(run->session->commands, topic) != NULL;
    bool is_written = false;
    if (is_overview) {
        commands_write(out, run->session->commands);
        fputs("\nStatements, which set the context of what follows:\n", out);
    }
    for (int i = 0; i < STATEMENT_COUNT && !is_command; i++) {
        const StatementInfo *info = &statement_info[i];
        if (!is_overview && !text_equals(topic, info->name))
            continue;
        write_aligned(out, info->name, info->operands, info->summary);
        is_written = true;
    }
    if (is_overview)
        fputs("\nAnything else is a formula: (p - 1) * (ts + 1MiB * tw), or a question:\n", out);
    else if (is_written)
        fputs("See 'help sessions'.\n", out);
    for (int i = 0; i < MEASURE_COUNT && !is_command && (is_overview || !is_written); i++) {
        const MeasureInfo *info = &measure_info[i];
        if (!is_overview && i != measure_find(topic))
            continue;
        write_aligned(out, arena_printf(run->arena, "%s(%s)", info->name, info->arguments), "",
                      info->summary);
        fputs(is_overview ? "" : "See 'help questions'.\n", out);
        is_written = true;
    }
    if (is_overview)
        help_list_topics(run);
    if (is_written || (!is_command && write_option(run, topic)))
        return STATUS_FINE;
    if (!topic_find(topic, &section))
        return report_topic(run, topic);
    fprintf(out, "%.*s\n\n", TEXT_ARGS(section.title));
    fwrite(section.text, 1, section.length, out);
    return STATUS_FINE;
}

void topics_list(Arena *arena, StringArray *topics)
{
    const char *at = manual_text;
    Section section = {0};
    while (next_section(&at, &section)) {
        char *name = text_string(arena, section.title);
        if (!isupper((unsigned char)name[0]))
            continue; /* a command */
        for (char *letter = name; *letter; letter++)
            *letter = (char)tolower((unsigned char)*letter);
        if (!strings_hold(topics, name)) /* pages have sections of the same name */
            *ARRAY_PUSH(arena, topics) = name;
    }
}
