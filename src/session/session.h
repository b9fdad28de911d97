/* A session: lines that are run one after another in a context that stays.

   The prompt, batch files and the program's arguments are run by the same code. A line is a
   statement (statements.def), which changes the context, a command of the command line, whose open
   options the context fills, or a formula. What a line prints is kept back until it is complete. */
#ifndef COLLCOST_SESSION_SESSION_H
#define COLLCOST_SESSION_SESSION_H

#include "cli/command.h"
#include "cli/measures.h"

typedef struct Session Session;

/* Answers go to `out`, messages to `err`. The session sets `progress` and `listener` of the
 * workspace.
 */
Session *session_open(Workspace *workspace, FILE *out, FILE *err);
void session_close(Session *session);

/* Where the next lines write. */
void session_redirect(Session *session, FILE *out, FILE *err);
FILE *session_out(const Session *session);
FILE *session_err(const Session *session);
/* As long as the session lives: for the sources of its lines, whose places the context keeps. */
Arena *session_arena(const Session *session);
/* Whose work workspace_cancel ends. */
Workspace *session_workspace(const Session *session);

/* Takes over the options of a command line that a context may have. */
void session_adopt(Session *session, const CommandLine *line);
const Context *session_context(const Session *session);
/* The library with what was loaded; NULL where it cannot be read. */
Library *session_library(Session *session);

/* What became of a line. */
typedef struct {
    Status status;
    bool interrupted;
    const char *finding; /* of a check that failed: in the session's memory; or NULL */
} Outcome;

/* Runs one line; `raw` is the line as it stands, which counts inside of a definition. */
Outcome session_run(Session *session, Text line, Text raw);
/* The arguments of the program as one line. */
Outcome session_run_arguments(Session *session, int count, char **arguments);
/* The end of the input: a definition that is not ended is an error. */
Outcome session_finish(Session *session, const Source *source);
/* Ctrl-C at the prompt: a definition that was begun is forgotten. */
void session_abandon(Session *session);
/* Is the next line part of a definition? */
bool session_is_defining(const Session *session);
/* Has a line said to leave? */
bool session_is_over(const Session *session);

#endif
