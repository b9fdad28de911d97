#include "session/begun_line.h"

#include "cli/command.h"
#include "cli/measures.h"
#include "cli/pictures.h"
#include "exchange/fit_question.h"
#include "exchange/schedule_formats.h"
#include "model/use.h"
#include "session/phrase.h"
#include "session/report.h"

#include <string.h>

/* One question. */
typedef struct {
    Arena *arena;
    Session *session;
    BegunLine line;
    Completion found;
} Completer;

static void offer(Completer *completer, const char *word)
{
    if (strncmp(word, completer->line.word, completer->line.length) == 0)
        *ARRAY_PUSH(completer->arena, &completer->found.words) = word;
}

static void offer_list(Completer *completer, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        offer(completer, words[i]);
}

static void offer_models(Completer *completer, ModelKind kind)
{
    const Library *library = session_library(completer->session);
    for (size_t i = 0; library && i < library_entry_count(library); i++)
        if (library_entry(library, i)->kind == kind)
            offer(completer, library_entry(library, i)->name);
}

/* The algorithms of a collective as PREFIX/NAME; the prefix may be an alias of it. */
static void offer_algorithms(Completer *completer, const char *collective, const char *prefix)
{
    const Library *library = session_library(completer->session);
    size_t length = strlen(collective);
    for (size_t i = 0; library && i < library_entry_count(library); i++) {
        const ModelEntry *entry = library_entry(library, i);
        if (entry->kind == KIND_ALGORITHM && strncmp(entry->name, collective, length) == 0 &&
            entry->name[length] == '/')
            offer(completer, *prefix ? arena_printf(completer->arena, "%s/%s", prefix,
                                                    entry->name + length + 1)
                                     : entry->name + length + 1);
    }
}

static const ModelEntry *find_collective(const Completer *completer, const char *name)
{
    const Library *library = session_library(completer->session);
    return library ? library_find(library, text_plain(name)) : NULL;
}

/* Collectives, problems or both; algorithms are many, and offered from the slash on. */
static void offer_subjects(Completer *completer, bool collectives, bool problems)
{
    const Library *library = session_library(completer->session);
    const char *slash = memchr(completer->line.word, '/', completer->line.length);
    if (slash) {
        const char *prefix = arena_copy(completer->arena, completer->line.word,
                                        (size_t)(slash - completer->line.word));
        const ModelEntry *collective = find_collective(completer, prefix);
        if (collective)
            offer_algorithms(completer, collective->name, prefix);
        return;
    }
    if (collectives)
        offer_models(completer, KIND_COLLECTIVE);
    if (problems)
        offer_models(completer, KIND_PROBLEM);
    if (!library || !collectives || !completer->line.length)
        return;
    /* Other names of models, once a letter is typed: MPI_Bcast, bcast. */
    for (size_t i = 0; i < library_entry_count(library); i++) {
        const ModelEntry *entry = library_entry(library, i);
        size_t count = 0;
        const char *const *also =
            entry->kind == KIND_COLLECTIVE ? library_also(library, entry, &count) : NULL;
        for (size_t a = 0; also && a < count; a++)
            offer(completer, also[a]);
    }
}

static bool is_name(const char *word)
{
    return word[0] >= 'a' && word[0] <= 'z';
}

static void offer_formula(Completer *completer)
{
    static const char *const names[] = {"p", "m", "k", "d", "root"};
    const Context *context = &completer->session->context;
    offer_list(completer, names, COUNT_OF(names));
    for (int i = 0; i < PARAMETER_COUNT; i++)
        offer(completer, parameter_info[i].name);
    for (int i = 0; i < EXPR_KIND_COUNT; i++)
        if (i != EXPR_NUMBER && i != EXPR_VARIABLE && i != EXPR_CALL && operation_info[i].word &&
            is_name(operation_info[i].word))
            offer(completer, operation_info[i].word);
    for (int i = 0; i < MEASURE_COUNT; i++)
        offer(completer, measure_info[i].name);
    for (size_t i = 0; i < context->lets.count; i++)
        offer(completer, context->lets.items[i].name);
    if (context->answer && context->answer->name)
        offer(completer, context->answer->name);
    offer_subjects(completer, true, true);
}

/* The parameters of costs, by letters and by words. */
static void offer_costs(Completer *completer)
{
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        offer(completer, parameter_info[i].name);
        offer(completer, parameter_info[i].key);
    }
}

static void offer_parameters(Completer *completer)
{
    offer_costs(completer);
    static const char *const free[] = {"k", "segment", "radix", "fanout"};
    offer_list(completer, free, COUNT_OF(free));
}

