#include "cli/lists.h"

#include "cli/kept.h"

#include <ctype.h>
#include <string.h>

/* From the outer loop in. */
static const OptionId listed[] = {OPTION_TOPOLOGY, OPTION_MACHINE};
enum { LISTED_COUNT = COUNT_OF(listed) };

static const char json_begin[] = "[\n", json_end[] = "\n]\n", json_none[] = "[]\n";

bool lists_split(Text text, Text *first, Text *rest)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.chars[i] == ',' &&
            (i + 1 == text.length || !isdigit((unsigned char)text.chars[i + 1]))) {
            *first = text_slice(text, 0, i);
            *rest = text_slice(text, i + 1, text.length - i - 1);
            return true;
        }
    *rest = text;
    return false;
}

typedef struct {
    const Command *command;
    FILE *out;
    Format format;
    const char *header; /* of the last rows in CSV */
    bool any;           /* something was printed */
    Status worst;
} Lists;

static void add_json(Lists *lists, Kept *answer)
{
    if (strcmp(answer->text, json_none) == 0)
        return;
    answer->text[answer->length - strlen(json_end)] = '\0';
    fprintf(lists->out, "%s%s", lists->any ? ",\n" : json_begin, answer->text + strlen(json_begin));
    lists->any = true;
}

/* The line has one value for each of these options. */
static void run_one(Lists *lists, const CommandLine *line)
{
    Kept answer;
    Workspace *workspace = arena_workspace(line->arena);
    CommandLine asked = *line;
    if (!kept_open(&answer, workspace))
        workspace_fail(workspace, 0);
    asked.out = answer.stream;
    Status status = lists->command->run(&asked);
    if (!kept_close(&answer))
        workspace_fail(workspace, answer.length);
    lists->worst = status > lists->worst ? status : lists->worst;
    if (lists->format == FORMAT_JSON && answer.length) {
        add_json(lists, &answer);
    } else if (lists->format == FORMAT_CSV && answer.length) {
        size_t length = strcspn(answer.text, "\n");
        const char *header = arena_copy(line->arena, answer.text, length);
        bool goes_on = lists->header && strcmp(header, lists->header) == 0;
        fprintf(lists->out, "%s%s", lists->header && !goes_on ? "\n" : "",
                goes_on ? answer.text + length + 1 : answer.text);
        lists->header = header;
    } else if (answer.length) {
        fprintf(lists->out, "%s%s", lists->any ? "\n" : "", answer.text);
        lists->any = true;
    }
    kept_free(&answer);
}

/* All values of the options from number `at` on. */
static void run_from(Lists *lists, const CommandLine *line, int at)
{
    if (at == LISTED_COUNT) {
        run_one(lists, line);
        return;
    }
    const OptionId option = listed[at];
    CommandLine chosen = *line;
    if (!(lists->command->lists & OPTION_MASK(option)) || !option_given(line, option)) {
        run_from(lists, line, at + 1);
        return;
    }
    Text rest = option_value(line, option), first, others;
    if (option == OPTION_MACHINE)
        chosen.is_one_machine = lists_split(rest, &first, &others);
    for (bool more = true; more && lists->worst < STATUS_BAD_INPUT;) {
        more = lists_split(rest, &first, &rest);
        Text value = more ? first : rest;
        value.chars = arena_copy(line->arena, value.chars, value.length);
        chosen.values[option] = (TextArray){&value, 1, 1};
        run_from(lists, &chosen, at + 1);
    }
}

static bool has_list(const Command *command, const CommandLine *line)
{
    Text first, rest;
    for (int i = 0; i < LISTED_COUNT; i++)
        if ((command->lists & OPTION_MASK(listed[i])) && option_given(line, listed[i]) &&
            lists_split(option_value(line, listed[i]), &first, &rest))
            return true;
    return false;
}

Status lists_run(const Command *command, const CommandLine *line)
{
    Lists lists = {.command = command, .out = line->out};
    if (option_given(line, OPTION_OUTPUT))
        lists.format = format_find(option_value(line, OPTION_OUTPUT));
    if (!has_list(command, line))
        return command->run(line);
    if (option_given(line, OPTION_PICTURE) || option_given(line, OPTION_SAVE) ||
        option_given(line, OPTION_CERTIFICATE))
        return BAD_INPUT(line->diag, NOWHERE,
                         "the answers for several networks or machines do not go into one file");
    run_from(&lists, line, 0);
    if (lists.format == FORMAT_JSON)
        fputs(lists.any ? json_end : json_none, line->out);
    return lists.worst;
}
