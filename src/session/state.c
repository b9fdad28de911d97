#include "session/state.h"
#include "cli/measures.h"
#include "cli/messages.h"
#include "cli/models.h"

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
void progress_note(Progress *progress, const WorkStep *step)
{
    if (progress->is_silent)
        return;
    if (step) {
        snprintf(progress->task, sizeof progress->task, "%s", step->what);
        progress->number = step->number;
        progress->total = step->total;
    }
    const double seconds = seconds_now() - progress->started;
    if (seconds < progress->next)
        return;
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

static void lose_measures(Resource *resource)
{
    ((SessionMark *)(void *)resource)->session->context.measures = NULL;
}

void session_open_measures(Session *session)
{
    if (session->context.measures)
        return;
    session->context.measures = measures_create(session->workspace);
    workspace_hold(session->workspace, &session->measures_mark.resource, lose_measures);
}

void session_forget(Session *session)
{
    if (!session->context.measures)
        return;
    workspace_drop(&session->measures_mark.resource);
    measures_destroy(session->context.measures);
    session->context.measures = NULL;
}

static void lose_library(Resource *resource)
{
    Session *session = ((SessionMark *)(void *)resource)->session;
    session->shelf = NULL;
    session->context.library = NULL;
}

void session_put_library(Session *session, Arena *shelf, Library *library)
{
    session_forget(session);
    if (session->shelf)
        workspace_drop(&session->library_mark.resource);
    arena_destroy(session->shelf);
    session->shelf = shelf;
    session->context.library = library;
    if (shelf)
        workspace_hold(session->workspace, &session->library_mark.resource, lose_library);
}

typedef struct {
    Session *session;
    Arena *shelf;
    Library *library;
} Opening;

static void open_library(void *context)
{
    Opening *opening = context;
    Diag silent = diag_silent();
    Arena *shelf = arena_create(opening->session->workspace);
    opening->library = models_open(shelf, &opening->session->context.models, &silent);
    opening->shelf = shelf;
}

Library *session_library(Session *session)
{
    Opening opening = {.session = session};
    if (session->context.library)
        return session->context.library;
    Ending ending = workspace_run(session->workspace, open_library, &opening);
    if (ending == ENDING_CANCELLED)
        workspace_cancel(session->workspace);
    if (ending != ENDING_DONE)
        return NULL;
    if (!opening.library) {
        arena_destroy(opening.shelf);
        return NULL;
    }
    session_put_library(session, opening.shelf, opening.library);
    Diag messages = messages_to(session->err);
    if (!session->has_noted)
        models_note_replaced(session->scratch, opening.library, &messages);
    session->has_noted = true;
    return opening.library;
}
