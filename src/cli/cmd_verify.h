/* `verify`, for the models of one source alone. */
#ifndef COLLCOST_CLI_CMD_VERIFY_H
#define COLLCOST_CLI_CMD_VERIFY_H

#include "cli/command.h"
#include "collcost.h"

/* *found: where the status is fine, or a check has failed. */
Status verify_source(const CommandLine *line, const Source *source, collcost_verification *found);

#endif