/* The algorithms of the collective that the line is about, without its name. */
static void offer_among(Completer *completer)
{
    const char *subject =
        completer->line.before.count > 1 ? completer->line.before.items[1] : completer->line.word;
    const char *name = arena_copy(completer->arena, subject, strcspn(subject, "/:"));
    const ModelEntry *collective = find_collective(completer, name);
    if (collective)
        offer_algorithms(completer, collective->name, "");
}

/* Those of the network, with the sizes that are given, else those that have names of their own. */
static void offer_dimensions(Completer *completer)
{
    Library *library = session_library(completer->session);
    Diag silent = diag_silent();
    const TextArray *kept = &completer->session->context.values[OPTION_TOPOLOGY];
    const Text said = completer->line.network;
    const Text text = said.length || !kept->count ? said : kept->items[0];
    Text name = text, sizes;
    Shape shape;
    const bool has_sizes = text_split(text, ':', &name, &sizes);
    const Topology *topology =
        library && name.length ? library_try(library, KIND_TOPOLOGY, name) : NULL;
    if (topology && has_sizes && topology_parse_shape(topology, sizes, &shape, &silent))
        offer_list(completer, shape.names, shape.count);
    else if (topology)
        for (int i = 0; i < topology->named_count; i++)
            offer(completer, topology->named[i].name);
}

/* What may follow in an algorithm that is typed; false where none is. */
static bool offer_stage(Completer *completer)
{
    Text collective, grid, stages;
    if (!completer->line.in_quotes ||
        !sequence_split(completer->line.quoted, &collective, &grid, &stages))
        return false;
    const StageWords follow = stage_words(stages);
    offer_list(completer, follow.words, follow.count);
    if (follow.names == NAMES_DIMENSIONS && grid.length) {
        /* "{x: 3, y: p div 3}": x and y */
        Text item, rest = text_behind(grid, 1), name;
        while (text_next(&rest, ',', &item))
            if (text_split(item, ':', &name, &item))
                offer(completer,
                      arena_copy(completer->arena, text_trim(name).chars, text_trim(name).length));
    } else if (follow.names == NAMES_DIMENSIONS)
        offer_dimensions(completer);
    if (follow.names == NAMES_ALGORITHMS) {
        offer_among(completer);
        offer_subjects(completer, true, true);
    }
    return true;
}

static const char *const shown_formats[] = {"text", "latex"};
static const char *const scale_axes[] = {"speedup", "efficiency", "time"};

#define WORDS(...)                                                                                 \
    (const char *const[]){__VA_ARGS__}, COUNT_OF(((const char *const[]){__VA_ARGS__}))
/* Options whose values are words of a list. */
static const struct {
    OptionId option;
    const char *const *words;
    int count;
} choices[] = {{OPTION_SIZES, WORDS("mpi", "nccl")},
               {OPTION_OVER, WORDS("m", "p")},
               {OPTION_PORTS, WORDS("all", "levels")},
               {OPTION_RULES, WORDS("all")},
               {OPTION_LIMIT, WORDS("memory")},
               {OPTION_INPLACE, WORDS("yes", "no")},
               {OPTION_UNIT, WORDS("us", "ms", "s")},
               {OPTION_PIECES, WORDS("auto")},
               {OPTION_HOLDOUT, holdout_names + 1, HOLDOUT_COUNT - 1},
               {OPTION_OBJECTIVE, WORDS("throughput", "latency", "both")},
               {OPTION_FINISH, finish_words, 2},
               {OPTION_TIES, ties_names, TIES_COUNT},
               {OPTION_SWITCHING, switching_letters, SWITCHING_COUNT},
               {OPTION_POSTING, posting_names + 1, POSTING_COUNT - 1},
               {OPTION_CONTENTION, contention_names, CONTENTION_COUNT},
               {OPTION_DUPLEX, duplex_names, DUPLEX_COUNT},
               {OPTION_COMPOSE, compose_names, COMPOSE_COUNT},
               {OPTION_COMBINING, combining_names, COMBINING_COUNT}};

/* Options whose values are names of models. */
static const struct {
    OptionId option;
    ModelKind kind;
} model_options[] = {{OPTION_TOPOLOGY, KIND_TOPOLOGY},     {OPTION_MACHINE, KIND_MACHINE},
                     {OPTION_FOR, KIND_IMPLEMENTATION},    {OPTION_TUNED, KIND_IMPLEMENTATION},
                     {OPTION_COLLECTIVE, KIND_COLLECTIVE}, {OPTION_USING, KIND_ALGORITHM}};

