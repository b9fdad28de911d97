/* The prompt on a pseudo-terminal, as TAP. Runs `collcost` (its one argument) with a history of its
   own, types, and waits for what should appear; nothing is asserted about how long it takes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 60, SCREEN = 8 << 20 };

typedef struct {
    const char *program;
    int terminal;
    pid_t child;
    char *seen;        /* everything that appeared, without escape sequences */
    size_t length, at; /* what was waited for lies before `at` */
    bool is_escape;
} Prompt;

static int tests, failures;

static void result(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
    fflush(stdout);
    failures += !good;
}

static void start(Prompt *prompt, const char *argument)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    prompt->length = prompt->at = 0;
    prompt->seen[0] = '\0';
    prompt->is_escape = false;
    prompt->child = forkpty(&prompt->terminal, NULL, NULL, &size);
    if (prompt->child < 0) { /* and a signal to -1 would reach all processes */
        puts("1..0 # SKIP this system gives no terminals");
        exit(EXIT_SUCCESS);
    }
    if (prompt->child == 0) {
        setenv("TERM", "xterm", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        setenv("INPUTRC", "/dev/null", 1);
        execl(prompt->program, "collcost", argument, (char *)NULL);
        _exit(127);
    }
    fcntl(prompt->terminal, F_SETFL, O_NONBLOCK);
}

/* Escape sequences end with a letter; bells and returns say nothing. */
static void take_byte(Prompt *prompt, char byte)
{
    bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (byte == '\033')
        prompt->is_escape = true;
    else if (prompt->is_escape)
        prompt->is_escape = !is_letter;
    else if (byte != '\r' && byte != '\a' && prompt->length + 1 < SCREEN)
        prompt->seen[prompt->length++] = byte;
    prompt->seen[prompt->length] = '\0';
}

/* Reads what there is; false at the end. */
static bool listen(Prompt *prompt, int milliseconds)
{
    char bytes[4096];
    struct pollfd poller = {.fd = prompt->terminal, .events = POLLIN};
    if (poll(&poller, 1, milliseconds) <= 0)
        return true;
    ssize_t count = read(prompt->terminal, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++)
        take_byte(prompt, bytes[i]);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

static void type_bytes(Prompt *prompt, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(prompt->terminal, bytes, length);
        if (count > 0)
            bytes += count, length -= (size_t)count;
        else if (errno != EAGAIN && errno != EINTR)
            return;
        listen(prompt, count > 0 ? 0 : 10);
    }
}

static void type(Prompt *prompt, const char *text)
{
    type_bytes(prompt, text, strlen(text));
}

/* Waits until `text` appears behind what was waited for last. */
static bool appears(Prompt *prompt, const char *text)
{
    time_t end = time(NULL) + PATIENCE;
    for (bool open = true;; open = listen(prompt, 100)) {
        char *found = strstr(prompt->seen + prompt->at, text);
        if (found) {
            prompt->at = (size_t)(found - prompt->seen) + strlen(text);
            return true;
        }
        if (!open || time(NULL) > end)
            break;
    }
    printf("# '%s' did not appear in:\n# ", text);
    size_t from = prompt->length > prompt->at + 600 ? prompt->length - 600 : prompt->at;
    for (const char *byte = prompt->seen + from; *byte; byte++)
        printf(*byte == '\n' ? "\n# " : "%c", *byte);
    putchar('\n');
    return false;
}

static bool says(Prompt *prompt, const char *typed, const char *text)
{
    type(prompt, typed);
    return appears(prompt, text);
}

/* Before the prompt is there, Ctrl-D is not for it. */
static bool ends_with_prompt(const Prompt *prompt)
{
    return prompt->length > 2 && strcmp(prompt->seen + prompt->length - 2, "> ") == 0;
}

