/* `help` and `help TOPIC`, from the tables of commands, options and statements. */
#ifndef COLLCOST_SESSION_HELP_H
#define COLLCOST_SESSION_HELP_H

#include "session/state.h"

Status help_write(Run *run);

#endif
