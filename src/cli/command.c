#include "cli/command.h"
#include "cli/messages.h"
#include "format/text_table.h"
#include "study/study.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

typedef enum {
#define OPTION_GROUP(id, title) GROUP_##id,
#define OPTION(...)
#include "cli/options.def"
#undef OPTION
#undef OPTION_GROUP
    GROUP_COUNT
} Group;

static const char *const group_titles[GROUP_COUNT] = {
#define OPTION_GROUP(id, title) title,
#define OPTION(...)
#include "cli/options.def"
#undef OPTION
#undef OPTION_GROUP
};

typedef struct {
    Group group;
    enum { USUAL, RARE } rank; /* rare ones stand behind --help=all */
    char letter;
    const char *name, *argument, *help;
} OptionInfo;

static const OptionInfo option_table[OPTION_COUNT] = {
#define OPTION(id, group, rank, letter, name, argument, help)                                      \
    {GROUP_##group, rank, letter, name, argument, help},
#include "cli/options.def"
#undef OPTION
};

enum { OPERAND = 1, FIRST_LONG = 256 }; /* what getopt_long returns, beside letters */

bool strings_hold(const StringArray *strings, const char *text)
{
    return text_among(text_plain(text), strings->items, strings->count) < strings->count;
}

bool option_given(const CommandLine *line, OptionId option)
{
    return line->values[option].count > 0;
}

Text option_value(const CommandLine *line, OptionId option)
{
    return line->values[option].items[line->values[option].count - 1];
}

bool option_integer(const CommandLine *line, OptionId option, int64_t least, int64_t most,
                    int64_t *value)
{
    return !option_given(line, option) ||
           quantity_parse_integer(option_value(line, option), least, most, value, line->diag);
}

bool option_share(const CommandLine *line, OptionId option, double *share)
{
    return !option_given(line, option) ||
           quantity_parse_share(option_value(line, option), share, line->diag);
}

bool topology_has_sizes(const CommandLine *line)
{
    return option_given(line, OPTION_TOPOLOGY) &&
           text_holds(option_value(line, OPTION_TOPOLOGY), ":");
}

bool option_is_spoken(const CommandLine *line, OptionId option)
{
    return option_given(line, option) && !(line->assumed >> option & 1);
}

OptionId option_among(const CommandLine *line, OptionSet options)
{
    int option = 0;
    while (option < OPTION_COUNT && !(options >> option & 1 && line->values[option].count))
        option++;
    return (OptionId)option;
}

bool options_are_absent(const CommandLine *line, OptionSet options, const char *words)
{
    const OptionId found = option_among(line, options & ~line->assumed);
    return found == OPTION_COUNT ||
           diag_error(line->diag, NOWHERE, "--%s %s", option_name(found), words);
}

const char *option_name(OptionId option)
{
    return option_table[option].name;
}

static bool takes_all(const OptionInfo *option)
{
    return option->argument && strcmp(option->argument, "[=all]") == 0;
}

bool option_is_flag(OptionId option)
{
    return option_table[option].argument == NULL || takes_all(&option_table[option]);
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

void commands_write(FILE *stream, const CommandTable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->titles[i])
            fprintf(stream, "%s%s:\n", i ? "\n" : "", table->titles[i]);
        fprintf(stream, "  %-11s %s\n", table->items[i]->name, table->items[i]->summary);
    }
}

static void write_usage(FILE *stream, const CommandTable *table)
{
    fputs("Usage: collcost COMMAND [ARGUMENT...] [OPTION...]\n\n"
          "What collective communication costs, how far that is from the best possible, which\n"
          "algorithm to take, and whether the algorithm is right.\n\n",
          stream);
    commands_write(stream, table);
    fputs("\n'collcost COMMAND --help' describes a command; 'collcost help' lists other topics. "
          "See also\nman collcost.\n",
          stream);
}

enum { HELP_WIDTH = 96 };

/* "  -t, --topology=NAME[:SIZES]" */
static const char *title_of(Arena *arena, const OptionInfo *option)
{
    const char letter[] = {'-', option->letter, ',', ' ', 0};
    const char *argument = option->argument ? option->argument : "";
    return arena_printf(arena, "  %s--%s%s%s", option->letter ? letter : "    ", option->name,
                        option->argument && !takes_all(option) ? "=" : "", argument);
}

void option_write(Arena *arena, FILE *stream, OptionId id)
{
    const TitledLine line = {title_of(arena, &option_table[id]), option_table[id].help};
    titled_write(stream, &line, 1, 0);
}

/* The options of a command, rare ones only where `all` are asked for; returns how many are left
   out. */
