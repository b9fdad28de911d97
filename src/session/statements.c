#include "session/state.h"

#include "cli/command.h"
#include "cli/formula.h"
#include "session/help.h"
#include "session/phrase.h"

#include <ctype.h>
#include <string.h>

/* A text whose memory is that of the session. */
static Text keep(Session *session, Text text)
{
    text.chars = text_string(session->arena, text);
    return text;
}

/* Keeps the new values if lines would run with them. */
static Status settle(Run *run, const Context *before)
{
    /* Would lines run with these values? False after a report. */
    Query query;
    CommandLine line = {.arena = run->arena, .diag = run->diag, .context = &run->session->context};
    memcpy(line.values, line.context->values, sizeof line.values);
    if (query_read(&line, &query)) {
        session_forget(run->session);
        return STATUS_FINE;
    }
    memcpy(run->session->context.values, before->values, sizeof before->values);
    return STATUS_BAD_INPUT;
}

static void put(Session *session, OptionId option, Text value)
{
    TextArray *values = &session->context.values[option];
    *values = (TextArray){0};
    *ARRAY_PUSH(session->arena, values) = keep(session, value);
}

/* A network with sizes has a number of ranks; one that is said later takes these sizes away. */
static void put_option(Session *session, OptionId option, Text value)
{
    TextArray *topology = &session->context.values[OPTION_TOPOLOGY];
    put(session, option, value);
    if (option == OPTION_TOPOLOGY && memchr(value.chars, ':', value.length) != NULL)
        session->context.values[OPTION_RANKS] = (TextArray){0};
    if (option != OPTION_RANKS || topology->count == 0)
        return;
    Text name, sizes;
    if (text_split(topology->items[0], ':', &name, &sizes))
        put(session, OPTION_TOPOLOGY, name);
}

static Status set_option(Run *run, OptionId option, Text value)
{
    Context before = run->session->context;
    put_option(run->session, option, value);
    return settle(run, &before);
}

static Status report_usage(Run *run, StatementId statement)
{
    return BAD_INPUT(run->diag, run->line.span, "usage: %s %s", statement_info[statement].name,
                     statement_info[statement].operands);
}

static Status use(Run *run, StatementId statement, OptionId option)
{
    TextArray words = {0};
    const bool is_read = phrase_words(run->arena, run->operand, &words, run->diag);
    if (is_read && words.count == 1)
        return set_option(run, option, words.items[0]);
    if (is_read)
        report_usage(run, statement);
    /* "topologies are full, ring, ..." */
    ModelKind kind = option == OPTION_MACHINE ? KIND_MACHINE : KIND_TOPOLOGY;
    const Library *library = session_library(run->session);
    const char *list = NULL;
    for (size_t i = 0; library && i < library_entry_count(library); i++) {
        const ModelEntry *entry = library_entry(library, i);
        if (entry->kind == kind)
            list = list ? arena_printf(run->arena, "%s, %s", list, entry->name) : entry->name;
    }
    if (list)
        diag_note(run->diag, NOWHERE, "%s are %s", kind_plurals[kind], list);
    return STATUS_BAD_INPUT;
}

/* "name = value" or "name value"; the value may stand in quotes. False after a report. */
static bool split_setting(Run *run, StatementId statement, Text *name, Text *value)
{
    size_t end = 0;
    Text text = run->operand;
    while (end < text.length && text.chars[end] != '=' && !isspace((unsigned char)text.chars[end]))
        end++;
    *name = text_slice(text, 0, end);
    *value = phrase_trim(text_behind(text, end));
    if (value->length > 0 && value->chars[0] == '=')
        *value = phrase_trim(text_slice(*value, 1, value->length - 1));
    bool is_quoted = value->length > 0 && (value->chars[0] == '\'' || value->chars[0] == '"');
    TextArray words = {0};
    if (is_quoted && !phrase_words(run->arena, *value, &words, run->diag))
        return false;
    if (words.count == 1)
        *value = words.items[0];
    if (name->length == 0)
        report_usage(run, statement);
    return name->length > 0;
}

/* Takes the settings of that name out of what --set has; false where there is none. */
static bool remove_settings(Session *session, Text name)
{
    TextArray *settings = &session->context.values[OPTION_SET], left = {0};
    const size_t before = settings->count;
    for (size_t i = 0; i < before; i++) {
        const Text setting = settings->items[i];
        if (setting.length <= name.length || setting.chars[name.length] != '=' ||
            memcmp(setting.chars, name.chars, name.length) != 0)
            *ARRAY_PUSH(session->arena, &left) = setting;
    }
    *settings = left;
    return left.count < before;
}

