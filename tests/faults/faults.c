/* Runs real commands of which one allocation or one write fails, as TAP: a test for each command.

       faults PROGRAM PRELOAD SCRIPTS COMMANDS [SAMPLES]

   COMMANDS has one on a line, its words with blanks between; behind "< FILE" it reads that file.
   SCRIPTS is a folder with the files that they name. Whatever fails, the command either answers as
   it does where nothing fails, or ends with status 3 and a message. Then nothing of its answer is
   shown (of lines that are run one after another, those before; where the output itself cannot be
   written, its beginning), and a file that it would have replaced is as it was, or complete, with
   nothing beside it.

   SAMPLES of the allocations, evenly spread, fail in turn (0: each of them), and as many of the
   calls that write. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 40, MOST_FILES = 64, LONGEST = 4096 };

/* The files of commands have this text before. */
static const char old_text[] = "an old file\n";

typedef struct {
    char *words[MOST_WORDS + 1];
    char *input, *written; /* a file that it reads, one that it writes; NULL: none */
    int is_script;         /* runs lines one after another */
    int reports;           /* -o: what its lines print, and their messages, are parts of a report */
} Command;

typedef struct {
    int status; /* -1: a signal */
    char *out, *err, *file;
} Seen;

static const char *program, *preload;
static char folder[LONGEST]; /* where commands run */
static char outside[LONGEST];
static const char *complaint;

