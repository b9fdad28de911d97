/* `cost`, for `search`. */
#ifndef COLLCOST_CLI_CMD_COST_H
#define COLLCOST_CLI_CMD_COST_H

#include "cli/composed.h"

/* Answers as `cost` does with the candidates that no other one beats, compositions among them; what
   these are is noted in `saved`, unless that is NULL. */
Status cost_front(const CommandLine *line, ComposedModels *saved);

#endif
