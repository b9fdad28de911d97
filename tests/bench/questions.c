/* Questions as processes of their own, by CPU time and peak of memory. */
#include "results.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
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

/* One question of a table on many ranks, against the same for a few: what grows with the ranks. */
static void bench_tables(Results *results, char *collcost)
{
    static const struct {
        const char *name;
        char *command, *subject, *large, *small;
    } cases[] = {
        {"cost allgather, full:1024", "cost", "allgather", "full:1024", "full:16"},
        {"cost allreduce, full:1024", "cost", "allreduce", "full:1024", "full:16"},
        {"cost broadcast, torus:16x16", "cost", "broadcast", "torus:16x16", "torus:4x4"},
        {"cost allgather, fat-tree:4x8x8", "cost", "allgather", "fat-tree:4x8x8", "fat-tree:2x4x2"},
        {"cost allreduce, fat-tree:4x8x8", "cost", "allreduce", "fat-tree:4x8x8", "fat-tree:2x4x2"},
        {"switch broadcast, full:4096", "switch", "broadcast", "full:4096", "full:16"},
        {"bound allgather, torus:64x64", "bound", "allgather", "torus:64x64", "torus:4x4"},
        {"bound allgather, fat-tree:16x8x8", "bound", "allgather", "fat-tree:16x8x8",
         "fat-tree:2x4x2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const question[] = {collcost, cases[i].command, cases[i].subject,
                                  "-t",     cases[i].large,   NULL};
        char *const few[] = {collcost, cases[i].command, cases[i].subject,
                             "-t",     cases[i].small,   NULL};
        bench_question(results, cases[i].name, "the same on 16 ranks", question, few, 5);
    }
    char *const verify[] = {collcost, "verify", "allgather/ring", "-p", "2..64", NULL};
    char *const least[] = {collcost, "verify", "allgather/ring", "-p", "2", NULL};
    bench_question(results, "verify allgather/ring -p 2..64", "the same with -p 2", verify, least,
                   3);
}

/* A table of costs on many ranks, against the same on few. Where all ranks are alike no rank needs
   to be looked at but one, so no power of p is a limit; what stands for all is a few rounds, and
   the layout of the network, O(p). */
static void bench_many_ranks(Results *results, char *collcost)
{
    static const struct {
        char *collective, *large, *small;
        int repeats;
    } cases[] = {
        {"allreduce", "torus:32x32", "torus:4x4", 3},
        {"allreduce", "fat-tree:16x8x8", "fat-tree:2x4x2", 3},
        {"allreduce", "cluster:128x8", "cluster:2x8", 3},
        {"allreduce", "dragonfly:32x8x4", "dragonfly:4x2x2", 3},
        {"alltoall", "torus:32x32", "torus:4x4", 3},
        {"allgather", "full:4096", "full:16", 3},
        {"allgather", "torus:64x64", "torus:4x4", 3},
        {"allgather", "fat-tree:16x16x16", "fat-tree:2x4x2", 3},
        {"allgather", "cluster:512x8", "cluster:2x8", 3},
        {"allgather", "dragonfly:64x8x8", "dragonfly:4x2x2", 3},
        {"reduce", "torus:64x64", "torus:4x4", 3},
        {"allreduce", "fat-tree:16x16x16", "fat-tree:2x4x2", 1},
        {"allreduce", "full:65536", "full:16", 1},
        {"allgather", "cluster:8192x8", "cluster:2x8", 3},
        {"allgather", "torus:256x256", "torus:4x4", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *name = malloc(64); /* kept with the results */
        if (!name)
            fail("memory");
        char *const question[] = {collcost, "cost", cases[i].collective, "-t", cases[i].large, "-m",
                                  "1MiB",   NULL};
        char *const few[] = {collcost, "cost", cases[i].collective, "-t", cases[i].small, "-m",
                             "1MiB",   NULL};
        snprintf(name, 64, "cost %s -m 1MiB, %s", cases[i].collective, cases[i].large);
        bench_question(results, name, "the same on 16 ranks", question, few, cases[i].repeats);
    }
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
    double ours = time_process(batch, &peak), theirs = 0;
    for (int i = 0; i < 100; i++)
        theirs += time_process(nothing, &ignored);
    unlink(path);
    add_pair(&pairs, ours, theirs * (LINES / 100));
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

/* Verdicts on the whole library in one process, against two models of it; scaling over n, against
   one n. */
static void bench_checks(Results *results, char *collcost)
{
    char *const all[] = {collcost, "verify", "--jobs", "1", NULL};
    char *const some[] = {collcost, "verify", "allgather/ring", "broadcast/binomial", "--jobs",
                          "1",      NULL};
    char *const orders[] = {collcost, "scale", "matmul", "-t", "torus", "-n", "64..4096", NULL};
    char *const order[] = {collcost, "scale", "matmul", "-t", "torus", "-n", "64", NULL};
    bench_question(results, "verify, the whole library", "two models of it", all, some, 1);
    bench_question(results, "scale matmul -t torus -n 64..4096", "the same with n = 64", orders,
                   order, 1);
}

/* Explanations against the table of costs that they begin with; errata of one source against the
   start of the program. */
static void bench_texts(Results *results, char *collcost)
{
    char *const explain[] = {collcost,      "explain", "allreduce", "-t",
                             "torus:32x32", "-m",      "1MiB",      NULL};
    char *const table[] = {collcost, "cost", "allreduce", "-t", "torus:32x32", "-m", "1MiB", NULL};
    char *const errata[] = {collcost, "errata", "S3", "--jobs", "1", NULL};
    char *const start[] = {collcost, "--version", NULL};
    bench_question(results, "explain allreduce -m 1MiB, torus:32x32", "its table of costs", explain,
                   table, 3);
    bench_question(results, "errata S3", "collcost --version", errata, start, 1);
}

/* A map against the same one for a given number of chunks, which is what a search for the best one
   costs. */
static void bench_map(Results *results, char *collcost)
{
    char *const question[] = {collcost, "map", "allreduce", "-t", "torus", "-p", "1..64", NULL};
    char *const given[] = {collcost, "map",   "allreduce", "-t",  "torus",
                           "-p",     "1..64", "--set",     "k=1", NULL};
    bench_question(results, "map allreduce -t torus -p 1..64, whole process", "the same with k = 1",
                   question, given, 3);
}

void bench_questions(Results *results, char *collcost)
{
    bench_one_shot(results, collcost);
    bench_many_ranks(results, collcost);
    bench_tables(results, collcost);
    bench_batch(results, collcost);
    bench_chunks(results, collcost);
    bench_texts(results, collcost);
    bench_checks(results, collcost);
    bench_map(results, collcost);
}