static void offer_values(Completer *completer, OptionId option, const char *command)
{
    for (size_t i = 0; i < COUNT_OF(choices); i++)
        if (choices[i].option == option)
            offer_list(completer, choices[i].words, choices[i].count);
    for (size_t i = 0; i < COUNT_OF(model_options); i++)
        if (model_options[i].option == option)
            offer_models(completer, model_options[i].kind);
    const bool is_batch = strcmp(command, "batch") == 0, is_show = strcmp(command, "show") == 0;
    if (option == OPTION_OUTPUT)
        offer_list(completer,
                   is_batch  ? report_names
                   : is_show ? shown_formats
                             : format_names,
                   is_batch  ? (int)REPORT_COUNT
                   : is_show ? 2
                             : (int)FORMAT_COUNT);
    const bool is_scale = strcmp(command, "scale") == 0;
    if (option == OPTION_AXIS)
        offer_list(completer, is_scale ? scale_axes : cost_axis_names,
                   is_scale ? 3 : (int)AXIS_EFFICIENCY);
    if (option == OPTION_AMONG || option == OPTION_WITHOUT)
        offer_among(completer);
    if (option == OPTION_SET)
        offer_parameters(completer);
    if (option == OPTION_VARY || option == OPTION_FREE)
        offer_costs(completer);
    if (option == OPTION_VARY)
        offer(completer, "fitted");
    if (option == OPTION_FORMAT)
        for (int i = 0; i < SCHEDULE_FORMAT_COUNT; i++)
            offer(completer, schedule_formats[i].name);
    if (option == OPTION_WEIGHTS)
        offer_formula(completer);
    if (option == OPTION_ALONG)
        offer_dimensions(completer);
    if (option == OPTION_WITH) {
        /* --with 'alltoall along device of 1MiB' */
        const StageWords follow = stage_words_of_part(completer->line.quoted);
        offer_list(completer, follow.words, follow.count);
        if (follow.names == NAMES_DIMENSIONS)
            offer_dimensions(completer);
        if (follow.names == NAMES_ALGORITHMS)
            offer_subjects(completer, true, false);
    }
    completer->found.wants_files |= option_names_file(option);
}

/* The option whose value is to be completed, or -1. */
static int open_option(const Completer *completer)
{
    if (completer->line.quoted_for >= 0)
        return completer->line.quoted_for;
    const char *last = completer->line.before.items[completer->line.before.count - 1];
    size_t dashes = strspn(last, "-");
    int option = dashes == 1 || dashes == 2 ? option_find(text_plain(last + dashes)) : -1;
    return option >= 0 && !option_is_flag((OptionId)option) ? option : -1;
}

/* What the usage of the command names. */
static void offer_operands(Completer *completer, const Command *command)
{
    const char *operands = command->operands;
    const bool collectives = strstr(operands, "COLLECTIVE"), problems = strstr(operands, "PROBLEM");
    const bool algorithms = strchr(operands, '/') != NULL;
    if (!strstr(operands, "FORMULA") && !strstr(operands, "EXPRESSION") && offer_stage(completer))
        return;
    if (strstr(operands, "[B") && completer->line.operands > 0)
        offer_among(completer);
    if (strstr(operands, "FORMULA"))
        offer_formula(completer);
    else if ((collectives || problems) &&
             (algorithms || !memchr(completer->line.word, '/', completer->line.length)))
        offer_subjects(completer, collectives, problems || strstr(operands, "KIND"));
    else if (strstr(operands, "ALGORITHM"))
        offer_models(completer, KIND_ALGORITHM);
    for (const char *word = operands; is_name(word);) { /* "rows|columns|checkerboard" */
        const size_t length = strcspn(word, "|");
        offer(completer, arena_copy(completer->arena, word, length));
        word += length + (word[length] == '|');
    }
    if (strstr(operands, "MODEL"))
        for (int kind = 0; kind < KIND_COUNT; kind++)
            offer_models(completer, (ModelKind)kind);
    if (strstr(operands, "KIND"))
        offer_list(completer, kind_plurals, KIND_COUNT);
    if (strstr(operands, "SOURCE"))
        offer_models(completer, KIND_ORIGIN);
    if (strstr(operands, "EXPRESSION"))
        offer_formula(completer);
    completer->found.wants_files |=
        strstr(operands, "FILE") || strstr(operands, "LOG") || strstr(operands, "MODEL...");
}

static void complete_command(Completer *completer, const Command *command)
{
    int option = open_option(completer), least, most;
    command_operands(command, &least, &most);
    /* Are there as many as it takes? Formulas are words with blanks between. */
    const bool has_operands =
        completer->line.operands >= most && most >= 0 && !completer->line.in_quotes &&
        !strstr(command->operands, "EXPRESSION") && !strstr(command->operands, "FORMULA");
    if (option >= 0)
        offer_values(completer, (OptionId)option, command->name);
    else if ((completer->line.word[0] == '-' && completer->line.length > 0) || has_operands) {
        for (int i = 0; i < OPTION_COUNT; i++)
            if ((command->options | OPTIONS_OF_ALL) >> i & 1)
                offer(completer, arena_printf(completer->arena, "--%s", option_name((OptionId)i)));
    } else
        offer_operands(completer, command);
}

