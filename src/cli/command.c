#include "cli/command.h"

#include "format/text_table.h"
#include "study/study.h"

#include <getopt.h>
#include <string.h>

typedef struct {
    char letter;
    const char *name, *argument, *help;
} OptionInfo;

static const OptionInfo option_table[OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, help) {letter, name, argument, help},
#include "cli/options.def"
#undef OPTION
};

enum { OPERAND = 1, FIRST_LONG = 256 }; /* what getopt_long returns, beside letters */

bool option_given(const CommandLine *line, OptionId option)
{
    return line->values[option].count > 0;
}

Text option_value(const CommandLine *line, OptionId option)
{
    return line->values[option].items[line->values[option].count - 1];
}

bool option_is_spoken(const CommandLine *line, OptionId option)
{
    return option_given(line, option) && !(line->assumed >> option & 1);
}

bool options_are_absent(const CommandLine *line, const OptionId *options, size_t count,
                        const char *words)
{
    for (size_t i = 0; i < count; i++)
        if (option_is_spoken(line, options[i])) {
            diag_error(line->diag, NOWHERE, "--%s %s", option_name(options[i]), words);
            return false;
        }
    return true;
}

const char *option_name(OptionId option)
{
    return option_table[option].name;
}

bool option_is_flag(OptionId option)
{
    return option_table[option].argument == NULL;
}

bool option_names_file(OptionId option)
{
    const char *argument = option_table[option].argument;
    return argument &&
           (strstr(argument, "FILE") || strstr(argument, "PATH") || strstr(argument, "LOG"));
}

int option_find(Text name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (text_equals(name, option_table[i].name) ||
            (name.length == 1 && name.chars[0] == option_table[i].letter))
            return i;
    return -1;
}

static bool takes(const Command *command, int option)
{
    return (command->options | OPTIONS_OF_ALL) >> option & 1;
}

static void write_usage(FILE *stream, const CommandTable *table)
{
    fputs("Usage: collcost COMMAND [ARGUMENT...] [OPTION...]\n\n"
          "What collective communication costs, how far that is from the best possible, which\n"
          "algorithm to take, and whether the algorithm is right.\n\nCommands:\n",
          stream);
    for (size_t i = 0; i < table->count; i++)
        fprintf(stream, "  %-11s %s\n", table->items[i]->name, table->items[i]->summary);
    fputs("\n'collcost COMMAND --help' describes a command; 'collcost help' lists other topics. "
          "See also\nman collcost.\n",
          stream);
}

static void write_option(FILE *stream, const OptionInfo *option, const char *help)
{
    char letter[] = "    ";
    if (option->letter)
        letter[0] = '-', letter[1] = option->letter, letter[2] = ',';
    int width = fprintf(stream, "  %s--%s%s%s", letter, option->name, option->argument ? "=" : "",
                        option->argument ? option->argument : "");
    fprintf(stream, "%*s%s\n", width < 28 ? 28 - width : 1, "", help);
}

void option_write(FILE *stream, OptionId id)
{
    write_option(stream, &option_table[id], option_table[id].help);
}

static void write_help(FILE *stream, const Command *command)
{
    fprintf(stream, "Usage: collcost %s%s%s [OPTION...]\n\n%s\n\nOptions:\n", command->name,
            *command->operands ? " " : "", command->operands, command->description);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (takes(command, i))
            write_option(stream, &option_table[i],
                         i == OPTION_OUTPUT && command->formats ? command->formats
                                                                : option_table[i].help);
}

const Command *command_find(const CommandTable *table, Text name)
{
    for (size_t i = 0; i < table->count; i++)
        if (text_equals(name, table->items[i]->name))
            return table->items[i];
    return NULL;
}

static const Command *need_command(const CommandLine *line, const CommandTable *table, Text name)
{
    const Command *command = command_find(table, name);
    if (command)
        return command;
    const char **names = ARENA_ARRAY(line->arena, const char *, table->count);
    for (size_t i = 0; i < table->count; i++)
        names[i] = table->items[i]->name;
    if (name.chars[0] == '-') {
        static const char *const alone[] = {"--help", "--version"};
        diag_error(line->diag, name.span, "the command comes first, before the option '%s'",
                   name.chars);
        diag_suggest(line->diag, name, alone, sizeof alone / sizeof *alone);
        return NULL;
    }
    diag_error(line->diag, name.span, "unknown command '%s'", name.chars);
    diag_suggest(line->diag, name, names, table->count);
    return NULL;
}