/* All that is in the file, which is closed; NULL for NULL. */
static char *read_all(FILE *file)
{
    size_t length = 0, room = 1 << 16;
    char *text = file ? malloc(room) : NULL;
    if (!file)
        return NULL;
    for (size_t got; (got = fread(text + length, 1, room - length - 1, file)) > 0;) {
        length += got;
        if (length + 1 == room)
            text = realloc(text, room *= 2);
    }
    fclose(file);
    text[length] = '\0';
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        printf("Bail out! cannot write %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

/* "name" in the folder of results. */
static const char *beside(const char *name)
{
    static char path[2][2 * LONGEST];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", outside, name);
    return path[turn];
}

static int count_files(void)
{
    int count = 0;
    DIR *open = opendir(".");
    for (struct dirent *entry; open && (entry = readdir(open));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (open)
        closedir(open);
    return count;
}

static void free_seen(Seen *seen)
{
    free(seen->out);
    free(seen->err);
    free(seen->file);
}

/* Runs it once; `fault` as in preload.c, or NULL. */
static Seen run(const Command *command, const char *fault)
{
    char environment[4][LONGEST + 64], *all[256];
    int count = 0, status, messages[2];
    pid_t child;
    posix_spawn_file_actions_t files;
    if (command->written)
        write_text(command->written, old_text);
    snprintf(environment[0], sizeof environment[0], "LD_PRELOAD=%s", preload);
    snprintf(environment[1], sizeof environment[1], "COLLCOST_COUNTS=%s", beside("counts"));
    snprintf(environment[2], sizeof environment[2], "COLLCOST_FAULT=%s", fault ? fault : "");
    for (int i = 0; i < 3; i++)
        all[count++] = environment[i];
    for (char **entry = environ; *entry && count < 255; entry++)
        all[count++] = *entry;
    all[count] = NULL;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, command->input ? command->input : "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, beside("out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (pipe2(messages, O_CLOEXEC) != 0 ||
        posix_spawn_file_actions_adddup2(&files, messages[1], 2) != 0 ||
        posix_spawn(&child, program, &files, NULL, command->words, all) != 0) {
        printf("Bail out! cannot run %s: %s\n", program, strerror(errno));
        exit(1);
    }
    close(messages[1]);
    char *err = read_all(fdopen(messages[0], "r"));
    waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&files);
    return (Seen){.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                  .out = read_all(fopen(beside("out"), "rb")),
                  .err = err,
                  .file = command->written ? read_all(fopen(command->written, "rb")) : NULL};
}

static int starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Is what a script has printed that of its first lines? The account of a batch follows,
 * "lines.batch: ..." */
static int is_beginning(char *out, const char *whole)
{
    char *account = starts_with(out, "lines.batch: ") ? out : strstr(out, "\nlines.batch: ");
    if (account)
        account[account > out] = '\0';
    return starts_with(whole, out);
}

/* NULL, or what is wrong. */
static const char *judge(const Command *command, const Seen *right, Seen *seen, int cuts_output,
                         int files)
{
    int is_same_file = !command->written || (seen->file && strcmp(seen->file, right->file) == 0);
    int is_old_file = command->written && seen->file && strcmp(seen->file, old_text) == 0;
    if (seen->status < 0)
        return "it crashed";
    if (!is_same_file && !is_old_file)
        return "the file is neither old nor new";
    if (count_files() != files)
        return "a file was left behind";
    if (seen->status != 3)
        return seen->status != right->status   ? "another status"
               : strcmp(seen->out, right->out) ? "another answer"
               : strcmp(seen->err, right->err) ? "other messages"
               : !is_same_file                 ? "the file is missing"
                                               : NULL;
    if (!strstr(seen->err, "error: ") && !(command->reports && strstr(seen->out, "error: ")))
        return "status 3 without a message";
    if (cuts_output || command->reports)
        return NULL;
    if (command->is_script)
        return is_beginning(seen->out, right->out) ? NULL : "another beginning";
    return *seen->out ? "half an answer" : NULL;
}

static int try(const Command *command, const Seen *right, const char *kind, long number, int files)
{
    char fault[64];
    int cuts_output = strcmp(kind, "size") == 0;
    snprintf(fault, sizeof fault, "%s=%ld", kind, number);
    Seen seen = run(command, fault);
    const char *wrong = judge(command, right, &seen, cuts_output, files);
    if (wrong && !complaint) {
        complaint = wrong;
        printf("# COLLCOST_FAULT=%s: %s (status %d)\n", fault, wrong, seen.status);
        printf("# %.*s\n", (int)strcspn(seen.err, "\n"), seen.err);
    }
    free_seen(&seen);
    return wrong != NULL;
}

/* Tries `samples` of 1 .. count, or all; how many were wrong. */
static long try_many(const Command *command, const Seen *right, const char *kind, long count,
                     long samples, int files, long *tried)
{
    long wrong = 0;
    double step = samples == 0 || samples > count ? 1 : (double)count / (double)samples;
    for (double at = 1; (long)at <= count; at += step) {
        wrong += try(command, right, kind, (long)at, files);
        ++*tried;
    }
    return wrong;
}

/* Cuts a line into words; false: there is no command in it. */
static int read_command(char *line, Command *command)
{
    int count = 1;
    *command = (Command){.words = {"collcost"}};
    line[strcspn(line, "\n")] = '\0';
    for (char *word = strtok(line, " "); word && count < MOST_WORDS; word = strtok(NULL, " ")) {
        if (strcmp(word, "<") == 0) {
            command->input = strtok(NULL, " ");
            continue;
        }
        if (strcmp(command->words[count - 1], "--picture") == 0 ||
            strcmp(command->words[count - 1], "--certificate") == 0 ||
            strcmp(command->words[count - 1], "--save") == 0)
            command->written = word;
        command->words[count++] = word;
    }
    command->is_script = count > 1 && (strcmp(command->words[1], "batch") == 0 ||
                                       strcmp(command->words[1], "repl") == 0);
    command->reports = command->is_script && count > 4 && strcmp(command->words[3], "-o") == 0;
    return count > 1 && command->words[1][0] != '#';
}

static void test(int number, const char *name, const Command *command, long samples)
{
    long memories = 0, writes = 0, tried = 0, wrong;
    Seen right = run(command, NULL);
    FILE *counts = fopen(beside("counts"), "r");
    int counted = counts && fscanf(counts, "%ld %ld", &memories, &writes) == 2;
    int files = count_files();
    long size = (long)strlen(right.out);
    if (counts)
        fclose(counts);
    complaint = NULL;
    wrong = !counted || right.status < 0 || right.status > 2;
    if (wrong)
        printf("# nothing is counted, or it fails by itself: status %d\n# %s\n", right.status,
               right.err);
    wrong += try_many(command, &right, "memory", memories, samples, files, &tried);
    wrong +=
        try_many(command, &right, "empty", memories, samples ? samples / 4 + 1 : 50, files, &tried);
    wrong += try_many(command, &right, "write", writes, samples, files, &tried);
    wrong += try_many(command, &right, "size", size, samples ? samples / 4 + 1 : 50, files, &tried);
    printf("%sok %d - %s: %ld faults among %ld allocations and %ld writes", wrong ? "not " : "",
           number, name, tried, memories, writes);
    printf(wrong ? ", %ld wrong\n" : "\n", wrong);
    fflush(stdout);
    free_seen(&right);
}

int main(int count, char **arguments)
{
    char line[LONGEST], name[LONGEST];
    int number = 0;
    FILE *commands = count >= 5 ? fopen(arguments[4], "r") : NULL;
    if (!commands || chdir(arguments[3]) != 0 || !getcwd(folder, sizeof folder)) {
        fputs("usage: faults PROGRAM PRELOAD SCRIPTS COMMANDS [SAMPLES]\n", stderr);
        return 1;
    }
    program = arguments[1], preload = arguments[2];
    snprintf(outside, sizeof outside, "%s", folder);
    *strrchr(outside, '/') = '\0';
    while (fgets(line, sizeof line, commands)) {
        Command command;
        snprintf(name, sizeof name, "%s", line);
        name[strcspn(name, "\n")] = '\0';
        if (read_command(line, &command))
            test(++number, name, &command, count > 5 ? atol(arguments[5]) : 3);
    }
    fclose(commands);
    printf("1..%d\n", number);
    return 0;
}