static void offer_settable(Completer *completer)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (context_takes((OptionId)i) && i != OPTION_SET)
            offer(completer, option_name((OptionId)i));
    offer_parameters(completer);
}

static void offer_commands(Completer *completer)
{
    const CommandTable *commands = completer->session->commands;
    for (size_t i = 0; i < commands->count; i++)
        offer(completer, commands->items[i]->name);
}

static void offer_beginnings(Completer *completer)
{
    offer_commands(completer);
    for (int i = 0; i < STATEMENT_COUNT; i++)
        if (!strchr(statement_info[i].name, ' '))
            offer(completer, statement_info[i].name);
}

static void offer_topics(Completer *completer)
{
    StringArray topics = {0};
    topics_list(completer->arena, &topics);
    offer_list(completer, topics.items, (int)topics.count);
}

static void complete_statement(Completer *completer, StatementId statement)
{
    const Context *context = &completer->session->context;
    switch (statement) {
    case STATEMENT_USE:
        offer_models(completer, KIND_TOPOLOGY);
        break;
    case STATEMENT_MACHINE:
        offer_models(completer, KIND_MACHINE);
        break;
    case STATEMENT_SET: {
        int option = completer->line.before.count > 1
                         ? option_find(text_plain(completer->line.before.items[1]))
                         : -1;
        if (completer->line.before.count == 1)
            offer_settable(completer);
        else if (option >= 0)
            offer_values(completer, (OptionId)option, "");
    } break;
    case STATEMENT_UNSET:
        offer_settable(completer);
        for (size_t i = 0; i < context->lets.count; i++)
            offer(completer, context->lets.items[i].name);
        break;
    case STATEMENT_LET:
        if (completer->line.before.count > 1)
            offer_formula(completer);
        break;
    case STATEMENT_HELP:
        offer_beginnings(completer);
        offer_topics(completer);
        break;
    case STATEMENT_LOAD:
        completer->found.wants_files = true;
        break;
    default:
        break;
    }
}

/* A shell's line is a command: statements and formulas are for sessions. */
static void complete_in_shell(Completer *completer)
{
    const CommandTable *commands = completer->session->commands;
    if (completer->line.before.count == 0) {
        offer_commands(completer);
        offer(completer, "help");
        offer(completer, "--help");
        offer(completer, "--version");
        return;
    }
    Text first = text_plain(completer->line.before.items[0]);
    const Command *command = command_find(commands, first);
    if (command && completer->line.behind_sign && strstr(command->operands, "EXPRESSION") &&
        open_option(completer) < 0)
        offer_formula(completer);
    else if (command)
        complete_command(completer, command);
    else if (text_equals(first, "help") && completer->line.before.count == 1) {
        offer_commands(completer);
        offer_topics(completer);
    }
}

/* allreduce/ring, torus:4x8, time(...) */
static bool goes_on(const Completer *completer)
{
    const StringArray *words = &completer->found.words;
    if (words->count != 1)
        return false;
    Text word = text_plain(words->items[0]);
    const Library *library = session_library(completer->session);
    const ModelEntry *entry = library ? library_find(library, word) : NULL;
    bool names_more = entry && (entry->kind == KIND_COLLECTIVE || entry->kind == KIND_PROBLEM ||
                                entry->kind == KIND_TOPOLOGY);
    return names_more ||
           (measure_find(word) >= 0 && !command_find(completer->session->commands, word));
}

Completion completion_find(Arena *arena, Session *session, const char *line, size_t length)
{
    Completer completer = {
        .arena = arena, .session = session, .line = begun_line_read(arena, line, length)};
    const BegunLine *begun = &completer.line;
    if (begun->in_shell) {
        complete_in_shell(&completer);
    } else if (begun->before.count == 0) {
        if (!begun->behind_sign)
            offer_beginnings(&completer);
        offer_formula(&completer);
    } else {
        Text operand, first = text_plain(begun->before.items[0]);
        const int statement = statement_find(first, &operand);
        const Command *command = command_find(session->commands, first);
        if (statement >= 0)
            complete_statement(&completer, (StatementId)statement);
        else if (command && !(begun->behind_sign && strstr(command->operands, "EXPRESSION")))
            complete_command(&completer, command);
        else
            offer_formula(&completer);
        if (text_equals(first, "show") && begun->before.count == 1)
            offer(&completer, "context");
    }
    completer.found.goes_on = goes_on(&completer);
    return completer.found;
}