static int write_options(const CommandLine *line, const Command *command, bool all, size_t width)
{
    TitledLine lines[OPTION_COUNT];
    size_t first[GROUP_COUNT + 1] = {0}, count = 0;
    int left_out = 0;
    for (int group = 0; group < GROUP_COUNT; group++) {
        for (int i = 0; i < OPTION_COUNT; i++) {
            const OptionInfo *option = &option_table[i];
            const bool own = i == OPTION_OUTPUT && command->formats;
            if ((int)option->group != group || !takes(command, i))
                continue;
            if (option->rank == RARE && !all)
                left_out++;
            else
                lines[count] = (TitledLine){title_of(line->arena, option),
                                            own ? command->formats : option->help},
                count++;
        }
        first[group + 1] = count;
    }
    TitledLine *shown = ARENA_COPY(line->arena, TitledLine, lines, count);
    size_t widest = 0;
    for (size_t i = 0; i < count; i++)
        widest = strlen(lines[i].title) > widest ? strlen(lines[i].title) : widest;
    for (size_t i = 0; i < count; i++)
        shown[i].title = arena_printf(line->arena, "%-*s", (int)widest, lines[i].title);
    for (int group = 0; group < GROUP_COUNT; group++)
        if (first[group + 1] > first[group]) {
            fprintf(line->out, "\n%s:\n", group_titles[group]);
            titled_write(line->out, shown + first[group], first[group + 1] - first[group], width);
        }
    return left_out;
}

enum { FEW_RARE = 5 }; /* that are not worth a second page */

static void write_help(const CommandLine *line, const Command *command, bool all)
{
    const size_t width = line->width ? line->width : HELP_WIDTH;
    fprintf(line->out, "Usage: collcost %s%s%s [OPTION...]\n\n", command->name,
            *command->operands ? " " : "", command->operands);
    text_line_write(line->out, command->description, width, false);
    int rare = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        rare += takes(command, i) && option_table[i].rank == RARE;
    const int left_out = write_options(line, command, all || rare <= FEW_RARE, width);
    if (left_out)
        fprintf(line->out, "\n'collcost %s --help=all' lists %d more options.\n", command->name,
                left_out);
    fputs("\nExamples:\n", line->out);
    for (const char *at = command->examples, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        fprintf(line->out, "  $ %.*s\n", (int)(end - at), at);
    }
}

const Command *command_find(const CommandTable *table, Text name)
{
    for (size_t i = 0; i < table->count; i++)
        if (text_equals(name, table->items[i]->name))
            return table->items[i];
    return NULL;
}

/* "np" of "--np=8" */
static Text bare_word(const char *word)
{
    word += strspn(word, "-");
    return (Text){.chars = word, .length = strcspn(word, "=")};
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
        if (text_equals(name, "-v"))
            diag_note(line->diag, NOWHERE, "the version: collcost --version");
        diag_suggest(line->diag, name, alone, COUNT_OF(alone));
        return NULL;
    }
    diag_error(line->diag, name.span, "unknown command '%s'", name.chars);
    const ModelEntry *model = library_find(library_open(line->arena), name);
    const bool is_costed = model && (model->kind == KIND_COLLECTIVE ||
                                     model->kind == KIND_PROBLEM || model->kind == KIND_ALGORITHM);
    if (model && command_find(table, text_plain("cost")))
        diag_note(line->diag, NOWHERE, "%s is a %s; did you mean 'collcost %s %s'?", model->name,
                  kind_keys[model->kind], is_costed ? "cost" : "show", model->name);
    else if (!diag_note_foreign(line->diag, FOREIGN_OPTION, bare_word(name.chars)))
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
        const bool is_flag = option_is_flag((OptionId)i);
        longs[i] = (struct option){option->name,
                                   takes_all(option) ? optional_argument
                                   : is_flag         ? no_argument
                                                     : required_argument,
                                   NULL, FIRST_LONG + i};
        if (!option->letter)
            continue;
        *letters++ = option->letter;
        if (!is_flag)
            *letters++ = ':';
    }
    longs[OPTION_COUNT] = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
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
    const int known = option_find(bare_word(word));
    const bool is_own = option >= 0 && option != OPTION_ORDER && bare_word(word).length == 1;
    if (option < 0 && known >= 0 && bare_word(word).length > 1 && takes(command, known))
        diag_note(line->diag, NOWHERE, "did you mean '--%s'?", option_table[known].name);
    else if (!is_own && diag_note_foreign(line->diag, FOREIGN_OPTION, bare_word(word)))
        return;
    else if (option == OPTION_ORDER)
        diag_note(line->diag, NOWHERE,
                  "-n is the order of the matrices of a problem: of cost, scale, partition, switch "
                  "and trace");
    else if (option >= 0) /* spelled as it is meant */
        diag_note(line->diag, NOWHERE, "'collcost %s --help' lists its options", command->name);
    else if (nearest)
        diag_note(line->diag, NOWHERE, "did you mean '%s'?", nearest);
    else if (strspn(word + 1, "0123456789."))
        diag_note(line->diag, NOWHERE, "an expression that begins with '-' comes after '--'");
    else
        diag_note(line->diag, NOWHERE, "'collcost %s --help=all' lists its options", command->name);
}

