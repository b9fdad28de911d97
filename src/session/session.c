#include "session/session.h"
#include "cli/files.h"
#include "cli/formula.h"
#include "cli/messages.h"
#include "cli/workers.h"
#include "session/begun_line.h"
#include "session/help.h"
#include "session/phrase.h"
#include "session/state.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The terminal to which answers go. */

/* What is narrower is no terminal to read tables on, or says nothing. */
enum { NARROWEST = 40, WIDEST = 10000 };

static size_t check_width(long width)
{
    return width >= NARROWEST && width <= WIDEST ? (size_t)width : 0;
}

/* Characters of a line: those of $COLUMNS, else those of the terminal; 0 where the stream is no
   terminal, or does not say. */
static size_t terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    if (columns && *columns)
        return check_width(strtol(columns, NULL, 10));
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? check_width(size.ws_col) : 0;
}

static void note_progress(void *listener, const WorkStep *step)
{
    Session *session = listener;
    if (session->progress)
        progress_note(session->progress, step);
}

Session *session_open(const CommandTable *commands, Workspace *workspace, FILE *out, FILE *err)
{
    Arena *arena = arena_create(workspace);
    Session *session = ARENA_NEW(arena, Session);
    workspace->progress = note_progress;
    workspace->listener = session;
    session->commands = commands;
    session->workspace = workspace;
    session->arena = arena;
    session->context.answer = ARENA_NEW(arena, NamedValue);
    session->scratch = arena_create(workspace);
    session->library_mark.session = session->measures_mark.session = session;
    session->out = session->shown = out;
    session->err = err;
    return session;
}

void session_close(Session *session)
{
    session_put_library(session, NULL, NULL);
    arena_destroy(session->scratch);
    arena_destroy(session->arena);
}

/* A command whose words are known. */
static Status run_words(Run *run, const TextArray *words)
{
    Effects effects = {0};
    const char *misfit = NULL;
    /* Is it a terminal that shows letters in bold, and has nobody set $NO_COLOR? */
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    const bool has_styles = !(none && *none) && kind && strcmp(kind, "dumb") != 0 &&
                            isatty(fileno(run->session->shown));
    CommandLine line = {.arena = run->arena,
                        .diag = run->diag,
                        .out = run->out,
                        .stream = run->session->shown,
                        .width = terminal_width(run->session->shown),
                        .has_styles = has_styles,
                        .context = &run->session->context,
                        .effects = &effects,
                        .misfit = &misfit,
                        .finding = &run->finding};
    Status status;
    const Command *command = command_parse(&line, run->session->commands, words, &status);
    if (!command)
        return status;
    if (option_given(&line, OPTION_LIMIT)) {
        /* --limit memory=SIZE: for this line, and for the lines that it runs. */
        const Text text = option_value(&line, OPTION_LIMIT);
        Text name, value;
        double size;
        if (!text_split(text, '=', &name, &value) || !text_equals(name, "memory"))
            return BAD_INPUT(run->diag, text.span, "expected memory=SIZE, such as memory=8GiB");
        if (!quantity_parse(value, DIMENSION_BYTES, &size, run->diag))
            return STATUS_BAD_INPUT;
        if (!(size >= 1 && size <= 0x1p53))
            return BAD_INPUT(run->diag, value.span, "a limit is between 1 byte and 2^53 bytes");
        run->session->workspace->memory_limit = (size_t)size;
    }
    context_fill(&line, command->options, command->spoken);
    status = command->run ? lists_run(command, &line) : command->run_in(run->session, &line);
    if (status == STATUS_FINE || status == STATUS_CHECK_FAILED)
        command_note_idle(&line);
    return status;
}

