/* Questions as processes of their own: by CPU time against a limit, or where nothing bounds them,
   by the instructions that they take, which are the same on a busy machine; where the system lets
   nobody count these, by CPU time against fixed work. And their peak of memory. */
#include "results.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Counts what this process and those that it starts from now on do outside of the kernel, while it
   is enabled; -1: the system lets nobody count. */
static int open_counter(void)
{
    struct perf_event_attr wanted = {.type = PERF_TYPE_HARDWARE,
                                     .size = sizeof wanted,
                                     .config = PERF_COUNT_HW_INSTRUCTIONS,
                                     .disabled = 1,
                                     .inherit = 1,
                                     .exclude_kernel = 1,
                                     .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* CPU seconds of a process, and the most memory that one such had, in KiB. */
static double time_process(char *const *arguments, long *peak)
{
    pid_t process;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
    if (posix_spawn(&process, arguments[0], &actions, NULL, arguments, environ) != 0)
        fail(arguments[0]);
    int status;
    struct rusage usage;
    wait4(process, &status, 0, &usage);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0)
        fail(arguments[0]);
    if (usage.ru_maxrss > *peak)
        *peak = usage.ru_maxrss;
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void bench_question(Results *results, const char *name, const char *limit,
                           char *const *question, char *const *other, int repeats)
{
    Pairs pairs = {.count = 0};
    long peak = 0, ignored = 0;
    for (int i = 0; i < repeats; i++) {
        double ours = time_process(question, &peak);
        add_pair(&pairs, ours, time_process(other, &ignored));
    }
    add_result(results, name, limit, "s", 0, &pairs, peak);
}

static void bench_one_shot(Results *results, char *collcost)
{
    char *const question[] = {collcost, "cost", "reduce", "-t", "full:8", "-m", "1MiB", NULL};
    char *const nothing[] = {"/bin/true", NULL};
    bench_question(results, "cost reduce -t full:8 -m 1MiB, whole process", "/bin/true", question,
                   nothing, 100);
}

/* Splits a line at its blanks; room for `most` words, and NULL behind them. */
static void split_words(char *line, char **words, size_t most)
{
    size_t count = 0;
    for (char *word = strtok(line, " \n"); word && count < most; word = strtok(NULL, " \n"))
        words[count++] = word;
    words[count] = NULL;
}

/* Seconds of work that is the same in all builds: numbers are sorted. */
static double time_fixed_work(void)
{
    enum { NUMBERS = 1 << 20 };
    static uint32_t numbers[NUMBERS];
    const clock_t start = clock();
    uint32_t number = 1;
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = number = number * 1664525 + 1013904223;
    qsort(numbers, NUMBERS, sizeof *numbers, compare_numbers);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* The questions of a file, a line each, which nothing bounds: once, if instructions are counted. */
static void bench_lines(Results *results, char *collcost, const char *path)
{
    enum { MOST_WORDS = 32 };
    static char lines[LEAST_ROOM][160];
    FILE *file = fopen(path, "r");
    const int counter = open_counter();
    if (!file)
        fail(path);
    for (size_t i = 0; i < LEAST_ROOM && fgets(lines[i], sizeof *lines, file); i++) {
        char words[sizeof *lines], *arguments[MOST_WORDS + 2] = {collcost};
        Pairs pairs = {.count = 0};
        long peak = 0;
        long long instructions = 0;
        lines[i][strcspn(lines[i], "\n")] = '\0';
        memcpy(words, lines[i], sizeof words);
        split_words(words, arguments + 1, MOST_WORDS);
        for (int n = 0; n < (counter >= 0 ? 1 : 3); n++) {
            if (counter >= 0) {
                ioctl(counter, PERF_EVENT_IOC_RESET, 0);
                ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
            }
            double ours = time_process(arguments, &peak), fixed = 1;
            if (counter < 0)
                fixed = time_fixed_work();
            if (counter >= 0) {
                ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
                if (read(counter, &instructions, sizeof instructions) != sizeof instructions)
                    fail("reading the counter");
                ours = 1e-9 * (double)instructions;
            }
            add_pair(&pairs, ours, fixed);
        }
        if (counter >= 0)
            add_result(results, lines[i], "", "1e9 instr", 0, &pairs, peak);
        else
            add_result(results, lines[i], "2^20 numbers sorted", "s", 0, &pairs, peak);
    }
    fclose(file);
}

/* Lines as a tuning gate has them, against as many program starts: what a shell script would need.
 */
static void bench_batch(Results *results, char *collcost)
{
    enum { LINES = 10000 };
    char path[] = "/tmp/batch-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    char *const batch[] = {collcost, "batch", path, NULL};
    char *const nothing[] = {"/bin/true", NULL};
    if (!file)
        fail(path);
    fputs("use full:8\n", file);
    for (int i = 1; i <= LINES; i++)
        fprintf(file, "expect time(reduce/binomial, %d) < 2 s and best(reduce, %d) != chain\n", i,
                i);
    fclose(file);
    Pairs pairs = {.count = 0};
    long peak = 0, ignored = 0;
    for (int n = 0; n < 5; n++) {
        double ours = time_process(batch, &peak), theirs = 0;
        for (int i = 0; i < 100; i++)
            theirs += time_process(nothing, &ignored);
        add_pair(&pairs, ours, theirs * (LINES / 100));
    }
    unlink(path);
    add_result(results, "batch of 10,000 expectations", "10,000 times /bin/true", "s", 0, &pairs,
               peak);
}

/* The search of the best number of chunks against one number: no search takes less. */
static void bench_chunks(Results *results, char *collcost)
{
    static const struct {
        const char *name;
        char *algorithm, *topology;
    } cases[] = {
        {"best k of a chain, fat-tree:16x8x8", "broadcast/pipelined-chain", "fat-tree:16x8x8"},
        {"best k of a chain, torus:32x32", "reduce/pipelined-chain", "torus:32x32"},
        {"best k of split trees, fat-tree:16x8x8", "broadcast/split-binary-tree",
         "fat-tree:16x8x8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const question[] = {
            collcost, "cost", cases[i].algorithm, "-t", cases[i].topology, "-m", "1MiB", NULL};
        char *const given[] = {
            collcost, "cost", cases[i].algorithm, "-t", cases[i].topology, "-m", "1MiB", "--set",
            "k=1",    NULL};
        bench_question(results, cases[i].name, "the same with k = 1", question, given, 5);
    }
}

/* Explanations against the tables of costs that they begin with: at most twice as long. */
static void bench_explanations(Results *results, char *collcost)
{
    static const struct {
        const char *name;
        char *collective, *topology;
    } cases[] = {
        {"explain allreduce -m 1MiB, torus:32x32", "allreduce", "torus:32x32"},
        {"explain allgather -m 1MiB, dragonfly:16x16x16", "allgather", "dragonfly:16x16x16"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const explain[] = {
            collcost, "explain", cases[i].collective, "-t", cases[i].topology, "-m", "1MiB", NULL};
        char *const table[] = {collcost, "cost", cases[i].collective, "-t", cases[i].topology, "-m",
                               "1MiB",   NULL};
        bench_question(results, cases[i].name, "its table of costs", explain, table, 3);
    }
}

void bench_questions(Results *results, char *collcost, const char *lines)
{
    bench_one_shot(results, collcost);
    bench_batch(results, collcost);
    bench_chunks(results, collcost);
    bench_explanations(results, collcost);
    bench_lines(results, collcost, lines);
}
