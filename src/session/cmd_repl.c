#include "session/editor.h"
#include "session/phrase.h"
#include "session/session.h"
#include "session/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The prompt: lines are read, run and answered until the input ends. */

typedef struct {
    Session *session;
    bool is_terminal, has_editor;
    Arena *scratch; /* of one line */
    Status worst;
} Repl;

/* Set by Ctrl-C, and whose work it ends. A handler has no other way to what runs. */
static volatile sig_atomic_t is_interrupted;
static Workspace *interruptible;

static void note_interrupt(int signal)
{
    (void)signal;
    is_interrupted = 1;
    workspace_cancel(interruptible);
}

/* A line without the editor, with a prompt on a terminal. */
static char *read_plain(const Repl *repl, const char *prompt)
{
    char *line = NULL;
    size_t room = 0;
    if (repl->is_terminal) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    ssize_t length = getline(&line, &room, stdin);
    if (length < 0) {
        free(line);
        if (errno == EINTR)
            clearerr(stdin);
        return NULL;
    }
    for (ssize_t i = 0; i < length; i++) /* what stands behind a NUL is not lost */
        line[i] = line[i] == '\0' ? '\x01' : line[i];
    if (line[length - 1] == '\n')
        line[length - 1] = '\0';
    return line;
}

/* A line with those that it goes on with; NULL at the end, or when interrupted. In the session's
   memory, since the context may keep pieces of it. */
static const char *read_line(Repl *repl)
{
    Arena *arena = repl->session->arena;
    const char *whole = NULL;
    const char *shortly = describe_shortly(repl->scratch, &repl->session->context);
    const char *first = arena_printf(repl->scratch, "%s> ", *shortly ? shortly : "collcost");
    for (;;) {
        const char *prompt = whole || repl->session->is_defining ? "... " : first;
        char *line = repl->has_editor ? editor_read(prompt) : read_plain(repl, prompt);
        if (!line)
            return NULL;
        whole = whole ? arena_printf(arena, "%s\n%s", whole, line)
                      : arena_copy(arena, line, strlen(line));
        free(line);
        if (repl->session->is_defining || !phrase_is_open(whole, strlen(whole)))
            return whole;
    }
}

/* False at the end of the input, and where lines of a file would run in a context that a line has
   not set because the system failed. */
static bool read_and_run(Repl *repl)
{
    ArenaMark mark = arena_mark(repl->scratch);
    is_interrupted = 0;
    const char *text = read_line(repl);
    workspace_forget(repl->session->workspace);
    if (text) {
        if (repl->has_editor && text[strspn(text, " \t")] != '\0') {
            char *joined = arena_copy(repl->scratch, text, strlen(text));
            for (char *newline = joined; (newline = strchr(newline, '\n'));)
                newline[-1] = newline[0] = ' ';
            editor_remember(joined);
        }
        /* What a typed line says stands right above, so messages have no name of a source. */
        Text raw = source_argument(repl->session->arena, "", text), line, part;
        size_t offset = 0;
        if (raw.length == 0 || !phrase_next(repl->scratch, raw.span.source, &offset, &line, &part))
            line = part = raw;
        Outcome outcome = session_run(repl->session, line, raw);
        if (outcome.status > repl->worst)
            repl->worst = outcome.status;
        fflush(repl->session->out);
    } else if (is_interrupted) {
        repl->session->is_defining = false;
        if (!repl->has_editor && repl->is_terminal)
            fputc('\n', stdout);
    }
    arena_release(repl->scratch, mark);
    bool may_go_on = repl->is_terminal || repl->worst != STATUS_SYSTEM;
    return (text || is_interrupted) && may_go_on && !repl->session->is_over;
}

/* On a terminal with prompt, history and completion, where Ctrl-C ends the line or what runs. From
   a pipe or a file, lines as they come, each answered before the next is read. */
static Status run_repl(void *context, const CommandLine *line)
{
    Session *session = context;
    const bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (session->is_interactive || session->depth > 0)
        return BAD_INPUT(line->diag, NOWHERE, "a session runs already");
    session_adopt(session, line);
    session->is_interactive = true;
    Repl repl = {
        .session = session, .is_terminal = is_terminal, .scratch = arena_scratch(session->arena)};
    struct sigaction before;
    /* $XDG_STATE_HOME/collcost/history, with its folders; NULL where there is no home. */
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *history =
        state && *state == '/' ? arena_printf(session->arena, "%s/collcost/history", state)
        : home && *home ? arena_printf(session->arena, "%s/.local/state/collcost/history", home)
                        : NULL;
    for (char *slash = history; slash && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(history, S_IRWXU);
        *slash = '/';
    }
    EditorSettings settings = {session, history, &is_interrupted};
    interruptible = session->workspace;
    session->context.reads_input = true;
    if (is_terminal) {
        /* Without SA_RESTART, so that reading a line ends too. */
        struct sigaction action = {.sa_handler = note_interrupt};
        sigemptyset(&action.sa_mask);
        sigaction(SIGINT, &action, &before);
    }
    repl.has_editor = is_terminal && editor_open(&settings);
    if (repl.is_terminal)
        fprintf(stdout,
                "collcost %s. A command, a formula, or 'help'; Tab completes, Ctrl-D leaves.\n",
                PACKAGE_VERSION);
    while (read_and_run(&repl))
        continue;
    if (is_terminal && !session->is_over)
        fputc('\n', stdout);
    session_finish(session, NULL);
    if (repl.has_editor)
        editor_close();
    if (is_terminal)
        sigaction(SIGINT, &before, NULL);
    arena_destroy(repl.scratch);
    return is_terminal ? STATUS_FINE : repl.worst;
}

const Command command_repl = {
    .name = "repl",
    .operands = "",
    .summary = "a prompt for commands and formulas, with a context that stays",
    .description =
        "Reads commands, formulas and statements about the context, and answers each; so does "
        "collcost alone on a terminal. 'help' there lists what there is. From a pipe, each line "
        "is answered before the next is read.",
    .examples = "collcost repl\n"
                "echo 'cost broadcast -p 4 -m 1KiB' | collcost repl",
    .options = OPTIONS_OF_RULES | OPTIONS(TOPOLOGY, RANKS, SIZE, MACHINE, SET, PORTS),
    .spoken = OPTIONS_ANY,
    .run_in = run_repl,
};
