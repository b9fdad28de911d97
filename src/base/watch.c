#include "base/watch.h"

#include "base/arena.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_TASK = 60 };

/* Seconds until progress is shown, and between two of its changes. */
static const double patience = 1, pace = 0.2;

/* The innermost run. */
typedef struct {
    sigjmp_buf *unwind; /* NULL: nothing runs */
    bool shows, is_shown;
    int paused;
    double started, written;
    int64_t number, total;
    char task[LONGEST_TASK + 1];
} Run;

/* One command runs at a time, and a signal handler has no other way to it. */
static Run run;
static volatile sig_atomic_t interrupted;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void watch_erase(void)
{
    if (run.is_shown)
        fputs("\r\033[K", stderr);
    run.is_shown = false;
}

/* "verify allreduce/ring, 17 of 120, 4 s" */
static void show_progress(double now)
{
    if (now - run.started < patience || now - run.written < pace)
        return;
    fprintf(stderr, "\r\033[K%s", *run.task ? run.task : "working");
    if (run.total)
        fprintf(stderr, ", %lld of %lld", (long long)run.number + 1, (long long)run.total);
    fprintf(stderr, ", %.0f s", now - run.started);
    fflush(stderr);
    run.written = now;
    run.is_shown = true;
}

void watch_interrupt(void)
{
    interrupted = 1;
}

void watch_forget(void)
{
    interrupted = 0;
}

void watch_poll(void)
{
    if (!run.unwind || run.paused)
        return;
    if (interrupted)
        siglongjmp(*run.unwind, 1);
    if (run.shows)
        show_progress(seconds_now());
}

void watch_step(const char *what, int64_t number, int64_t total)
{
    if (run.shows)
        snprintf(run.task, sizeof run.task, "%s", what);
    run.number = number;
    run.total = total;
    watch_poll();
}

void watch_pause(void)
{
    run.paused++;
}

void watch_resume(void)
{
    run.paused--;
}

bool watch_run(void (*work)(void *context), void *context)
{
    const Run outer = run;
    Arena *const newest = arena_newest();
    sigjmp_buf unwind;
    if (!outer.unwind)
        interrupted = 0;
    run = (Run){.unwind = &unwind, .shows = isatty(STDERR_FILENO), .started = seconds_now()};
    bool done = sigsetjmp(unwind, 1) == 0;
    if (done)
        work(context);
    watch_erase();
    run = outer;
    if (!done) {
        interrupted = 0;
        arena_destroy_since(newest);
    }
    return done;
}