/* A command with all of `formula` as its one argument. */
static Status run_formula(Run *run, const char *command, Text formula)
{
    TextArray words = {0};
    *ARRAY_PUSH(run->arena, &words) = source_argument(run->arena, "", command);
    *ARRAY_PUSH(run->arena, &words) = source_argument(run->arena, "", "--");
    formula.chars = text_string(run->arena, formula);
    *ARRAY_PUSH(run->arena, &words) = formula;
    return run_words(run, &words);
}

/* Does an option, "-p" or "--ranks", stand among the words? */
static bool has_options(Text text)
{
    bool at_start = true;
    for (size_t i = 0; i + 1 < text.length; i++) {
        unsigned char next = (unsigned char)text.chars[i + 1];
        if (at_start && text.chars[i] == '-' && (isalpha(next) || next == '-'))
            return true;
        at_start = isspace((unsigned char)text.chars[i]);
    }
    return false;
}

static bool is_name(Text text)
{
    bool is = text.length > 0 && isalpha((unsigned char)text.chars[0]);
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.chars[i];
        is &= isalnum(byte) || byte == '-' || byte == '_' || byte == '/' || byte == ':';
    }
    return is;
}

static Status report_unknown(Run *run, Text word)
{
    const CommandTable *commands = run->session->commands;
    const char **names = ARENA_ARRAY(run->arena, const char *, commands->count + STATEMENT_COUNT);
    size_t count = 0;
    for (size_t i = 0; i < commands->count; i++)
        names[count++] = commands->items[i]->name;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        names[count++] = statement_info[i].name;
    diag_error(run->diag, word.span, "'%.*s' is neither a command nor a value", TEXT_ARGS(word));
    const Library *library = session_library(run->session);
    const ModelEntry *entry = library ? library_find(library, word) : NULL;
    if (entry) {
        /* "allreduce" alone is most likely a question about it. */
        const bool costs = entry->kind == KIND_COLLECTIVE || entry->kind == KIND_PROBLEM ||
                           entry->kind == KIND_ALGORITHM;
        diag_note(run->diag, NOWHERE, "%s is a model (%s): did you mean '%s %s'?", entry->name,
                  kind_keys[entry->kind],
                  costs                          ? "cost"
                  : entry->kind == KIND_TOPOLOGY ? "use"
                  : entry->kind == KIND_MACHINE  ? "machine"
                                                 : "show",
                  entry->name);
    } else if (diag_nearest(word.chars, word.length, names, count))
        diag_suggest(run->diag, word, names, count);
    else
        diag_note(run->diag, NOWHERE, "'help' lists the commands");
    return STATUS_BAD_INPUT;
}

/* A formula, or a slip. */
static Status run_other(Run *run, Text first, Text rest)
{
    const Text line = run->line;
    const Context *context = &run->session->context;
    const char *equals = memchr(line.chars, '=', line.length);
    const size_t at = equals ? (size_t)(equals - line.chars) : 0;
    const Text name = phrase_trim(text_slice(line, 0, at));
    bool is_sole = rest.length == 0;
    if (at > 0 && at + 1 < line.length && equals[1] != '=' && is_name(name)) {
        /* "m = 1MiB" says a value, but not whether of an option or of a name. */
        bool is_option = (name.length > 1 && option_find(name) >= 0) || formula_is_taken(name);
        for (int i = 0; i < PARAMETER_COUNT; i++)
            is_option |= text_equals(name, parameter_info[i].key);
        diag_error(run->diag, line.span, "use 'set' or 'let' to give a value");
        diag_note(run->diag, NOWHERE, "did you mean '%s %.*s'?", is_option ? "set" : "let",
                  TEXT_ARGS(line));
        return STATUS_BAD_INPUT;
    }
    if (is_sole && measure_find(first) >= 0) {
        const MeasureInfo *info = &measure_info[measure_find(first)];
        return BAD_INPUT(run->diag, first.span, "usage: %s(%s)", info->name, info->arguments);
    }
    bool has_value = formula_is_taken(first);
    for (size_t i = 0; i < context->lets.count && !has_value; i++)
        has_value = text_equals(first, context->lets.items[i].name);
    if (formula_parses(run->arena, line)
            ? is_sole && is_name(first) && !memchr(first.chars, '/', first.length) && !has_value
            : is_name(first) && (is_sole || isalpha((unsigned char)rest.chars[0]) ||
                                 strchr("'\"-", rest.chars[0])))
        return report_unknown(run, first);
    return run_formula(run, "eval", line);
}

