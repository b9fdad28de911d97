/* A session: lines that are run one after another in a context that stays.

   The prompt, batch files and the program's arguments are run by the same code. A line is a
   statement (statement_names.def), which changes the context, a command of the command line, whose
   open options the context fills, or a formula. What a line prints is kept back until it is
   complete. */
#ifndef COLLCOST_SESSION_SESSION_H
#define COLLCOST_SESSION_SESSION_H

#include "session/state.h"

/* Answers go to `out`, messages to `err`. The session sets `progress` and `listener` of the
   workspace, whose work workspace_cancel ends. */
Session *session_open(const CommandTable *commands, Workspace *workspace, FILE *out, FILE *err);
void session_close(Session *session);

/* Runs one line; `raw` is the line as it stands, which counts inside of a definition. */
Outcome session_run(Session *session, Text line, Text raw);
/* The arguments of the program as one line. */
Outcome session_run_arguments(Session *session, int count, char **arguments);
/* The end of the input: a definition that is not ended is an error. */
Outcome session_finish(Session *session, const Source *source);

/* All commands, which main hands to the session. */
extern const CommandTable command_table;

#endif
