#include "cli/command.h"

#include <getopt.h>
#include <string.h>

#define COMMAND(id) extern const Command command_##id;
#include "cli/commands.def"
#undef COMMAND

const Command *const command_table[] = {
#define COMMAND(id) &command_##id,
#include "cli/commands.def"
#undef COMMAND
    NULL};

typedef struct {
    char letter;
    const char *name, *argument, *help;
} OptionInfo;

static const OptionInfo option_table[OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, help) {letter, name, argument, help},
#include "cli/options.def"
#undef OPTION
};

enum { FIRST_LONG = 256 };

bool option_given(const CommandLine *line, OptionId option)
{
    return line->values[option].count > 0;
}

Text option_value(const CommandLine *line, OptionId option)
{
    return line->values[option].items[line->values[option].count - 1];
}

static bool takes(const Command *command, int option)
{
    return (command->options | OPTION_BIT(HELP)) >> option & 1;
}

static void write_usage(FILE *stream)
{
    fputs("Usage: collcost COMMAND [ARGUMENT...] [OPTION...]\n\n"
          "What collective communication costs, how far that is from the best possible, which\n"
          "algorithm to take, and whether the algorithm is right.\n\nCommands:\n",
          stream);
    for (const Command *const *command = command_table; *command; command++)
        fprintf(stream, "  %-8s %s\n", (*command)->name, (*command)->summary);
    fputs("\n'collcost COMMAND --help' tells more about a command; see also man collcost.\n",
          stream);
}

static void write_help(FILE *stream, const Command *command)
{
    fprintf(stream, "Usage: collcost %s%s%s [OPTION...]\n\n%s\n\nOptions:\n", command->name,
            *command->operands ? " " : "", command->operands, command->description);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionInfo *option = &option_table[i];
        if (!takes(command, i))
            continue;
        char letter[] = "    ";
        if (option->letter)
            letter[0] = '-', letter[1] = option->letter, letter[2] = ',';
        int width = fprintf(stream, "  %s--%s%s%s", letter, option->name,
                            option->argument ? "=" : "", option->argument ? option->argument : "");
        fprintf(stream, "%*s%s\n", width < 28 ? 28 - width : 1, "", option->help);
    }
}

static const Command *find_command(Arena *arena, Diag *diag, const char *name)
{
    const char *names[64];
    size_t count = 0;
    for (; command_table[count]; count++) {
        names[count] = command_table[count]->name;
        if (strcmp(name, names[count]) == 0)
            return command_table[count];
    }
    diag_error(diag, NOWHERE, "there is no command '%s'", name);
    diag_suggest(diag, source_argument(arena, "command", name), names, count);
    return NULL;
}

/* getopt's two tables; `letters` begins with ':' so that a missing argument is told apart. */
static void fill_getopt(struct option *longs, char *letters)
{
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

static void report_option(CommandLine *line, const Command *command, int found, const char *word)
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
    if (nearest)
        diag_note(line->diag, NOWHERE, "did you mean '%s'?", nearest);
    else
        diag_note(line->diag, NOWHERE, "behind '--' a word that begins with '-' is an argument");
}

static bool parse_options(CommandLine *line, const Command *command, int count, char **arguments)
{
    struct option longs[OPTION_COUNT + 1];
    char letters[2 * OPTION_COUNT + 2];
    fill_getopt(longs, letters);
    opterr = 0;
    optind = 0;
    for (;;) {
        int at = optind > 0 ? optind : 1;
        int found = getopt_long(count, arguments, letters, longs, NULL);
        if (found == -1)
            break;
        int option = found == '?' || found == ':' ? -1 : option_of(found);
        if (option < 0 || !takes(command, option)) {
            const char *word = option >= 0
                                   ? arena_printf(line->arena, "--%s", option_table[option].name)
                                   : arguments[at < optind ? optind - 1 : at];
            report_option(line, command, found, word);
            return false;
        }
        const char *name = arena_printf(line->arena, "--%s", option_table[option].name);
        *ARRAY_PUSH(line->arena, &line->values[option]) =
            source_argument(line->arena, name, optarg ? optarg : "");
    }
    for (int i = optind; i < count; i++)
        *ARRAY_PUSH(line->arena, &line->operands) =
            source_argument(line->arena, command->name, arguments[i]);
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
        diag_note(line->diag, NOWHERE, "usage: collcost %s %s [OPTION...]", command->name,
                  command->operands);
    return !few && !many;
}

Status command_run(Arena *arena, Diag *diag, FILE *out, int count, char **arguments)
{
    CommandLine line = {.arena = arena, .diag = diag, .out = out};
    if (count == 0) {
        write_usage(stderr);
        return STATUS_BAD_INPUT;
    }
    if (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0 ||
        strcmp(arguments[0], "help") == 0) {
        write_usage(out);
        return STATUS_FINE;
    }
    if (strcmp(arguments[0], "--version") == 0) {
        fprintf(out, "collcost %s\n", PACKAGE_VERSION);
        return STATUS_FINE;
    }
    const Command *command = find_command(arena, diag, arguments[0]);
    if (!command || !parse_options(&line, command, count, arguments))
        return STATUS_BAD_INPUT;
    if (option_given(&line, OPTION_HELP)) {
        write_help(out, command);
        return STATUS_FINE;
    }
    return check_operands(&line, command) ? command->run(&line) : STATUS_BAD_INPUT;
}
