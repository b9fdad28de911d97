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

Library *session_library(Session *session)
{
    if (session->context.library)
        return session->context.library;
    Diag silent = diag_silent();
    Arena *shelf = arena_create(session->workspace);
    Library *library = models_open(shelf, &session->context.models, &silent);
    if (!library) {
        arena_destroy(shelf);
        return NULL;
    }
    session_put_library(session, shelf, library);
    Diag messages = messages_to(session->err);
    if (!session->has_noted)
        models_note_replaced(session->scratch, library, &messages);
    session->has_noted = true;
    return library;
}