static Status set(Run *run)
{
    Text name, value;
    if (!split_setting(run, STATEMENT_SET, &name, &value))
        return STATUS_BAD_INPUT;
    while (name.length > 1 && name.chars[0] == '-') /* as on the command line */
        name = text_behind(name, 1);
    int option = option_find(name);
    if (option < 0 && value.length > 0) {
        /* A setting is kept as --set has it; of two for one name the later one counts. */
        Session *session = run->session;
        Context before = session->context;
        const char *setting =
            arena_printf(session->arena, "%.*s=%.*s", TEXT_ARGS(name), TEXT_ARGS(value));
        remove_settings(session, name);
        *ARRAY_PUSH(session->arena, &session->context.values[OPTION_SET]) =
            (Text){setting, strlen(setting), run->operand.span, false};
        return settle(run, &before);
    }
    if (option >= 0 && context_takes((OptionId)option) &&
        (value.length > 0) != option_is_flag((OptionId)option))
        return set_option(run, (OptionId)option, value);
    if (option >= 0 && !context_takes((OptionId)option))
        diag_error(run->diag, name.span, "--%s applies to single lines only",
                   option_name((OptionId)option));
    else if (value.length > 0)
        diag_error(run->diag, value.span, "--%s takes no value", option_name((OptionId)option));
    else
        diag_error(run->diag, name.span, "a value is missing: set %.*s = VALUE", TEXT_ARGS(name));
    return STATUS_BAD_INPUT;
}

static bool is_new_name(Run *run, Text name)
{
    bool is_word = isalpha((unsigned char)name.chars[0]);
    Text operand;
    for (size_t i = 0; i < name.length; i++)
        is_word &= isalnum((unsigned char)name.chars[i]) || name.chars[i] == '_';
    if (!is_word)
        diag_error(run->diag, name.span, "a name consists of letters, digits and '_'");
    else if (formula_is_taken(name))
        diag_error(run->diag, name.span, "this name is reserved in formulas");
    else if (command_find(run->session->commands, name) || statement_find(name, &operand) >= 0)
        diag_error(run->diag, name.span, "this is the name of a command");
    else
        return true;
    if (option_find(name) >= 0 && is_word)
        diag_note(run->diag, NOWHERE, "in the context it is set with 'set %.*s = ...'",
                  TEXT_ARGS(name));
    return false;
}

static void remove_value(Session *session, Text name)
{
    NamedValueArray *lets = &session->context.lets;
    size_t kept = 0;
    for (size_t i = 0; i < lets->count; i++)
        if (!text_equals(name, lets->items[i].name))
            lets->items[kept++] = lets->items[i];
    lets->count = kept;
}

static Status evaluate(Run *run, Text text, Value *value)
{
    Query query;
    TypedFormula formula;
    CommandLine line = {.arena = run->arena, .diag = run->diag, .context = &run->session->context};
    context_fill(&line, OPTIONS_OF_FORMULAS, 0);
    if (!query_read(&line, &query) || !formula_open(&query, &formula))
        return STATUS_BAD_INPUT;
    Expr *expr = formula_read(&formula, text);
    if (!expr || !formula_evaluate(&formula, expr, value))
        return formula_status(&formula);
    if (!value->name)
        return STATUS_FINE;
    return BAD_INPUT(run->diag, text.span, "the name of an algorithm cannot be a value");
}

static Status let(Run *run)
{
    Text name, text;
    Value value;
    bool has_sign = memchr(run->operand.chars, '=', run->operand.length) != NULL;
    if (!has_sign)
        return report_usage(run, STATEMENT_LET);
    if (!split_setting(run, STATEMENT_LET, &name, &text))
        return STATUS_BAD_INPUT;
    if (text.length == 0)
        return report_usage(run, STATEMENT_LET);
    if (!is_new_name(run, name))
        return STATUS_BAD_INPUT;
    /* A name that has a value already may get another one. */
    const NamedValueArray *lets = &run->session->context.lets;
    bool has_room = lets->count < LIMIT_LETS;
    for (size_t i = 0; i < lets->count && !has_room; i++)
        has_room = text_equals(name, lets->items[i].name);
    if (!has_room)
        return BAD_INPUT(run->diag, name.span,
                         "too many names (at most %d have values): unset some", LIMIT_LETS);
    Status status = evaluate(run, text, &value);
    if (status == STATUS_FINE) {
        remove_value(run->session, name);
        *ARRAY_PUSH(run->session->arena, &run->session->context.lets) =
            (NamedValue){keep(run->session, name).chars, value};
    }
    return status;
}

static Status unset(Run *run)
{
    Context *context = &run->session->context;
    TextArray names = {0};
    Status status = STATUS_FINE;
    if (!phrase_words(run->arena, run->operand, &names, run->diag))
        return STATUS_BAD_INPUT;
    if (names.count == 0)
        return report_usage(run, STATEMENT_UNSET);
    for (size_t i = 0; i < names.count; i++) {
        const Text name = names.items[i];
        const int option = option_find(name);
        const size_t lets = context->lets.count;
        bool found = false;
        if (option >= 0 && context_takes((OptionId)option)) {
            found = context->values[option].count > 0;
            context->values[option] = (TextArray){0};
        }
        found |= remove_settings(run->session, name);
        remove_value(run->session, name);
        if (!found && context->lets.count == lets) {
            diag_error(run->diag, name.span, "this name is not set");
            status = STATUS_BAD_INPUT;
        }
    }
    session_forget(run->session);
    return status;
}