/* The exit status, or -1. */
static int leave(Prompt *prompt, const char *keys)
{
    int status = -1;
    time_t end = time(NULL) + PATIENCE;
    while (!ends_with_prompt(prompt) && time(NULL) <= end)
        listen(prompt, 20);
    type(prompt, keys);
    while (waitpid(prompt->child, &status, WNOHANG) == 0 && time(NULL) <= end)
        listen(prompt, 20);
    if (time(NULL) > end)
        kill(prompt->child, SIGKILL), waitpid(prompt->child, &status, 0);
    close(prompt->terminal);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_context(Prompt *prompt)
{
    start(prompt, NULL);
    result(appears(prompt, "collcost> "), "a prompt appears");
    result(says(prompt, "use torus:4x8\n", "torus:4x8> "), "the prompt shows the context");
    result(says(prompt, "p * 1 KiB\n", "\n32 KiB\n"), "a formula is answered");
    result(says(prompt, "cost redcue\n", "  cost redcue\n       ^~~~~~") &&
               appears(prompt, "did you mean 'reduce'?"),
           "a caret stands below the typed line");
    result(says(prompt, "1 + \\\n2\n", "... ") && appears(prompt, "\n3\n"), "a line goes on");
    result(says(prompt, "define\nmachine: lab\nsummary: One.\nstartup: 1 us\nbandwidth: 1 GB/s\n\n",
                "machine lab") &&
               says(prompt, "machine lab\n", "lab> "),
           "a model is typed");
    result(leave(prompt, "\004") == 0, "Ctrl-D leaves");
}

static void test_keys(Prompt *prompt)
{
    start(prompt, "repl");
    appears(prompt, "collcost> ");
    type(prompt, "allr\t");
    result(says(prompt, "/ri\t", "allreduce/ring"), "an algorithm is completed");
    type(prompt, "\025");
    result(says(prompt, "mach\tsg\t\n", "sg2260> "), "commands and machines are completed");
    result(says(prompt, "use tor\t", "torus"), "topologies are completed");
    type(prompt, "\025");
    result(says(prompt, "cost reduce --sw\tsf-\t -p 4 -m 8\n", "sf-startups") &&
               appears(prompt, "rules: store-and-forward with a startup at every hop"),
           "options and their values are completed");
    result(says(prompt, "load exam\t\n", "load example.yaml") && appears(prompt, "machine lab"),
           "names of files are completed");
    says(prompt, "7 * 8\n", "\n56\n");
    says(prompt, "7 * 9\n", "\n63\n");
    result(says(prompt, "\033[A\033[A\n", "\n56\n"), "the history comes back with the arrow");
    says(prompt, "1234567 + 1", "1234567 + 1");
    result(says(prompt, "\003", "^C") && says(prompt, "7 * 6\n", "\n42\n"), "Ctrl-C drops a line");
    says(prompt, "define\n", "... ");
    says(prompt, "machine: other\n", "... ");
    result(says(prompt, "\003", "^C") &&
               says(prompt, "cost reduce/chain -p 4 -m 8\n", "rules: cut-through") &&
               says(prompt, "2 * 3\n", "\n6\n"),
           "Ctrl-C drops a definition");
    result(leave(prompt, "quit\n") == 0, "quit leaves");
    start(prompt, "repl");
    appears(prompt, "collcost> ");
    result(says(prompt, "\033[A\033[A\n", "2 * 3") && appears(prompt, "\n6\n"),
           "the history outlives the session");
    leave(prompt, "\004");
}

/* A file that changes while the session runs. */
static void write_model(const char *text)
{
    FILE *file = fopen("example.yaml", "w");
    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        exit(2);
}

/* What a link leads to is somebody else's; a file that is there keeps its rights. */
static void test_history(Prompt *prompt)
{
    struct stat linked, kept;
    FILE *file = fopen("else", "w");
    if (!file || fclose(file) != 0 || chmod("else", 0644) != 0 ||
        chmod("collcost/history", 0640) != 0 || rename("collcost/history", "kept") != 0 ||
        symlink("../else", "collcost/history") != 0)
        exit(2);
    start(prompt, NULL);
    appears(prompt, "collcost> ");
    says(prompt, "7 * 8\n", "\n56\n");
    leave(prompt, "\004");
    result(stat("else", &linked) == 0 && linked.st_size == 0 && (linked.st_mode & 0777) == 0644,
           "the history is not written through a link");
    if (unlink("collcost/history") != 0 || rename("kept", "collcost/history") != 0)
        exit(2);
    start(prompt, NULL);
    appears(prompt, "collcost> ");
    says(prompt, "7 * 8\n", "\n56\n");
    leave(prompt, "\004");
    result(stat("collcost/history", &kept) == 0 && kept.st_size > 0 &&
               (kept.st_mode & 0777) == 0640,
           "the rights of the history stay");
}

static void test_load(Prompt *prompt)
{
    write_model("machine: lab\nsummary: One.\nstartup: 3 us\nbandwidth: 1 GB/s\n");
    start(prompt, NULL);
    appears(prompt, "collcost> ");
    result(says(prompt, "load example.yaml\nmachine lab\nts\n", "\n3 us\n"), "a file is loaded");
    write_model("machine: lab\nsummary: One.\nstartup: 3 furlongs\nbandwidth: 1 GB/s\n");
    result(says(prompt, "load example.yaml\n", "example.yaml:3:") &&
               appears(prompt, "models loaded before remain in use") &&
               says(prompt, "ts\n", "\n3 us\n"),
           "a file that has become wrong changes nothing");
    write_model("machine: lab\nsummary: One.\nstartup: 5 us\nbandwidth: 1 GB/s\n");
    result(says(prompt, "load example.yaml\nts\n", "\n5 us\n"), "a file that has changed is taken");
    leave(prompt, "\004");
}

static void test_interrupt(Prompt *prompt)
{
    start(prompt, NULL);
    appears(prompt, "collcost> ");
    result(says(prompt, "verify --jobs 2\n", " of "), "progress is shown");
    result(says(prompt, "\003", "interrupted") && appears(prompt, "collcost> "),
           "Ctrl-C ends a long command");
    result(says(prompt, "rounds(reduce/chain, 8) + 0 * p\n", "'rounds' needs") &&
               says(prompt, "eval 'rounds(reduce/chain, 8)' -p 5\n", "\n4\n"),
           "the session goes on");
    result(says(prompt, "cost broadcast/spanning-binomial-trees -t torus:256x256 -m 8\n",
                ", 1 of 1, ") &&
               says(prompt, "\003", "interrupted") && says(prompt, "6 * 7\n", "\n42\n"),
           "Ctrl-C ends a long schedule");
    leave(prompt, "\004");
}

static void test_sizes(Prompt *prompt)
{
    struct winsize narrow = {.ws_row = 10, .ws_col = 30};
    start(prompt, NULL);
    appears(prompt, "collcost> ");
    type(prompt, "1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 ");
    ioctl(prompt->terminal, TIOCSWINSZ, &narrow);
    kill(prompt->child, SIGWINCH);
    result(says(prompt, "+ 9\n", "\n45\n"), "a line outlives another width of the terminal");
    leave(prompt, "\004");
}

static void test_half_letter(Prompt *prompt)
{
    start(prompt, NULL);
    appears(prompt, "collcost> ");
    type(prompt, "\xc3");
    listen(prompt, 200);
    result(says(prompt, "\003", "^C") && appears(prompt, "collcost> "),
           "Ctrl-C ends a letter of which bytes are missing");
    leave(prompt, "\004");
}

static void test_junk(Prompt *prompt)
{
    static const char junk[] = "\x01\x02\x7f\x0e\x0f\x10\x11\x13\x16\x17\x18\x19\xff\xfe\x80";
    enum { LONG = 1 << 20 };
    char *line = malloc(LONG + 2);
    start(prompt, NULL);
    appears(prompt, "collcost> ");
    type_bytes(prompt, junk, sizeof junk - 1);
    result(says(prompt, "\003", "^C") && says(prompt, "6 * 7\n", "\n42\n"), "junk does no harm");
    result(
        says(prompt, "cost \xc3\xa9t\xc3\xa9 -p 8\n", "unknown collective '\xc3\xa9t\xc3\xa9'") &&
            appears(prompt, "\n       ^~~\n"),
        "letters beyond ASCII are single characters");
    memset(line, '+', LONG);
    for (size_t i = 0; i < LONG; i += 2)
        line[i] = '1';
    memcpy(line + LONG, "\n", 2);
    type(prompt, line);
    result(appears(prompt, "this expression is too long") && says(prompt, "6 * 7\n", "\n42\n"),
           "a line of a megabyte is refused");
    result(leave(prompt, "\004") == 0, "and the session ends well");
    free(line);
}

int main(int count, char **arguments)
{
    char folder[] = "/tmp/terminal-XXXXXX";
    Prompt prompt = {.seen = malloc(SCREEN)};
    if (count != 2 || !prompt.seen || !mkdtemp(folder) || chdir(folder) != 0)
        return 2;
    prompt.program = arguments[1];
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_DATA_HOME", folder, 1);
    unsetenv("COLLCOST_MODELS");
    unsetenv("COLLCOST_PROGRESS");
    write_model("machine: lab\nsummary: One.\nstartup: 3 us\nbandwidth: 1 GB/s\n");
    test_context(&prompt);
    test_keys(&prompt);
    test_history(&prompt);
    test_load(&prompt);
    test_interrupt(&prompt);
    test_sizes(&prompt);
    test_half_letter(&prompt);
    test_junk(&prompt);
    printf("1..%d\n", tests);
    free(prompt.seen);
    return failures > 0;
}