static Status run_line(Run *run)
{
    Text rest, first = phrase_first(run->line, &rest);
    int statement = statement_find(run->line, &run->operand);
    TextArray words = {0};
    if (statement >= 0)
        return statement_run(run, (StatementId)statement);
    if (text_equals(first, "collcost") && rest.length > 0) {
        run->line = rest;
        return run_line(run);
    }
    /* A formula need not stand in quotes where nothing follows it. */
    if ((text_equals(first, "eval") || text_equals(first, "expect")) && rest.length > 0 &&
        rest.chars[0] != '\'' && rest.chars[0] != '"' && !has_options(rest))
        return run_formula(run, first.chars[2] == 'a' ? "eval" : "expect", rest);
    if (!command_find(run->session->commands, first) && !text_equals(first, "--help") &&
        !text_equals(first, "--version"))
        return run_other(run, first, rest);
    if (!phrase_words(run->arena, run->line, &words, run->diag))
        return STATUS_BAD_INPUT;
    return run_words(run, &words);
}

static void work_on_line(void *context)
{
    Run *run = context;
    Session *session = run->session;
    if (session->is_defining)
        run->status = definition_continue(run);
    else if (run->line.length > 0)
        run->status = run_line(run);
}

/* A line that has ended half-way may leave models half read. */
static Outcome finish_torn(Session *session, Ending ending, Diag *diag)
{
    session_put_library(session, NULL, NULL);
    if (ending == ENDING_CANCELLED) {
        fputs("interrupted\n", session->err);
        return (Outcome){.status = STATUS_CHECK_FAILED, .interrupted = true};
    }
    if (ending == ENDING_TOO_LARGE) {
        const char *why = workspace_refusal(session->workspace);
        const double limit = (double)workspace_limit(session->workspace);
        if (why) {
            diag_error(diag, NOWHERE, "%s (more than %d)", why, LIMIT_ROWS);
        } else {
            diag_error(diag, NOWHERE, "this takes more than %s of memory",
                       quantity_show_bytes(session->scratch, limit));
            diag_note(diag, NOWHERE, "--limit memory=SIZE allows another amount");
        }
        return (Outcome){.status = STATUS_BAD_INPUT};
    }
    messages_write_exhausted(session->err, workspace_wanted(session->workspace));
    return (Outcome){.status = STATUS_SYSTEM};
}

static void show_diagnostic(void *user, const Diagnostic *diagnostic)
{
    const Session *session = user;
    if (session->progress)
        progress_erase(session->progress);
    messages_write(session->err, diagnostic);
}

/* Under a progress of its own. What the line may have changed for others that it runs is put back.
 */
static Ending run_watched(Session *session, Run *run, void (*work)(void *run))
{
    Progress progress = progress_start(), *outer = session->progress;
    FILE *out = session->out, *err = session->err, *shown = session->shown;
    int depth = session->depth;
    session->progress = &progress;
    Ending ending = workspace_run(session->workspace, work, run);
    progress_erase(&progress);
    session->progress = outer;
    session->out = out, session->err = err, session->shown = shown;
    session->depth = depth;
    return ending;
}

