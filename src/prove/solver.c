#define _POSIX_C_SOURCE 200809L
#include "prove/prove.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOLVER_BYTES = 256, SOLVER_MEMORY_MIB = 4096 };

/* In the child: the program with its limits, its output to the pipe. Does not return. */
static void become(char *const arguments[], int in, int out, int seconds)
{
    const struct rlimit time = {(rlim_t)seconds, (rlim_t)seconds + 1};
    const struct rlimit memory = {(rlim_t)SOLVER_MEMORY_MIB << 20, (rlim_t)SOLVER_MEMORY_MIB << 20};
    const int nothing = open("/dev/null", O_WRONLY);
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_AS, &memory);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execvp(arguments[0], arguments);
    _exit(127);
}

/* Runs a program on a text; its output in an arena, NULL where it cannot be run. */
static const char *run(Arena *arena, char *const arguments[], const char *text, int seconds)
{
    FILE *in = tmpfile();
    int out[2], status;
    if (!in || pipe(out) != 0) {
        if (in)
            fclose(in);
        return NULL;
    }
    fwrite(text, 1, strlen(text), in);
    fflush(in);
    lseek(fileno(in), 0, SEEK_SET);
    const pid_t child = fork();
    if (child == 0)
        become(arguments, fileno(in), out[1], seconds);
    close(out[1]);
    fclose(in);
    char answer[SOLVER_BYTES];
    size_t length = 0;
    ssize_t got;
    while (child > 0 && length < sizeof answer - 1 &&
           (got = read(out[0], answer + length, sizeof answer - 1 - length)) > 0)
        length += (size_t)got;
    close(out[0]);
    answer[length] = 0;
    if (child < 0 || waitpid(child, &status, 0) != child ||
        (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return NULL;
    return arena_copy(arena, answer, length);
}

const char *solver_answer(Arena *arena, const char *program, const char *text, int seconds)
{
    const bool is_z3 = strcmp(program, "z3") == 0;
    char *const z3[] = {(char *)program, "-in", "-smt2", NULL};
    char *const cvc5[] = {(char *)program, "--lang=smt2", "-", NULL};
    static const char *const words[] = {"unsat", "sat", "unknown"};
    const char *answer = run(arena, is_z3 ? z3 : cvc5, text, seconds);
    for (size_t i = 0; answer && i < 3; i++)
        if (strncmp(answer, words[i], strlen(words[i])) == 0 &&
            strcmp(answer + strlen(words[i]), "\n") == 0)
            return words[i];
    return answer ? "unknown" : NULL;
}

const char *solver_version(Arena *arena, const char *program)
{
    char *const arguments[] = {(char *)program, "--version", NULL};
    const char *answer = run(arena, arguments, "", 5);
    const char *number = answer ? strpbrk(answer, "0123456789") : NULL;
    /* "cvc5" has a digit in its name */
    const char *version = answer ? strstr(answer, "ersion ") : NULL;
    if (version)
        number = version + 7;
    if (!number)
        return NULL;
    return arena_printf(arena, "%s %.*s", program, (int)strcspn(number, " \n"), number);
}