void session_adopt(Session *session, const CommandLine *line)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const TextArray *values = &line->values[i];
        if (values->count == 0 || !context_takes((OptionId)i) || i == OPTION_OUTPUT)
            continue;
        if (i != OPTION_SET)
            put_option(session, (OptionId)i, option_value(line, (OptionId)i));
        for (size_t v = 0; i == OPTION_SET && v < values->count; v++)
            *ARRAY_PUSH(session->arena, &session->context.values[i]) =
                keep(session, values->items[v]);
    }
}

Status statement_run(Run *run, StatementId statement)
{
    switch (statement) {
    case STATEMENT_USE:
        return use(run, statement, OPTION_TOPOLOGY);
    case STATEMENT_MACHINE:
        return use(run, statement, OPTION_MACHINE);
    case STATEMENT_SET:
        return set(run);
    case STATEMENT_UNSET:
        return unset(run);
    case STATEMENT_LET:
        return let(run);
    case STATEMENT_RESET: {
        Session *session = run->session;
        memset(session->context.values, 0, sizeof session->context.values);
        session->context.lets = (NamedValueArray){0};
        session->context.models = (SourceArray){0};
        session_put_library(session, NULL, NULL);
        return STATUS_FINE;
    }
    case STATEMENT_LOAD:
        return definition_load(run);
    case STATEMENT_DEFINE:
        return definition_start(run);
    case STATEMENT_SHOW_CONTEXT:
        describe_context(run->arena, &run->session->context, run->out);
        return STATUS_FINE;
    case STATEMENT_HELP:
        return help_write(run);
    default:
        run->session->is_over = true;
        return STATUS_FINE;
    }
}

/* Beyond this a prompt has no room. */
enum { LONGEST_PROMPT = 48 };

/* A value that would not stand for itself behind `=`. */
static const char *quote_value(Arena *arena, const char *value)
{
    return *value == '\0' || strpbrk(value, "'\"\\#") ? phrase_quote(arena, value) : value;
}

/* The machine first, since levels that are set are the machine's. */
void describe_context(Arena *arena, const Context *context, FILE *stream)
{
    fputs("# The context of a session; as a batch file it restores it.\n", stream);
    for (size_t i = 0; i < context->models.count; i++) {
        if (strncmp(context->models.items[i]->name, "definition ", strlen("definition ")) != 0)
            fprintf(stream, "load %s\n", phrase_quote(arena, context->models.items[i]->name));
        else
            fprintf(stream, "define\n%.*send\n", (int)context->models.items[i]->length,
                    context->models.items[i]->text);
    }
    for (int i = 0; i < OPTION_COUNT; i++)
        for (size_t v = 0; v < context->values[i].count; v++) {
            const OptionId option = (OptionId)i;
            const char *value = context->values[i].items[v].chars;
            const char *equals = option == OPTION_SET ? strchr(value, '=') : NULL;
            if (option == OPTION_TOPOLOGY)
                fprintf(stream, "use %s\n", phrase_quote(arena, value));
            else if (option == OPTION_MACHINE)
                fprintf(stream, "machine %s\n", phrase_quote(arena, value));
            else if (equals)
                fprintf(stream, "set %.*s = %s\n", (int)(equals - value), value,
                        quote_value(arena, equals + 1));
            else if (option_is_flag(option))
                fprintf(stream, "set %s\n", option_name(option));
            else
                fprintf(stream, "set %s = %s\n", option_name(option), quote_value(arena, value));
        }
    for (size_t i = 0; i < context->lets.count; i++)
        fprintf(stream, "let %s = %s\n", context->lets.items[i].name,
                value_exactly(arena, &context->lets.items[i].value));
}

const char *describe_shortly(Arena *arena, const Context *context)
{
    const char *text = "";
    for (int i = 0; i < OPTION_COUNT; i++)
        for (size_t v = 0; v < context->values[i].count; v++) {
            bool is_plain = i == OPTION_TOPOLOGY || i == OPTION_MACHINE || i == OPTION_SET;
            const char *name = is_plain ? "" : option_name((OptionId)i);
            const char *value = context->values[i].items[v].chars;
            const char *more =
                arena_printf(arena, "%s%s%s%s%s", text, *text ? " " : "", name,
                             is_plain || option_is_flag((OptionId)i) ? "" : "=", value);
            if (strlen(more) > LONGEST_PROMPT)
                return arena_printf(arena, "%s%s...", text, *text ? " " : "");
            text = more;
        }
    return text;
}