/* getopt's two tables. With '-' in front of `letters` it hands operands over in their order, also
   where POSIXLY_CORRECT lets it stop at the first one; with ':' a missing argument is told apart.
 */
static void fill_getopt(struct option *longs, char *letters)
{
    *letters++ = '-';
    *letters++ = ':';
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionInfo *option = &option_table[i];
        longs[i] = (struct option){option->name, option->argument ? required_argument : no_argument,
                                   NULL, FIRST_LONG + i};
        if (!option->letter)
            continue;
        *letters++ = option->letter;
        if (option->argument)
            *letters++ = ':';
    }
    longs[OPTION_COUNT] = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

static int option_of(int found)
{
    if (found >= FIRST_LONG)
        return found - FIRST_LONG;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].letter && option_table[i].letter == found)
            return i;
    return -1;
}

/* `option`: an option of other commands; -1: of none, or one without its value. */
static void report_option(CommandLine *line, const Command *command, int found, int option,
                          const char *word)
{
    const char *names[OPTION_COUNT];
    size_t count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (takes(command, i))
            names[count++] = arena_printf(line->arena, "--%s", option_table[i].name);
    if (found == ':') {
        diag_error(line->diag, NOWHERE, "the option '%s' needs a value", word);
        return;
    }
    diag_error(line->diag, NOWHERE, "'%s' has no option '%s'", command->name, word);
    const char *nearest = diag_nearest(word, strlen(word), names, count);
    if (option == OPTION_ORDER)
        diag_note(line->diag, NOWHERE,
                  "-n is the order of the matrices of a problem: of cost, scale, partition, switch "
                  "and trace");
    else if (option >= 0) /* spelled as it is meant */
        diag_note(line->diag, NOWHERE, "'collcost %s --help' lists its options", command->name);
    else if (nearest)
        diag_note(line->diag, NOWHERE, "did you mean '%s'?", nearest);
    else
        diag_note(line->diag, NOWHERE, "after '--', a word that begins with '-' is an argument");
}

/* A piece of a word, as getopt found it: `chars` may point into it. A word of the program's
   arguments becomes a source that is called `name`. */
static Text find_piece(const CommandLine *line, Text word, const char *name, const char *chars)
{
    if (word.span.source && chars >= word.chars && chars <= word.chars + word.length)
        return text_slice(word, (size_t)(chars - word.chars),
                          word.length - (size_t)(chars - word.chars));
    return source_argument(line->arena, name, chars);
}

static void add_operand(CommandLine *line, const Command *command, Text word)
{
    *ARRAY_PUSH(line->arena, &line->operands) = find_piece(line, word, command->name, word.chars);
}

static bool parse_options(CommandLine *line, const Command *command, const TextArray *words)
{
    struct option longs[OPTION_COUNT + 1];
    char letters[2 * OPTION_COUNT + 3];
    int count = (int)words->count;
    char **arguments = ARENA_ARRAY(line->arena, char *, words->count + 1);
    for (int i = 0; i < count; i++)
        arguments[i] = (char *)words->items[i].chars; /* getopt does not change them */
    fill_getopt(longs, letters);
    opterr = 0;
    optind = 0;
    for (;;) {
        int at = optind > 0 ? optind : 1;
        int found = getopt_long(count, arguments, letters, longs, NULL);
        if (found == -1)
            break;
        if (found == OPERAND) {
            add_operand(line, command, words->items[optind - 1]);
            continue;
        }
        int option = found == '?' || found == ':' ? -1 : option_of(found);
        if (option < 0 || !takes(command, option)) {
            const char *word = option < 0 ? arguments[at < optind ? optind - 1 : at]
                               : found < FIRST_LONG
                                   ? arena_printf(line->arena, "-%c", found)
                                   : arena_printf(line->arena, "--%s", option_table[option].name);
            report_option(line, command, found, option, word);
            return false;
        }
        const char *name = arena_printf(line->arena, "--%s", option_table[option].name);
        *ARRAY_PUSH(line->arena, &line->values[option]) =
            find_piece(line, words->items[optind - 1], name, optarg ? optarg : "");
    }
    for (int i = optind; i < count; i++) /* behind "--" */
        add_operand(line, command, words->items[i]);
    return true;
}

