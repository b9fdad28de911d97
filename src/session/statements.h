/* What statements do to a session. */
#ifndef COLLCOST_SESSION_STATEMENTS_H
#define COLLCOST_SESSION_STATEMENTS_H

#include "session/state.h"
#include "session/statement_names.h"

Status statement_run(Run *run, StatementId statement);
/* Takes over the options of a command line that a context may have. */
void session_adopt(Session *session, const CommandLine *line);

#endif
