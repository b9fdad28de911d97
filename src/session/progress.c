#include "session/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds until progress is shown; on a terminal, and between two of its changes there. */
static const double patience = 2, patience_of_terminal = 1, pace = 0.2;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Progress progress_start(void)
{
    const char *wanted = getenv("COLLCOST_PROGRESS");
    bool is_terminal = isatty(STDERR_FILENO);
    return (Progress){.is_silent = wanted && strcmp(wanted, "no") == 0,
                      .is_terminal = is_terminal,
                      .started = seconds_now(),
                      .next = is_terminal ? patience_of_terminal : patience};
}

void progress_erase(Progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}

/* "verify allreduce/ring, 17 of 120, 4 s" */
static void show(Progress *progress, double seconds)
{
    fprintf(stderr, "%s%s", progress->is_terminal ? "\r\033[K" : "collcost: ",
            *progress->task ? progress->task : "working");
    if (progress->total)
        fprintf(stderr, ", %lld of %lld", (long long)progress->number + 1,
                (long long)progress->total);
    fprintf(stderr, ", %.0f s%s", seconds, progress->is_terminal ? "" : "\n");
    fflush(stderr);
    progress->is_shown = progress->is_terminal;
    progress->next = progress->is_terminal ? seconds + pace : 2 * seconds;
}

void progress_note(Progress *progress, const WorkStep *step)
{
    if (progress->is_silent)
        return;
    if (step) {
        snprintf(progress->task, sizeof progress->task, "%s", step->what);
        progress->number = step->number;
        progress->total = step->total;
    }
    double seconds = seconds_now() - progress->started;
    if (seconds >= progress->next)
        show(progress, seconds);
}