static bool check_operands(const CommandLine *line, const Command *command)
{
    int count = (int)line->operands.count;
    bool few = count < command->least_operands;
    bool many = command->most_operands >= 0 && count > command->most_operands;
    if (few)
        diag_error(line->diag, NOWHERE, "'%s' needs %s", command->name, command->operands);
    if (many)
        diag_error(line->diag, line->operands.items[command->most_operands].span,
                   "'%s' takes no more arguments", command->name);
    if (few || many)
        diag_note(line->diag, NOWHERE, "usage: collcost %s%s%s [OPTION...]", command->name,
                  *command->operands ? " " : "", command->operands);
    return !few && !many;
}

/* "--help", "--version", "help": what is asked of the program, not of a command. */
static bool answer_alone(const CommandLine *line, const CommandTable *table, Text word)
{
    if (text_equals(word, "--version"))
        fprintf(line->out,
                "collcost %s\n"
                "License GPL-3.0-or-later <https://gnu.org/licenses/gpl.html>\n"
                "There is no warranty, to the extent permitted by law.\n",
                PACKAGE_VERSION);
    else if (text_equals(word, "--help") || text_equals(word, "-h") || text_equals(word, "help"))
        write_usage(line->out, table);
    else
        return false;
    return true;
}

const Command *command_parse(CommandLine *line, const CommandTable *table, const TextArray *words,
                             Status *status)
{
    *status = STATUS_BAD_INPUT;
    if (words->count == 0) {
        write_usage(stderr, table);
        return NULL;
    }
    Text word = words->items[0];
    if (answer_alone(line, table, word)) {
        *status = STATUS_FINE;
        return NULL;
    }
    const Command *command = line->command = need_command(line, table, word);
    if (!command || !parse_options(line, command, words))
        return NULL;
    if (option_given(line, OPTION_HELP)) {
        write_help(line->out, command);
        *status = STATUS_FINE;
        return NULL;
    }
    return check_operands(line, command) ? command : NULL;
}

/* "k" of "k=4"; else the name of the option. */
static Text name_of_value(OptionId option, Text value)
{
    Text name = text_plain(option_name(option)), rest;
    if (option == OPTION_SET)
        text_split(value, '=', &name, &rest);
    return name;
}

/* Of values of the same name the last counts, but for options each of whose values does. */
static bool is_replaced(const TextArray *values, OptionId option, size_t place)
{
    static const OptionSet listing = OPTION_BIT(WITH) | OPTION_BIT(READ) | OPTION_BIT(MEASURED) |
                                     OPTION_BIT(MAP) | OPTION_BIT(ALGORITHM) | OPTION_BIT(VARY) |
                                     OPTION_BIT(MODELS);
    const Text *items = values->items, name = name_of_value(option, items[place]);
    for (size_t i = place + 1; i < values->count && !(listing >> option & 1); i++)
        if (text_same(name, name_of_value(option, items[i])))
            return !text_same(items[place], items[i]);
    return false;
}

void command_note_idle(const CommandLine *line)
{
    for (int option = 0; option < OPTION_COUNT; option++) {
        const TextArray *values = &line->values[option];
        bool goes_on = option_is_spoken(line, (OptionId)option);
        for (size_t v = 0; v < values->count && goes_on; v++) {
            const Text name = name_of_value((OptionId)option, values->items[v]);
            const bool is_idle = effects_lack(line->effects, name);
            if (!is_idle && (line->command->compares || !is_replaced(values, (OptionId)option, v)))
                continue;
            diag_warning(line->diag, values->items[v].span, "%s%.*s has no effect%s",
                         option == OPTION_SET ? "" : "--", (int)name.length, name.chars,
                         !is_idle                ? ": the last one counts"
                         : option == OPTION_SIZE ? " here: the messages are empty"
                                                 : " here");
            goes_on = is_idle && option == OPTION_SET;
        }
    }
}

void line_say(const CommandLine *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(line->arena, format, arguments);
    va_end(arguments);
    text_line_write(line->out, text, line->width);
}

Table *line_table(const CommandLine *line, Format format, TableId id)
{
    Table *table = table_open(line->arena, line->out, format, id);
    table_fit(table, line->width);
    if (option_given(line, OPTION_BRIEF))
        table_drop_empty(table);
    return table;
}
