/* The table of all commands, which main hands to the session. */
#ifndef COLLCOST_SESSION_COMMANDS_H
#define COLLCOST_SESSION_COMMANDS_H

#include "cli/command.h"

extern const CommandTable command_table;

#endif
