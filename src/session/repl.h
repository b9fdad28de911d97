/* The prompt: lines are read, run and answered until the input ends. */
#ifndef COLLCOST_SESSION_REPL_H
#define COLLCOST_SESSION_REPL_H

#include "session/state.h"

/* On a terminal with prompt, history and completion, where Ctrl-C ends the line or what runs. From
   a pipe or a file, lines as they come, each answered before the next is read. */
Status repl_run(Session *session, bool is_terminal);

#endif