/* A piece of a word, as getopt found it: `chars` may point into it. A word of the program's
   arguments becomes a source that is called `name`. */
static Text find_piece(const CommandLine *line, Text word, const char *name, const char *chars)
{
    if (word.span.source && chars >= word.chars && chars <= word.chars + word.length)
        return text_behind(word, (size_t)(chars - word.chars));
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
    for (size_t i = 1; i < words->count && !text_equals(words->items[i], "--"); i++) {
        /* "-np 8" is the option -n with the value "p" to getopt, "-size" is -s with "ize". */
        const char *word = words->items[i].chars;
        const Text bare = bare_word(word);
        if (word[0] == '-' && word[1] != '-' && bare.length > 1 &&
            (option_find(bare) >= 0 || messages_foreign(FOREIGN_OPTION, bare))) {
            report_option(line, command, '?', -1, word);
            return false;
        }
    }
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
        const char letter = (char)found; /* '?' and ':' are those of no option */
        int option = found >= FIRST_LONG ? found - FIRST_LONG
                                         : option_find((Text){.chars = &letter, .length = 1});
        if (option < 0 || !takes(command, option)) {
            const char *word = option < 0 ? arguments[at < optind ? optind - 1 : at]
                               : found < FIRST_LONG
                                   ? arena_printf(line->arena, "-%c", found)
                                   : arena_printf(line->arena, "--%s", option_table[option].name);
            report_option(line, command, found, option, word);
            return false;
        }
        const char *name = arena_printf(line->arena, "--%s", option_table[option].name);
        if (found < FIRST_LONG && optarg && *optarg == '=') /* "-p=8" */
            optarg++;
        *ARRAY_PUSH(line->arena, &line->values[option]) =
            find_piece(line, words->items[optind - 1], name, optarg ? optarg : "");
    }
    for (int i = optind; i < count; i++) /* behind "--" */
        add_operand(line, command, words->items[i]);
    return true;
}

/* The option by which a word is given that is no operand, in a sentence; NULL: none. */
static const char *option_for(const CommandLine *line, const Command *command,
                              const Library *library, Text word)
{
    Text name, rest;
    double bytes;
    const size_t digits = strspn(word.chars, "0123456789");
    const ModelEntry *model =
        library_find(library, text_split(word, ':', &name, &rest) ? name : word);
    if (takes(command, OPTION_SET) && text_split(word, '=', &name, &rest))
        return "a parameter is given with --set";
    if (takes(command, OPTION_RANKS) && digits && digits == word.length)
        return "the number of ranks is given with -p";
    if (takes(command, OPTION_SIZE) && digits && word.chars[word.length - 1] == 'B')
        return "the size is given with -m";
    if (takes(command, OPTION_SIZE) &&
        quantity_is(text_plain(arena_printf(line->arena, "1%s", word.chars)), DIMENSION_BYTES,
                    &bytes))
        return "a size is written without a blank before";
    if (takes(command, OPTION_TOPOLOGY) && model && model->kind == KIND_TOPOLOGY)
        return "the network is given with -t";
    if (takes(command, OPTION_MACHINE) && model && model->kind == KIND_MACHINE)
        return "the machine is given with --machine";
    return NULL;
}

/* What may have been meant by an argument too many, beside one that may be a collective. */
static bool note_operand(const CommandLine *line, const Command *command, Text word, Text owner)
{
    Text piece = word, rest;
    const Library *library = library_open(line->arena);
    const bool is_list = text_split(word, ',', &piece, &rest) && takes(command, OPTION_AMONG);
    const char *name = arena_printf(line->arena, "%.*s/%.*s", TEXT_ARGS(owner), TEXT_ARGS(piece));
    const bool is_algorithm = library_find(library, text_plain(name));
    const bool is_formula = strstr(command->operands, "EXPR") || strstr(command->operands, "FORM");
    const char *option = option_for(line, command, library, word);
    if (text_equals(word, "help"))
        diag_note(line->diag, NOWHERE, "'collcost %s --help' describes it", command->name);
    else if (is_formula && word.chars[0] != '-')
        diag_note(line->diag, NOWHERE, "a formula with blanks needs quotes");
    else if (is_algorithm && is_list)
        diag_note(line->diag, NOWHERE, "some algorithms alone: --among %s", word.chars);
    else if (is_algorithm)
        diag_note(line->diag, NOWHERE, "did you mean '%s'?", name);
    else if (option)
        diag_note(line->diag, NOWHERE, "%s %s", option, word.chars);
    return is_algorithm || is_formula || option;
}

