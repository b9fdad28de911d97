#include "session/state.h"

#include "cli/measures.h"
#include "cli/messages.h"
#include "cli/models.h"

static void lose_measures(Resource *resource)
{
    ((Mark *)(void *)resource)->session->context.measures = NULL;
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
    Session *session = ((Mark *)(void *)resource)->session;
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
