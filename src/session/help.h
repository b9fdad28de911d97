/* `help` and `help TOPIC`: the tables of commands, options and statements, and the manual pages. */
#ifndef COLLCOST_SESSION_HELP_H
#define COLLCOST_SESSION_HELP_H

#include "session/state.h"

Status help_write(Run *run);
/* The end of `help` alone: what else there is to ask about. */
void help_list_topics(Run *run);

#endif
