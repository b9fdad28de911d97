#include "session/editor.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define _FUNCTION_DEF /* Readline's old names for types, one of which is taken */
#include <readline/history.h>
#include <readline/readline.h>

enum { MOST_REMEMBERED = 1000 };

/* Readline calls back without a context, and is one for the whole process itself. */
static struct {
    EditorSettings settings;
    Arena *arena; /* of one completion */
    Completion completion;
    char *line;
    bool is_done;
    bool has_key; /* key was read, and Readline has not asked for it yet */
    int key;
    sigset_t open; /* the signals that waiting for a key lets through */
} editor;

static volatile sig_atomic_t is_resized;

static char *next_word(const char *text, int state)
{
    static size_t next;
    (void)text;
    next = state == 0 ? 0 : next + 1;
    const StringArray *words = &editor.completion.words;
    return next < words->count ? strdup(words->items[next]) : NULL;
}

/* Readline goes on with names of files where it is not told that completion is over. */
static char **complete(const char *text, int start, int end)
{
    (void)start;
    ArenaMark mark = arena_mark(editor.arena);
    editor.completion =
        completion_find(editor.arena, editor.settings.session, rl_line_buffer, (size_t)end);
    char **matches = rl_completion_matches(text, next_word);
    rl_attempted_completion_over = !editor.completion.wants_files;
    rl_completion_suppress_append = editor.completion.goes_on;
    arena_release(editor.arena, mark);
    return matches;
}

static void take_line(char *line)
{
    editor.line = line;
    editor.is_done = true;
    rl_callback_handler_remove();
}

static void note_size(int signal)
{
    (void)signal;
    is_resized = 1;
}

/* The terminal as Readline wants it, but a read does not wait. Ctrl-C empties the terminal's queue,
   which may be between the wait for a key and its read: one that waits would hear of no signal, and
   end with the next key only. */
static void prepare_terminal(int meta)
{
    struct termios terminal;
    rl_prep_terminal(meta);
    if (tcgetattr(STDIN_FILENO, &terminal) != 0)
        return;
    terminal.c_cc[VMIN] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal);
}

/* Waits for a key or a signal; signals come here only, so that none is missed. True where there is
   a key, or the end of the input. */
static bool fetch_key(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte;
    if (ppoll(&input, 1, NULL, &editor.open) <= 0)
        return false;
    ssize_t count = read(STDIN_FILENO, &byte, 1);
    bool has_ended = (count == 0 && input.revents & POLLHUP) || (count < 0 && errno != EINTR);
    editor.key = count == 1 ? byte : EOF;
    editor.has_key = count == 1 || has_ended;
    return editor.has_key;
}

/* Readline's way to a key: it asks for the further bytes of a letter by itself, and must not wait
   for them when Ctrl-C is all that comes. */
static int read_key(FILE *stream)
{
    (void)stream;
    while (!editor.has_key && !fetch_key())
        if (*editor.settings.is_interrupted)
            return EOF;
    editor.has_key = false;
    return editor.key;
}

bool editor_open(const EditorSettings *settings)
{
    struct sigaction action = {.sa_handler = note_size};
    editor.settings = *settings;
    editor.arena = arena_scratch(settings->session->arena);
    rl_readline_name = "collcost";
    rl_getc_function = read_key;
    rl_prep_term_function = prepare_terminal;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " \t\n\"'=(,<>+*";
    rl_basic_quote_characters = "";
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
    sigaction(SIGCONT, &action, NULL);
    using_history();
    stifle_history(MOST_REMEMBERED);
    if (!settings->history)
        return true;
    /* A file of the history's own: one that is made here nobody else reads, one that is there keeps
       its rights. What a link leads to, or what is no file, is left alone. */
    struct stat status;
    const int file =
        open(settings->history, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
             S_IRUSR | S_IWUSR);
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        editor.settings.history = NULL;
    else
        read_history(settings->history);
    if (file >= 0)
        close(file);
    return true;
}

/* In the user's locale, which Readline sets for the process, so that letters of several bytes are
 * one. */
char *editor_read(const char *prompt)
{
    sigset_t blocked;
    const locale_t outer = uselocale(LC_GLOBAL_LOCALE);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGWINCH);
    sigprocmask(SIG_BLOCK, &blocked, &editor.open);
    editor.line = NULL;
    editor.is_done = editor.has_key = false;
    rl_callback_handler_install(prompt, take_line);
    while (!editor.is_done && !*editor.settings.is_interrupted) {
        bool ready = editor.has_key || fetch_key();
        if (is_resized) {
            is_resized = 0;
            rl_reset_after_signal();
            rl_resize_terminal();
        }
        if (ready)
            rl_callback_read_char();
    }
    if (*editor.settings.is_interrupted) {
        /* Also one that Readline took as complete: where Ctrl-C comes while it asks for further
           keys, it takes the end of the input for Enter. */
        free(editor.line);
        editor.line = NULL;
        fputs("^C\n", rl_outstream);
        fflush(rl_outstream);
        rl_callback_sigcleanup();
        rl_callback_handler_remove();
    }
    sigprocmask(SIG_SETMASK, &editor.open, NULL);
    uselocale(outer);
    return editor.line;
}

void editor_remember(const char *line)
{
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    bool is_again = last && strcmp(last->line, line) == 0;
    if (is_again)
        return;
    add_history(line);
    if (editor.settings.history)
        append_history(1, editor.settings.history);
}

void editor_close(void)
{
    if (editor.settings.history) {
        /* Readline writes a new file, with rights of its own. */
        struct stat before;
        bool is_there = lstat(editor.settings.history, &before) == 0 && S_ISREG(before.st_mode);
        if (is_there && history_truncate_file(editor.settings.history, MOST_REMEMBERED) == 0)
            chmod(editor.settings.history, before.st_mode & ~(mode_t)S_IFMT);
    }
    clear_history();
    arena_destroy(editor.arena);
}