void command_operands(const Command *command, int *least, int *most)
{
    const char *rest = command->operands;
    *least = *most = 0;
    for (;;) {
        while (*rest == ' ') /* those behind "|" stand in place of the one before */
            rest += rest[1] == '|' ? 3 + strcspn(rest + 3, " ") : 1;
        if (!*rest)
            break;
        const Text operand = {.chars = rest, .length = strcspn(rest, " ")};
        const bool is_list = text_ends(operand, "...") || text_ends(operand, "...]");
        *least += *rest != '[';
        *most = is_list || *most < 0 ? -1 : *most + 1;
        rest += operand.length;
    }
}

static bool check_operands(const CommandLine *line, const Command *command)
{
    int count = (int)line->operands.count, least, most;
    command_operands(command, &least, &most);
    bool few = count < least;
    bool many = most >= 0 && count > most;
    if (few)
        diag_error(line->diag, NOWHERE, "'%s' needs %s", command->name, command->operands);
    if (many) {
        const Text word = line->operands.items[most];
        diag_error(line->diag, word.span, "'%s' takes no more arguments", command->name);
        const Text *given = line->operands.items;
        if (most && !note_operand(line, command, given[1], given[0]))
            note_operand(line, command, given[0], given[1]); /* in another order */
    }
    if (few || many)
        diag_note(line->diag, NOWHERE, "usage: collcost %s%s%s [OPTION...]", command->name,
                  *command->operands ? " " : "", command->operands);
    return !few && !many;
}

const Command *command_parse(CommandLine *line, const CommandTable *table, const TextArray *words,
                             Status *status)
{
    *status = STATUS_BAD_INPUT;
    if (words->count == 0) {
        write_usage(stderr, table);
        return NULL;
    }
    /* "--help", "--version", "help": what is asked of the program, not of a command. */
    const Text word = words->items[0];
    const bool asks_version =
        text_equals(word, "--version") || text_equals(word, "-V") || text_equals(word, "version");
    if (asks_version)
        fprintf(line->out,
                "collcost %s\n"
                "License GPL-3.0-or-later <https://gnu.org/licenses/gpl.html>\n"
                "There is no warranty, to the extent permitted by law.\n",
                PACKAGE_VERSION);
    const bool asks_help =
        text_equals(word, "--help") || text_equals(word, "-h") || text_equals(word, "help");
    if (asks_help)
        write_usage(line->out, table);
    if (asks_version || asks_help) {
        *status = STATUS_FINE;
        return NULL;
    }
    const Command *command = line->command = need_command(line, table, word);
    if (!command || !parse_options(line, command, words))
        return NULL;
    if (option_given(line, OPTION_HELP)) {
        const Text which = option_value(line, OPTION_HELP);
        if (which.length && !text_equals(which, "all"))
            return DIAG_NULL(line->diag, which.span, "--help takes 'all', or nothing");
        write_help(line, command, which.length > 0);
        *status = STATUS_FINE;
        return NULL;
    }
    return check_operands(line, command) ? command : NULL;
}

/* "k" of "k=4", *rest what it is set to; else the name of the option. */
static Text name_of_value(OptionId option, Text value, Text *rest)
{
    Text name = text_plain(option_name(option));
    *rest = value;
    if (option == OPTION_SET)
        text_split(value, '=', &name, rest);
    return name;
}

void command_note_idle(const CommandLine *line)
{
    static const OptionSet listing = OPTIONS(WITH, READ, MEASURED, MAP, ALGORITHM, VARY, MODELS);
    for (int option = 0; option < OPTION_COUNT; option++) {
        const TextArray *values = &line->values[option];
        bool goes_on = option_is_spoken(line, (OptionId)option);
        for (size_t v = 0; v < values->count && goes_on; v++) {
            Text value;
            const Text name = name_of_value((OptionId)option, values->items[v], &value);
            const bool is_idle = effects_lack(line->effects, name);
            /* Of values of the same name the last counts, but for options each of whose values
               does. */
            bool is_replaced = false;
            for (size_t i = v + 1; i < values->count && !(listing >> option & 1); i++) {
                Text other;
                const Text its = name_of_value((OptionId)option, values->items[i], &other);
                if (!text_same(name, its) || setting_multiplies(other))
                    continue;
                is_replaced = !text_same(values->items[v], values->items[i]);
                break;
            }
            if (!is_idle && (line->command->compares || !is_replaced))
                continue;
            diag_warning(line->diag, values->items[v].span, "%s%.*s has no effect%s",
                         option == OPTION_SET ? "" : "--", TEXT_ARGS(name),
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
    text_line_write(line->out, text, line->width, true);
}

Table *line_table(const CommandLine *line, Format format, TableId id)
{
    Table *table = table_open(line->arena, line->out, format, id);
    table_fit(table, line->width, option_given(line, OPTION_BRIEF));
    return table;
}
