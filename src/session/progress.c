#include "session/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds until progress is shown, and between two of its changes. */
static const double patience = 1, pace = 0.2;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Progress progress_start(void)
{
    return (Progress){.shows = isatty(STDERR_FILENO), .started = seconds_now()};
}

void progress_erase(Progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}

/* "verify allreduce/ring, 17 of 120, 4 s" */
static void show(Progress *progress, double now)
{
    if (now - progress->started < patience || now - progress->written < pace)
        return;
    fprintf(stderr, "\r\033[K%s", *progress->task ? progress->task : "working");
    if (progress->total)
        fprintf(stderr, ", %lld of %lld", (long long)progress->number + 1,
                (long long)progress->total);
    fprintf(stderr, ", %.0f s", now - progress->started);
    fflush(stderr);
    progress->written = now;
    progress->is_shown = true;
}

void progress_note(Progress *progress, const WorkStep *step)
{
    if (!progress->shows)
        return;
    if (step) {
        snprintf(progress->task, sizeof progress->task, "%s", step->what);
        progress->number = step->number;
        progress->total = step->total;
    }
    show(progress, seconds_now());
}
