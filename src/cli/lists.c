#include "cli/files.h"
#include "cli/workers.h"

#include <ctype.h>
#include <string.h>

/* From the outer loop in. */
static const OptionId listed[] = {OPTION_TOPOLOGY, OPTION_MACHINE};
enum { LISTED_COUNT = COUNT_OF(listed) };

ARRAY_TYPE(LineArray, CommandLine);

static const char json_begin[] = "[\n", json_end[] = "\n]\n", json_none[] = "[]\n";

bool lists_split(Text text, Text *first, Text *rest)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.chars[i] == ',' &&
            (i + 1 == text.length || !isdigit((unsigned char)text.chars[i + 1]))) {
            *first = text_slice(text, 0, i);
            *rest = text_behind(text, i + 1);
            return true;
        }
    *rest = text;
    return false;
}

/* The parts while they become one answer. */
typedef struct {
    const CommandLine *line;
    const AnswerParts *parts;
    Format format;
    int64_t jobs;       /* of each part */
    const char *header; /* of the last rows in CSV */
    bool any;           /* something was printed */
    Status worst;
} Joined;

static bool print_part(void *context, size_t part, Buffer *bytes)
{
    Kept answer;
    const Joined *joined = context;
    Workspace *workspace = arena_workspace(joined->line->arena);
    CommandLine line = *joined->line;
    kept_begin(&answer, workspace);
    line.out = answer.stream;
    line.most_jobs = joined->jobs;
    const Status status = joined->parts->print(joined->parts->context, part, part + 1, &line);
    kept_end(&answer, workspace);
    pack_int(bytes, status);
    buffer_add(bytes, answer.text, answer.length + 1);
    kept_free(&answer);
    return true;
}

static bool join_part(void *context, size_t part, Packed *answer)
{
    Joined *joined = context;
    FILE *out = joined->line->out;
    const Status status = (Status)unpack_int(answer);
    const char *text = answer->next;
    const size_t length = (size_t)(answer->end - text) - 1;
    (void)part;
    joined->worst = status > joined->worst ? status : joined->worst;
    if (joined->format == FORMAT_JSON && length) {
        const bool is_list = text[0] == json_begin[0];
        const size_t begin = is_list ? strlen(json_begin) : 0;
        const size_t end = is_list ? strlen(json_end) : 1; /* of an object, the newline */
        if (strcmp(text, json_none) != 0) {
            fputs(joined->any ? ",\n" : json_begin, out);
            fwrite(text + begin, 1, length - begin - end, out);
            joined->any = true;
        }
    } else if (joined->format == FORMAT_CSV && length) {
        const size_t width = strcspn(text, "\n");
        const char *header = arena_copy(joined->line->arena, text, width);
        const bool goes_on = joined->header && strcmp(header, joined->header) == 0;
        fprintf(out, "%s%s", joined->header && !goes_on ? "\n" : "",
                goes_on ? text + width + 1 : text);
        joined->header = header;
    } else if (length) {
        fprintf(out, "%s%s", joined->any ? joined->parts->between : "", text);
        joined->any = true;
    }
    return status < STATUS_BAD_INPUT;
}

Status lists_print(const CommandLine *line, Format format, const AnswerParts *parts)
{
    int64_t jobs;
    if (parts->is_whole && format != FORMAT_TEXT && format != FORMAT_CSV && format != FORMAT_JSON)
        return parts->print(parts->context, 0, parts->count, line);
    if (!workers_read_jobs(line, &jobs))
        return STATUS_BAD_INPUT;
    const int64_t of_each = jobs / (int64_t)parts->count;
    Joined joined = {
        .line = line, .parts = parts, .format = format, .jobs = of_each > 0 ? of_each : 1};
    const WorkItems items = {.count = parts->count,
                             .names = parts->names,
                             .work = print_part,
                             .take = join_part,
                             .context = &joined};
    const Status status = workers_run(line, &items);
    if (format == FORMAT_JSON)
        fputs(joined.any ? json_end : json_none, line->out);
    return status > joined.worst ? status : joined.worst;
}

/* The lines with one value for each of the options that have several. */
typedef struct {
    const Command *command;
    Arena *arena;
    LineArray lines;
} Lists;

/* All values of the options from number `at` on. */
static void list_from(Lists *lists, const CommandLine *line, int at)
{
    if (at == LISTED_COUNT) {
        *ARRAY_PUSH(lists->arena, &lists->lines) = *line;
        return;
    }
    const OptionId option = listed[at];
    CommandLine chosen = *line;
    if (!(lists->command->lists & OPTION_MASK(option)) || !option_given(line, option)) {
        list_from(lists, line, at + 1);
        return;
    }
    Text rest = option_value(line, option), first, others;
    if (option == OPTION_MACHINE)
        chosen.is_one_machine = lists_split(rest, &first, &others);
    for (bool more = true; more;) {
        more = lists_split(rest, &first, &rest);
        Text *value = ARENA_COPY(lists->arena, Text, more ? &first : &rest, 1);
        value->chars = arena_copy(lists->arena, value->chars, value->length);
        chosen.values[option] = (TextArray){value, 1, 1};
        list_from(lists, &chosen, at + 1);
    }
}

static Status run_list(void *context, size_t first, size_t end, const CommandLine *line)
{
    const Lists *lists = context;
    CommandLine own = lists->lines.items[first];
    (void)end;
    own.out = line->out;
    own.most_jobs = line->most_jobs;
    return lists->command->run(&own);
}

Status lists_run(const Command *command, const CommandLine *line)
{
    Lists lists = {.command = command, .arena = line->arena};
    list_from(&lists, line, 0);
    if (lists.lines.count == 1)
        return command->run(line);
    if (option_given(line, OPTION_PICTURE) || option_given(line, OPTION_SAVE) ||
        option_given(line, OPTION_CERTIFICATE))
        return BAD_INPUT(line->diag, NOWHERE,
                         "the answers for several networks or machines do not go into one file");
    const OptionId named = option_given(line, OPTION_TOPOLOGY) ? OPTION_TOPOLOGY : OPTION_MACHINE;
    const char **names = ARENA_ARRAY(line->arena, const char *, lists.lines.count);
    for (size_t i = 0; i < lists.lines.count; i++)
        names[i] = option_value(&lists.lines.items[i], named).chars;
    const AnswerParts parts = {.count = lists.lines.count,
                               .between = "\n",
                               .names = names,
                               .print = run_list,
                               .context = &lists};
    const Format format = option_given(line, OPTION_OUTPUT)
                              ? format_find(option_value(line, OPTION_OUTPUT))
                              : FORMAT_TEXT;
    return lists_print(line, format, &parts);
}