/* What a line prints is kept back until it is complete, so that an error leaves no half behind. */
static Outcome execute(Session *session, Run *run, void (*work)(void *run))
{
    Kept answer;
    Diag diag = diag_create(show_diagnostic, session);
    diag.foreign = messages_foreign;
    ArenaMark mark = arena_mark(session->scratch);
    const size_t limit = session->workspace->memory_limit;
    diag.line = run->line.span;
    run->session = session;
    run->arena = session->scratch;
    run->diag = &diag;
    if (!kept_open(&answer, session->workspace))
        return finish_torn(session, ENDING_NO_MEMORY, &diag);
    run->out = answer.stream;
    Ending ending = run_watched(session, run, work);
    if (!kept_close(&answer) && ending == ENDING_DONE)
        ending = ENDING_NO_MEMORY;
    Outcome outcome = {.status = run->status};
    if (ending != ENDING_DONE) {
        outcome = finish_torn(session, ending, &diag);
    } else {
        /* A model that can be read, but does not work where it is tried, is no bad input: a check
           has failed, whichever command came upon it. */
        if (run->status == STATUS_BAD_INPUT && diag_has_faults_only(&diag))
            outcome.status = STATUS_CHECK_FAILED;
        if (run->status == STATUS_FINE || run->status == STATUS_CHECK_FAILED)
            fwrite(answer.text, 1, answer.length, session->out);
        if (run->finding)
            outcome.finding = arena_printf(session->arena, "%s", run->finding);
    }
    kept_free(&answer);
    arena_release(session->scratch, mark);
    session->workspace->memory_limit = limit;
    return outcome;
}

Outcome session_run(Session *session, Text line, Text raw)
{
    Run run = {.line = line, .raw = raw};
    session->context.has_lines = true;
    if (line.length > 0)
        session_library(session);
    session_open_measures(session);
    return execute(session, &run, work_on_line);
}

/* "help cost" is "cost --help"; other topics are those of the prompt. */
static Status run_help(Run *run)
{
    const char *joined = "";
    for (size_t i = 1; i < run->words.count; i++)
        joined =
            arena_printf(run->arena, "%s%s%s", joined, i > 1 ? " " : "", run->words.items[i].chars);
    const Text topic = source_argument(run->arena, "help", joined);
    TextArray words = {0};
    run->operand = topic;
    if (topic.length > 0 && !command_find(run->session->commands, topic))
        return help_write(run);
    *ARRAY_PUSH(run->arena, &words) = topic;
    *ARRAY_PUSH(run->arena, &words) = text_plain("--help");
    if (topic.length > 0)
        return run_words(run, &words);
    Status status = run_words(run, &run->words);
    help_list_topics(run);
    return status;
}

static void run_arguments(void *context)
{
    Run *run = context;
    bool is_help = run->words.count > 0 && text_equals(run->words.items[0], "help");
    run->status = is_help ? run_help(run) : run_words(run, &run->words);
}

Outcome session_run_arguments(Session *session, int count, char **arguments)
{
    Run run = {.status = STATUS_FINE};
    if (count == 2 && strcmp(arguments[0], "--complete") == 0) {
        /* For shells: the words that can end a line, one on a line; "*": the name of a file. */
        Completion found =
            completion_find(session->arena, session, arguments[1], strlen(arguments[1]));
        if (found.wants_files && found.words.count == 0)
            fputs("*\n", session->out);
        for (size_t i = 0; i < found.words.count; i++)
            fprintf(session->out, "%s\n", found.words.items[i]);
        return (Outcome){.status = STATUS_FINE};
    }
    for (int i = 0; i < count; i++)
        *ARRAY_PUSH(session->arena, &run.words) = text_plain(arguments[i]);
    return execute(session, &run, run_arguments);
}

Outcome session_finish(Session *session, const Source *source)
{
    Diag diag = diag_create(show_diagnostic, session);
    diag.foreign = messages_foreign;
    if (!session->is_defining)
        return (Outcome){.status = STATUS_FINE};
    session->is_defining = false;
    diag_error(&diag, source ? (Span){source, source->length, 0} : NOWHERE,
               "the definition has no end: a blank line, or 'end'");
    return (Outcome){.status = STATUS_BAD_INPUT};
}
